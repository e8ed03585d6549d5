"""The check of a card without a card: it says so, and its dry run goes through every line that needs none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from yue2_desktop.engine.cuda.verdicts import Verdict
from yue2_desktop.plan.peaks import highest, moment
from yue2_desktop.song.errors import Problem, ProblemKind

ROOT = Path(__file__).resolve().parents[2]
MIB = 1 << 20
Load = Callable[[str], ModuleType]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "packaging" / "gpu_check.py"), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=environment)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a card")
def test_without_a_card_it_says_so_in_one_sentence() -> None:
    done = _run()
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith("There is no graphics card to check: torch ")
    assert done.stdout.count("\n") == 1


def test_the_dry_run_goes_through_every_row(tmp_path: Path) -> None:
    done = _run("--dry-run-on-cpu")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    states = {line.split("|")[1].strip(): line.split("|")[-2].strip() for line in lines[1:]}
    assert states.pop("attention-flash") == "not used"
    assert len(states) == 14
    assert set(states.values()) == {"ok"}
    semantic = [line for line in lines if line.startswith("| semantic")]
    assert len(semantic) == 4
    assert all("eager" in line and "graph" in line and "tokens/s" in line for line in semantic)
    assert done.stdout.rstrip().splitlines()[-1].startswith("15 rows, 0 faults, ")


@pytest.mark.parametrize("cap", ["1", "-4", "nan"])
def test_a_cap_that_no_card_has_is_refused(cap: str) -> None:
    done = _run("--dry-run-on-cpu", "--cap-gib", cap)
    assert done.returncode == 2
    assert "holds nothing of the model" in done.stderr


@pytest.fixture
def rows(load: Load) -> Any:
    return load("gpu_rows")


def _stage(load: Load, run: Callable[[], Any] = dict, *, unmetered: int = 0) -> Any:
    peak = highest("decode", moment("all", {"weights": 2000 * MIB}, {}), unmetered=unmetered)
    return load("gpu_stages").Stage("a stage", peak, run)


def _measured(load: Load, peak: int | None, left: int | None = 0) -> Any:
    return load("gpu_stages").Measured(peak, left, 2.0, {"graph": 31.25})


@pytest.mark.parametrize(("peak", "state"), [(2000, "ok"), (2150, "ok"), (1850, "ok"), (2200, "off"), (1800, "off")])
def test_a_peak_is_held_against_the_prediction(rows: Any, load: Load, peak: int, state: str) -> None:
    row = rows.stage_row(_stage(load), _measured(load, peak * MIB))
    assert row.state == state
    assert "graph 31.2 tokens/s, 2.0 s" in row.found


def test_a_librarys_workspace_may_come_on_top(rows: Any, load: Load) -> None:
    assert rows.stage_row(_stage(load, unmetered=300 * MIB), _measured(load, 2300 * MIB)).state == "ok"


def test_what_is_left_behind_is_a_fault(rows: Any, load: Load) -> None:
    row = rows.stage_row(_stage(load), _measured(load, 2000 * MIB, 100 * MIB))
    assert row.state == "off"
    assert "100 MiB left behind" in row.found or "0.1 GiB left behind" in row.found


@pytest.mark.parametrize(
    ("verdict", "state"),
    [
        (Verdict(True, "agrees", 1e-3, 1.2), "ok"),
        (Verdict(False, "not in this build of torch"), "not used"),
        (Verdict(False, "only 0.80 times as fast", 1e-3, 0.8), "not used"),
        (Verdict(False, "differs by 4.0e-01", 0.4), "off"),
    ],
)
def test_a_path_that_computes_wrongly_is_a_fault_and_a_missing_one_is_not(
    rows: Any, verdict: Verdict, state: str
) -> None:
    assert rows.probe_row("path", verdict).state == state


def _setting(capability: tuple[int, int] | None, gauge: Any = None) -> Any:
    return SimpleNamespace(bench=SimpleNamespace(gauge=gauge), capability=capability, probes={})


@pytest.fixture
def staged(rows: Any, load: Load, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stages that do nothing, by name as they are made."""
    stages, made = load("gpu_stages"), list[str]()

    def stage(name: str) -> Callable[..., Any]:
        def make(_bench: Any, kind: str = "") -> Any:
            made.append(f"{name} {kind}".strip())
            return _stage(load)

        return make

    for name in ("score", "semantic", "acoustic", "decode"):
        monkeypatch.setattr(stages, name, stage(name))
    monkeypatch.setattr(stages, "measure", lambda _stage, _gauge: _measured(load, 2000 * MIB))
    return made


def test_fp8_is_left_out_below_8_9(rows: Any, staged: list[str]) -> None:
    list(rows.stage_rows(_setting((8, 6)), None))
    assert "semantic fp8" not in staged
    assert "semantic q8_0" in staged
    list(rows.stage_rows(_setting((8, 9)), None))
    assert "semantic fp8" in staged


def test_what_does_not_fit_the_cap_is_skipped(rows: Any, staged: list[str]) -> None:
    found = list(rows.stage_rows(_setting((8, 9)), 1500 * MIB))
    assert {row.state for row in found} == {"skipped"}
    assert "does not fit 1.5 GiB" in found[0].found


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.00 GiB."), "failed", "memory is full"),
        (RuntimeError("CUDA error: unspecified launch failure"), "failed", "stopped answering"),
        (RuntimeError("shapes differ\nat length"), "failed", "shapes differ"),
        (Problem(ProblemKind.UNSUPPORTED, "This card has no such thing."), "not used", "no such thing"),
    ],
)
def test_a_stage_that_fails_is_a_row_and_not_the_end(
    rows: Any, load: Load, staged: list[str], monkeypatch: pytest.MonkeyPatch, error: Exception, state: str, words: str
) -> None:
    def fail(_stage: Any, _gauge: Any) -> Any:
        raise error

    monkeypatch.setattr(load("gpu_stages"), "measure", fail)
    found = list(rows.stage_rows(_setting(None), None))
    assert len(found) == 8
    assert {row.state for row in found} == {state}
    assert words in found[0].found


def test_a_run_is_counted_from_what_was_there_before(load: Load) -> None:
    class Gauge:
        def __init__(self) -> None:
            self.lives = iter((100, 130))

        def reset(self) -> None:
            pass

        def peak(self) -> int:
            return 900

        def live(self) -> int:
            return next(self.lives)

    measured = load("gpu_stages").measure(_stage(load, lambda: {"eager": 3.0}), Gauge())
    assert (measured.peak, measured.left, dict(measured.rates)) == (800, 30, {"eager": 3.0})


def test_the_table_is_markdown_and_its_faults_are_counted(load: Load) -> None:
    table = load("gpu_table")
    rows = [
        table.Row("a", "b", "c | d", table.State.OK),
        table.Row("longer", "", "", table.State.OFF),
        table.Row("x", "", "", table.State.FAILED),
        table.Row("y", "", "", table.State.NOT_USED),
    ]
    lines = table.table(rows).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[2].count("|") == 5
    assert table.faults(rows) == 2


def test_random_weights_are_the_same_however_they_are_read(load: Load) -> None:
    model = load("gpu_model")
    from dataclasses import replace

    from yue2_desktop.engine.cuda.probes import LIGHT
    from yue2_desktop.engine.quant.blocks import Q8_0

    config = replace(LIGHT, layers=1)
    source = model.RandomCheckpoint(config)
    name = "model.layers.0.mlp.gate_proj.weight"
    whole = source.read(name)
    assert torch.equal(source.read_rows(name, 100, 164), whole[100:164])
    assert not torch.equal(whole, source.read("model.layers.0.mlp.up_proj.weight"))
    assert abs(float(whole.float().std()) * config.hidden_size**0.5 - 1) < 0.05
    packed = model.RandomCheckpoint(config, Q8_0)
    assert packed.block_type(name) is Q8_0
    assert packed.block_type("model.embed_tokens.weight").dense
    blocks = torch.empty(700, Q8_0.row_bytes(config.hidden_size), dtype=torch.uint8)
    packed.read_block_rows_into(name, 0, blocks)
    assert torch.equal(blocks[:188], blocks[512:])
