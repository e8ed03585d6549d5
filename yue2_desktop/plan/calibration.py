"""What this machine was measured to do: a short probe, then the user's own runs; kept per device as JSON."""

from __future__ import annotations

import json
import logging
import math
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from yue2_desktop.plan.facts import GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.textfile import read_json
from yue2_desktop.song.wording import path_text

_log = logging.getLogger(__name__)
#: Runs remembered for one kind of stage; older ones are forgotten, since drivers and rooms change.
RUNS_KEPT: Final = 8
_VERSION: Final = 1


@dataclass(frozen=True)
class ProbeRates:
    """The 10-second probe of a device; None where it measured nothing.

    GB/s of reading weights, ms of launching one decode step, TFLOP/s of linears (many rows) by kernel, of
    attention and of float32 convolutions, GB/s from host to card.
    """

    read_gbs: float | None = None
    step_ms: float | None = None
    linear_tflops: Mapping[str, float] = field(default_factory=dict)
    attention_tflops: float | None = None
    conv_tflops: float | None = None
    copy_gbs: float | None = None


@dataclass(frozen=True)
class RunRate:
    """One finished stage of the user's own: seconds for each unit of its work (GB read, or TFLOP).

    `model` is the size of the model (`ModelShape.size`): a small one's time is that of its calls, not of its work.
    """

    stage: str
    weights: str
    residency: str
    kernel: str
    seconds_per_unit: float
    model: str

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What must agree for two runs to say something of each other."""
        return self.stage, self.weights, self.residency, self.kernel, self.model


@dataclass(frozen=True)
class DeviceRates:
    """All that was measured on one device, newest run last."""

    probe: ProbeRates | None = None
    runs: tuple[RunRate, ...] = ()

    def with_probe(self, probe: ProbeRates) -> DeviceRates:
        """These rates with a new probe in place of the old."""
        return replace(self, probe=probe)

    def with_run(self, run: RunRate) -> DeviceRates:
        """These rates and one more run; of each kind the newest few are kept.

        Raises ValueError for a rate that is not a positive number.
        """
        if not math.isfinite(run.seconds_per_unit) or run.seconds_per_unit <= 0:
            raise ValueError(f"a rate must be a positive number, not {run.seconds_per_unit}")
        same = [known for known in self.runs if known.key == run.key][-(RUNS_KEPT - 1) :]
        others = [known for known in self.runs if known.key != run.key]
        return replace(self, runs=(*others, *same, run))


@dataclass(frozen=True)
class Calibration:
    """The measurements of a machine by device key."""

    devices: Mapping[str, DeviceRates] = field(default_factory=dict)

    def of(self, key: str) -> DeviceRates | None:
        """What was measured under `key`, None before anything was."""
        return self.devices.get(key)

    def with_device(self, key: str, rates: DeviceRates) -> Calibration:
        """This calibration with `rates` under `key`."""
        return Calibration({**self.devices, key: rates})


def card_key(gpu: GpuFacts, torch: TorchFacts | None) -> str:
    """The key of a card: another driver or torch build is another machine as far as speed goes."""
    return f"cuda|{gpu.uuid or gpu.label}|{gpu.driver or '?'}|{torch.version if torch is not None else '?'}"


def processor_key(machine: MachineFacts) -> str:
    """The key of the processor."""
    torch = machine.torch.version if machine.torch is not None else "?"
    return f"cpu|{machine.cpu.name or '?'}|{machine.cpu.cores or '?'}|{torch}"


def load_calibration(path: Path) -> Calibration:
    """The calibration in `path`, an empty one where there is none yet or a damaged one, which is said in the log.

    Only times come from it: a broken file is no reason to refuse a song, and the next measurement replaces it.
    """
    if not path.exists():
        return Calibration()
    try:
        return _calibration(read_json(path, "calibration"))
    except (Problem, KeyError, TypeError, ValueError, AttributeError) as error:
        _log.warning("the calibration %s is damaged (%s): this machine is measured again", path_text(path), error)
        return Calibration()


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Writes the calibration to `path`: UTF-8, to a temporary file first, then renamed."""
    value = {"version": _VERSION, "devices": {key: _plain(rates) for key, rates in calibration.devices.items()}}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(value, file, indent=2, ensure_ascii=False, allow_nan=False)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _plain(rates: DeviceRates) -> dict[str, object]:
    probe = None if rates.probe is None else {**asdict(rates.probe), "linear_tflops": dict(rates.probe.linear_tflops)}
    return {"probe": probe, "runs": [asdict(run) for run in rates.runs]}


def _calibration(value: object) -> Calibration:
    members = _members(value)
    if members.get("version") != _VERSION:
        raise ValueError(f"version {members.get('version')}")
    return Calibration({key: _device(rates) for key, rates in _members(members["devices"]).items()})


def _device(value: object) -> DeviceRates:
    members = _members(value)
    runs = members["runs"]
    if not isinstance(runs, list):
        raise TypeError("runs is not a list")
    probe = None if members["probe"] is None else _probe(_members(members["probe"]))
    # Earlier versions did not keep of which model a run was: such runs are forgotten.
    return DeviceRates(probe, tuple(_run(known) for known in map(_members, runs) if "model" in known))


def _probe(members: Mapping[str, object]) -> ProbeRates:
    def rate(name: str) -> float | None:
        return None if members.get(name) is None else _positive(members[name])

    return ProbeRates(
        read_gbs=rate("read_gbs"),
        step_ms=rate("step_ms"),
        linear_tflops={name: _positive(found) for name, found in _members(members.get("linear_tflops", {})).items()},
        attention_tflops=rate("attention_tflops"),
        conv_tflops=rate("conv_tflops"),
        copy_gbs=rate("copy_gbs"),
    )


def _run(members: Mapping[str, object]) -> RunRate:
    words = [members[name] for name in ("stage", "weights", "residency", "kernel", "model")]
    if not all(isinstance(word, str) for word in words):
        raise TypeError("a run has no stage, weights, residency, kernel or model")
    stage, weights, residency, kernel, model = (str(word) for word in words)
    return RunRate(stage, weights, residency, kernel, _positive(members["seconds_per_unit"]), model)


def _members(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("an object is missing")
    return value


def _positive(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ValueError(f"{value} is not a positive number")
    return float(value)
