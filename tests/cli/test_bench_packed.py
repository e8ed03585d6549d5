"""`yue2-desktop bench packed` on one layer."""

from __future__ import annotations

import json

import pytest

from yue2_desktop.__main__ import main
from yue2_desktop.cli.bench_packed import _line
from yue2_desktop.engine.bench.packed import TokenTimes


def test_a_line_for_each_way_of_attention(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yue2_desktop.engine.bench.packed.read_bandwidth", lambda repeats: 1e10)
    small = ["--layers", "1", "--context", "60", "--tokens", "1", "--frames", "8", "--weights", "q4_0", "--json"]
    assert main(["bench", "packed", "--part", "decode", *small]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["attention"] for row in rows] == ["row sums", "torch"]
    assert all(row["best"] > 0 and row["over_floor"] > 0 and row["weights"] == "q4_0" for row in rows)
    assert main(["bench", "packed", "--part", "velocity", *small]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["attention"] for row in rows] == ["products", "fused"]
    assert all(0 < row["evaluation"] <= row["typical"] for row in rows)
    assert main(["bench", "packed", "--part", "velocity", *small[:-1]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[3] for line in lines] == ["products", "fused"]
    assert "1.00 x the fused kernel's" in lines[1]


def test_the_line_for_people() -> None:
    times = TokenTimes("q4_0", "row sums", typical=0.08, best=0.06, linears=0.04, read_bytes=10**9, bandwidth=2e10)
    assert _line(times, 2) == (
        "q4_0         attention by row sums    60.0 ms a token (typically 80.0; linear maps 40.0)    1.20 x the floor "
        "of 50.0 ms at 20.0 GB/s   2 threads"
    )
