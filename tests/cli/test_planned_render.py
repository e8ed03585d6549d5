"""A render follows its plan: refused where it does not fit, stepped down where memory runs out, timed for the next."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yue2_desktop import paths
from yue2_desktop.cli.measuring import measure
from yue2_desktop.cli.opened import Opened
from yue2_desktop.cli.screen import Quiet
from yue2_desktop.engine.pipeline import Pipeline
from yue2_desktop.plan.calibration import load_calibration, processor_key
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.probe import Probed, read_machine
from yue2_desktop.plan.sizes import GIB, MIB
from yue2_desktop.song.errors import Problem, ProblemKind

Cli = Callable[..., Any]


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def small_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a card and with hardly any memory left."""
    facts = MachineFacts(gpus=(), platform="linux", ram_total=GIB, ram_free=40 * MIB, disk_free=99 * GIB)
    monkeypatch.setattr("yue2_desktop.cli.planning.read_machine", lambda _: Probed(facts, ()))


def test_what_does_not_fit_is_refused_and_nothing_is_written(
    small_memory: None, cli: Cli, tiny: tuple[str, ...], tmp_path: Path
) -> None:
    out = tmp_path / "take"
    ended = cli("render", *tiny, "--output", out)
    assert ended.status == 3
    assert "--run-anyway tries all the same" in ended.err
    assert not out.exists()


def test_run_anyway_tries_it(small_memory: None, cli: Cli, tiny: tuple[str, ...], tmp_path: Path) -> None:
    """Row 22: the override is on the command line, too."""
    out = tmp_path / "take"
    assert cli("render", *tiny, "--run-anyway", "--stop-after", "plan", "--output", out).status == 0
    assert (out / "score.abc").exists()


def test_the_take_says_what_was_planned(finished: Path) -> None:
    made_with = _json(finished / "take.json")["made_with"]
    stages = {stage["stage"]: stage for stage in made_with["plan"]["stages"]}
    assert list(stages) == ["score", "semantic", "acoustic", "decode"]
    assert all(stage["predicted_peak_bytes"] > 0 for stage in stages.values())
    assert made_with["plan"]["reason"]
    asked = {"mode": "auto", "ar_precision": "auto", "nar_residency": "auto", "vae_core": 8}
    assert made_with["plan"]["asked"] == asked
    for name in ("mode", "ar_precision", "nar_residency", "vae_core", "ode_steps", "ode_method"):
        assert made_with["plan"][name] not in {None, "auto"}
    assert made_with["kernels"]["tokens"] == "dense"
    # The way of attention is the stage's to say: it may be another one for frames than for tokens.
    assert "attention" not in made_with["kernels"]
    assert _json(finished / "take.json")["stages"]["latents"]["attention"] == "fused"
    config = _json(finished / "config.json")
    assert (config["ar_weights"], config["nar_weights"], config["ar_device"]) == ("f32", "f32", "cpu")


@pytest.mark.parametrize(("precision", "kernel"), [("q8_0", "int4"), ("q4_0", "int4"), ("bf16", "packed-fp16")])
def test_a_precision_is_followed_and_is_another_take(
    precision: str, kernel: str, cli: Cli, tiny: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    options = [option for option in tiny if option not in {"--dtype", "float32"}]
    out = tmp_path / "take"
    ended = cli("render", *options, "--ar-precision", precision, "--stop-after", "semantic", "--output", out)
    assert ended.status == 0
    take = _json(out / "take.json")
    assert take["made_with"]["kernels"]["tokens"] == kernel
    assert _json(out / "config.json")["ar_weights"] == precision
    assert take["identity"] != _json(finished / "take.json")["identity"]


def test_two_step_solving_is_asked_for_by_name(
    cli: Cli, tiny: tuple[str, ...], models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "take"
    options = ("--reuse", "semantic", "--ode-steps", 6, "--ode-method", "ab2", "--stop-after", "latents")
    assert cli("render", "--from-take", finished, *options, *models, "--output", out).status == 0
    assert _json(out / "config.json")["ode_method"] == "ab2"
    other = tmp_path / "other"
    options = ("--reuse", "semantic", "--ode-steps", 6, "--stop-after", "latents")
    assert cli("render", "--from-take", finished, *options, *models, "--output", other).status == 0
    assert np.load(out / "latent.npy").tobytes() != np.load(other / "latent.npy").tobytes()


class _Short:
    """A stage that runs out of memory the first times it is tried."""

    def __init__(self, true: Callable[..., Any], times: int) -> None:
        self._true = true
        self.left = times
        self.cores: list[int | None] = []

    def tried(self, pipeline: Pipeline, latents: np.ndarray, core: int | None, watch: Any) -> Any:
        self.cores.append(core)
        if self.left:
            self.left -= 1
            raise Problem(ProblemKind.OUT_OF_MEMORY, "Main memory is full.")
        return self._true(pipeline, latents, core, watch)


@pytest.fixture
def no_tile(tiny: tuple[str, ...]) -> tuple[str, ...]:
    """The options of a tiny song that leave the tile to the plan."""
    place = tiny.index("--vae-core")
    return (*tiny[:place], *tiny[place + 2 :])


def test_out_of_memory_takes_the_next_smaller_tile_and_says_so(
    cli: Cli, no_tile: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = _Short(Pipeline.decode, times=2)

    def decode(pipeline: Pipeline, latents: np.ndarray, core: int | None, watch: Any) -> Any:
        return short.tried(pipeline, latents, core, watch)

    monkeypatch.setattr(Pipeline, "decode", decode)
    told: list[str] = []
    monkeypatch.setattr(Quiet, "follows", lambda _report, plan: told.append(plan))
    out = tmp_path / "take"
    ended = cli("render", *no_tile, "--output", out)
    assert ended.status == 0, ended.err
    assert len(told) == 3, "at the beginning, and each time that another plan is followed"
    tiles = [core for core in short.cores if core is not None]
    assert tiles == sorted(set(tiles), reverse=True), "an identical plan is never tried twice"
    assert ended.err.count("trying again with tiles of") == 2
    note = _json(out / "take.json")["stages"]["audio"]["stepped_down"]
    assert note.count("trying again") == 2
    assert (out / "audio.flac").exists()


def test_out_of_memory_for_tokens_is_asked_about_and_not_done(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise Problem(ProblemKind.OUT_OF_MEMORY, "The card's memory is full.")

    monkeypatch.setattr(Pipeline, "semantic", full)
    out = tmp_path / "take"
    ended = cli("render", *tiny, "--output", out)
    assert ended.status == 1
    assert "makes another take: --ar-precision q8_0" in ended.err
    assert (out / "score.abc").exists(), "what was finished is kept"
    assert not (out / "semantic.npy").exists()


@pytest.fixture
def calibration() -> Path:
    return paths.cache_folder() / "calibration.json"


def test_a_render_is_remembered_for_the_times_of_the_next(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, calibration: Path
) -> None:
    assert cli("render", *tiny, "--output", tmp_path / "take").status == 0
    machine = read_machine(tmp_path).machine
    rates = load_calibration(calibration).of(processor_key(machine))
    assert rates is not None
    assert [run.stage for run in rates.runs] == ["score", "semantic", "acoustic", "decode"]
    ended = cli("fit", *[option for option in tiny if option != "--allow-bad-score"])
    assert ended.status == 0
    assert "not measured yet" not in ended.out


def test_a_damaged_calibration_ends_no_render(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, calibration: Path
) -> None:
    calibration.parent.mkdir(parents=True, exist_ok=True)
    calibration.write_text("{", encoding="utf-8")
    ended = cli("render", *tiny, "--stop-after", "plan", "--output", tmp_path / "take")
    assert ended.status == 0


def test_the_probe_measures_every_rate_of_the_processor(calibration: Path, tmp_path: Path) -> None:
    machine = replace(read_machine(tmp_path).machine, gpus=())
    measure(machine, None, "cpu")
    rates = load_calibration(calibration).of(processor_key(machine))
    assert rates is not None
    assert rates.probe is not None
    found = rates.probe
    assert min(found.read_gbs or 0, found.step_ms or 0, found.attention_tflops or 0, found.conv_tflops or 0) > 0
    assert found.linear_tflops["dense"] > 0
    assert found.copy_gbs is None


def test_a_pipeline_without_a_plan_has_no_smaller_one() -> None:
    import torch

    from yue2_desktop.engine.device import Device

    assert Opened(Device(torch.device("cpu"), torch.float32), None, None, None).lower("decode") is None
