"""The report of the fit check: exactly the documented fields, the exit code, the words."""

from __future__ import annotations

import json

import pytest

from yue2_desktop.plan.calibration import DeviceRates, ProbeRates
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.fit import fit_report
from yue2_desktop.plan.fit_text import fit_line, fit_text
from yue2_desktop.plan.options import options_from
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB


def test_the_fields_of_the_issue_and_no_others(laptop: MachineFacts) -> None:
    answer = make_plan(laptop, parse_pretend("6GB"), SongDemand(text_tokens=500))
    report = json.loads(json.dumps(fit_report(answer).to_json(), allow_nan=False))
    assert list(report) == [
        "verdict", "mode", "reason", "stages", "free_bytes", "margin_bytes", "ram_bytes", "disk_bytes", "rejected",
    ]  # fmt: skip
    assert [stage["stage"] for stage in report["stages"]] == ["score", "semantic", "acoustic", "decode"]
    for stage in report["stages"]:
        assert list(stage) == ["stage", "weights", "residency", "kernel", "peak_bytes", "seconds"]
        assert stage["seconds"] is None
    assert (report["verdict"], report["mode"]) == ("fits", "offload-ar")
    assert report["reason"].startswith("Pretended card. ")
    assert all(list(found) == ["mode", "reason"] for found in report["rejected"])
    need = max(stage["peak_bytes"] for stage in report["stages"]) + report["margin_bytes"]
    assert need <= report["free_bytes"] == parse_pretend("6GB").free_bytes


def test_exit_codes(laptop: MachineFacts, song_216: SongDemand) -> None:
    card = parse_pretend("6GB")
    assert fit_report(make_plan(laptop, card, song_216)).exit_code == 0
    refused = fit_report(make_plan(laptop, card, song_216, options=options_from(mode="bf16")))
    assert (refused.exit_code, refused.mode) == (3, "bf16")
    unknown = fit_report(make_plan(laptop, GpuFacts(total_bytes=8 * GIB, capability=(8, 6)), song_216))
    assert (unknown.exit_code, unknown.verdict, unknown.free_bytes) == (0, "unknown", None)


def test_a_report_without_a_plan(laptop: MachineFacts, song_216: SongDemand) -> None:
    card = GpuFacts(name="RTX 3060", capability=(8, 6), driver="531.18", free_bytes=GIB)
    machine = MachineFacts(gpus=(card,), torch=TorchFacts("2.13.0+cu130", "13.0"))
    report = fit_report(check_fit(machine, Check(song_216)), asked="auto").to_json()
    assert (report["verdict"], report["mode"], report["stages"]) == ("does-not-fit", "auto", [])
    assert (report["ram_bytes"], report["disk_bytes"], report["margin_bytes"]) == (None, None, None)
    assert "531.18" in str(report["reason"])


def test_the_text_marks_a_pretended_card_and_says_what_is_unknown(laptop: MachineFacts, song_216: SongDemand) -> None:
    text = fit_text(make_plan(laptop, parse_pretend("RTX 3050 Laptop,6144MiB,8.6"), song_216))
    lines = text.splitlines()
    assert lines[0].startswith("PRETENDED CARD, not in this machine: RTX 3050 Laptop, 6.0 GiB, 5.2 GiB free")
    assert "Verdict: fits" in lines
    assert "not measured yet" in text
    assert "free: 5.2 GiB" in text
    assert "  bf16: BF16 with both halves resident: its acoustic stage needs" in text
    assert "sketch: BF16 with halves parked, 16 steps. 16 steps: 21.3 dB" in text


@pytest.mark.parametrize(("card", "start"), [("6GB", "Fits: BF16 with halves parked · 4.4 of 5.2 GiB")])
def test_the_line_below_the_score(laptop: MachineFacts, song_216: SongDemand, card: str, start: str) -> None:
    assert fit_line(make_plan(laptop, parse_pretend(card), song_216)) == start
    probe = ProbeRates(
        read_gbs=115.0, linear_tflops={"dense": 5.5}, attention_tflops=5.5, conv_tflops=5.0, copy_gbs=6.0
    )
    timed = fit_line(make_plan(laptop, parse_pretend(card), song_216, rates={"cuda": DeviceRates(probe)}))
    assert timed.startswith(f"{start} · ")
    assert timed.endswith(" min")


def test_the_line_of_what_does_not_fit_is_its_reason(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, parse_pretend("6GB"), song_216, options=options_from(mode="bf16"))
    assert fit_line(answer) == answer.reason
    assert "mode offload-ar" in fit_line(answer)


def test_the_text_without_a_card(laptop: MachineFacts) -> None:
    text = fit_text(make_plan(laptop, None, SongDemand(text_tokens=300, frames_ceiling=750, ode_steps=8)))
    assert text.startswith("Verdict: fits\nOn the processor, AR W8A8, NAR BF16: takes ")
    assert "Memory  3.7 GiB" in text
