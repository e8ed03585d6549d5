"""How long a stage will take on a device that was measured: always a range, and nothing before measurements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from yue2_desktop.plan.calibration import DeviceRates, ProbeRates
from yue2_desktop.plan.candidates import Candidate, Device
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.peaks import Stage
from yue2_desktop.plan.shape import ModelShape
from yue2_desktop.plan.work import Work, stage_work

#: What was measured, by the device that a stage may run on; a device without measurements is absent.
Rates = Mapping[Device, DeviceRates]

#: A probe of seconds says less than a whole run: heat, other programs and small operations come on top.
_PROBE_SPREAD: Final = (0.85, 1.6)
#: The user's own runs vary by this much beyond what was seen.
_RUN_SPREAD: Final = (0.95, 1.1)


def stage_seconds(
    stage: Stage,
    key: tuple[str, str, str],
    candidate: Candidate,
    demand: SongDemand,
    shape: ModelShape,
    rates: DeviceRates,
) -> tuple[float, float] | None:
    """Seconds of a stage from and to, None where nothing measured speaks of it.

    `key` is (weights, residency, kernel) of the stage. The user's own runs of the same key with a
    model of this size come first, the probe second.
    """
    least, most = stage_work(stage, candidate, demand, shape)
    runs = [run.seconds_per_unit for run in rates.runs if run.key == (stage, *key, shape.size)]
    if runs:
        return min(runs) * least.units * _RUN_SPREAD[0], max(runs) * most.units * _RUN_SPREAD[1]
    if rates.probe is None:
        return None
    streamed = key[1] == "streamed"
    low = _probed(least, rates.probe, key[2], streamed=streamed)
    high = _probed(most, rates.probe, key[2], streamed=streamed)
    if low is None or high is None:
        return None
    return low * _PROBE_SPREAD[0], high * _PROBE_SPREAD[1]


def run_rate(seconds: float, work: Work) -> float:
    """Seconds for each unit of work of a finished stage, to be kept in the calibration.

    Raises ValueError where either is not positive.
    """
    if seconds <= 0 or work.units <= 0:
        raise ValueError(f"{seconds} s for {work.units} units of work is no rate")
    return seconds / work.units


def _probed(work: Work, probe: ProbeRates, kernel: str, *, streamed: bool) -> float | None:
    # Many rows are multiplied by the plain product, whatever kernel decodes.
    linear_rate = probe.linear_tflops.get(kernel) or probe.linear_tflops.get("dense")
    parts = (
        _divided(work.linear_tflop, linear_rate),
        _divided(work.attention_tflop, probe.attention_tflops or linear_rate),
        _divided(work.conv_tflop, probe.conv_tflops),
        _divided(work.read_gb, probe.read_gbs),
        _divided(work.copy_gb, probe.copy_gbs),
    )
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    linear, attention, conv, read, copy = known
    compute = linear + attention
    # A streamed half is copied under the computation of the layer before.
    overlapped = max(compute, copy) if streamed else compute + copy
    launches = work.steps * probe.step_ms / 1000 if probe.step_ms is not None and work.read_gb else 0.0
    return overlapped + conv + read + launches


def _divided(amount: float, rate: float | None) -> float | None:
    if amount == 0:
        return 0.0
    return None if rate is None else amount / rate
