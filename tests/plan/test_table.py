"""The golden table of predicted peaks, and the README's table made from the planner."""

from __future__ import annotations

import json
from pathlib import Path

from yue2_desktop.plan.table import DURATIONS, predicted_peaks, readme_table

GOLDEN = Path(__file__).with_name("predicted_peaks.json")
RENEW = "if that is meant, renew it with packaging/plan_table.py --peaks tests/plan/predicted_peaks.json"


def test_row_8_no_peak_grows_by_more_than_5_percent() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    current = predicted_peaks()
    assert {preset: list(rows) for preset, rows in current.items()} == {p: list(rows) for p, rows in golden.items()}
    for preset, rows in golden.items():
        for seconds, stages in rows.items():
            assert list(stages) == list(current[preset][seconds])
            for stage, peak in stages.items():
                now = current[preset][seconds][stage]
                assert now <= 1.05 * peak, f"{preset}, {seconds} s, {stage}: {peak} -> {now}; {RENEW}"
                assert now >= 0.95 * peak, f"{preset}, {seconds} s, {stage} fell: {peak} -> {now}; {RENEW}"


def test_the_golden_table_covers_what_people_have() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert list(golden) == ["4GB", "6GB", "8GB", "12GB", "24GB", "none"]
    assert all(list(rows) == [str(seconds) for seconds in DURATIONS] for rows in golden.values())


def test_the_readme_table_keeps_predicted_and_measured_apart() -> None:
    table = readme_table({"6GB": "71 s on an H200 capped to 6 GiB"})
    lines = table.splitlines()
    assert lines[0].split(" | ")[-1] == "measured |"
    rows = {line.split("|")[1].strip(): line for line in lines[2:8]}
    assert list(rows) == [
        "4 GB (3.3 GiB)", "6 GB (5.2 GiB)", "8 GB (7.0 GiB)", "12 GB (10.9 GiB)", "24 GB (22.6 GiB)", "none",
    ]  # fmt: skip
    assert rows["6 GB (5.2 GiB)"].endswith("| 71 s on an H200 capped to 6 GiB |")
    assert rows["8 GB (7.0 GiB)"].endswith("| - | not yet |")
    assert "AR Q4_0, NAR BF16 streamed (`gguf`)" in rows["4 GB (3.3 GiB)"]
    assert lines[-1].startswith("A runtime that keeps everything on the card needs 10.2 GiB")
