"""Measurements of a machine: kept as JSON, ignored when damaged, renewed by runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.plan.calibration import (
    RUNS_KEPT,
    Calibration,
    DeviceRates,
    ProbeRates,
    RunRate,
    card_key,
    load_calibration,
    processor_key,
    save_calibration,
)
from yue2_desktop.plan.facts import CpuFacts, GpuFacts, MachineFacts, TorchFacts

RUN = RunRate("semantic", "bf16", "resident", "dense", 0.01, "28 layers of 2048, decoder of 2048")
PROBE = ProbeRates(read_gbs=150.0, step_ms=4.0, linear_tflops={"dense": 5.5}, copy_gbs=6.0)


def test_there_and_back(tmp_path: Path) -> None:
    whole = Calibration({"cuda|Карта|581.29|2.13": DeviceRates(PROBE, (RUN,)), "cpu": DeviceRates()})
    path = tmp_path / "настройки" / "calibration.json"
    save_calibration(whole, path)
    assert load_calibration(path) == whole
    assert "Карта" in path.read_text(encoding="utf-8")
    assert [entry.name for entry in path.parent.iterdir()] == ["calibration.json"], "no temporary file stays"


def test_nothing_measured_yet(tmp_path: Path) -> None:
    assert load_calibration(tmp_path / "none.json") == Calibration()
    assert Calibration().of("cpu") is None


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"version": 1, "dev',
        '{"version": 1, "devices": {"cpu": {"probe": {"read_gbs": NaN}, "runs": []}}}',
        '{"version": 2, "devices": {}}',
        '{"version": 1}',
        '{"version": 1, "devices": {"cpu": 3}}',
        '{"version": 1, "devices": {"cpu": {"probe": {"read_gbs": -1}, "runs": []}}}',
        '{"version": 1, "devices": {"cpu": {"probe": {"read_gbs": "fast"}, "runs": []}}}',
        '{"version": 1, "devices": {"cpu": {"probe": null, "runs": {}}}}',
        '{"version": 1, "devices": {"cpu": {"probe": null, "runs": [{"stage": "semantic", "model": "a"}]}}}',
        '{"version": 1, "devices": {"cpu": {"probe": null, "runs": [{"stage": 1, "weights": "a", "model": "a"}]}}}',
    ],
)
def test_a_damaged_file_counts_as_none_and_is_named(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A broken cache of times keeps nobody from a song."""
    path = tmp_path / "calibration.json"
    path.write_text(text, encoding="utf-8")
    assert load_calibration(path) == Calibration()
    (warning,) = caplog.records
    assert "calibration.json is damaged" in warning.getMessage()
    assert "measured again" in warning.getMessage()


def test_runs_of_an_unknown_model_are_forgotten(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Earlier versions did not say of which model a run was; the probe beside them stays."""
    path = tmp_path / "calibration.json"
    save_calibration(Calibration({"cpu": DeviceRates(PROBE, (RUN, RUN))}), path)
    value = json.loads(path.read_text(encoding="utf-8"))
    del value["devices"]["cpu"]["runs"][0]["model"]
    path.write_text(json.dumps(value), encoding="utf-8")
    assert load_calibration(path) == Calibration({"cpu": DeviceRates(PROBE, (RUN,))})
    assert not caplog.records


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calibration.json"
    save_calibration(Calibration({"cpu": DeviceRates(PROBE)}), path)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dump", full)
    with pytest.raises(OSError, match="No space"):
        save_calibration(Calibration(), path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["calibration.json"]


def test_runs_join_the_probe_and_old_ones_are_forgotten() -> None:
    rates = DeviceRates(PROBE)
    for number in range(1, RUNS_KEPT + 3):
        rates = rates.with_run(replace(RUN, seconds_per_unit=float(number)))
    rates = rates.with_run(replace(RUN, stage="decode"))
    assert [run.seconds_per_unit for run in rates.runs if run.stage == "semantic"] == [float(n) for n in range(3, 11)]
    assert rates.with_probe(ProbeRates(read_gbs=1.0)).runs == rates.runs
    assert Calibration().with_device("cpu", rates).of("cpu") == rates


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_a_rate_is_a_positive_number(rate: float) -> None:
    with pytest.raises(ValueError, match="positive number"):
        DeviceRates().with_run(replace(RUN, seconds_per_unit=rate))


def test_another_driver_or_torch_is_another_machine() -> None:
    card = GpuFacts(name="X", uuid="GPU-1", driver="576.02")
    keys = {
        card_key(card, TorchFacts("2.13.0", "13.0")),
        card_key(card, TorchFacts("2.12.0", "13.0")),
        card_key(replace(card, driver="581.29"), TorchFacts("2.13.0", "13.0")),
        card_key(card, None),
        processor_key(MachineFacts(cpu=CpuFacts("a", 8))),
        processor_key(MachineFacts(cpu=CpuFacts("a", 4))),
    }
    assert len(keys) == 6
