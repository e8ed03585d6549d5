"""From probes and stages to the rows of gpu_check.py's table: expected, found, and how that stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import gpu_stages
from gpu_setting import Setting
from gpu_stages import Measured, Stage
from gpu_table import Row, State

from yue2_desktop.engine.cuda.verdicts import Verdict
from yue2_desktop.engine.failures import problem_of
from yue2_desktop.engine.quant.fp8 import FP8_CAPABILITY
from yue2_desktop.engine.residency import NarResidency
from yue2_desktop.plan.sizes import gib
from yue2_desktop.song.errors import Problem, ProblemKind

#: How far a peak may be from the prediction: 5 % (memory-and-speed, section 6), and what cuBLAS keeps for itself.
_RELATIVE, _ABSOLUTE = 0.05, 64 << 20
_FAILURES = (Problem, RuntimeError, MemoryError)


def probe_rows(setting: Setting) -> Iterator[Row]:
    """One row a path."""
    for name, ask in setting.probes.items():
        try:
            yield probe_row(name, ask())
        except _FAILURES as error:
            yield _failed(name, "agrees with the plain path", error)


def probe_row(name: str, verdict: Verdict) -> Row:
    """A path that cannot run here is not used; one that ran and gave wrong results is a fault."""
    wrong = not verdict.ok and verdict.error is not None and verdict.speed is None
    state = State.OK if verdict.ok else State.OFF if wrong else State.NOT_USED
    return Row(name, "agrees with the plain path", verdict.reason, state)


def stage_rows(setting: Setting, limit: int | None) -> Iterator[Row]:
    """One row a stage; `limit` is what the allocator may hold, None without a cap."""
    bench, capability = setting.bench, setting.capability
    formats = ["bf16", "fp8", "q8_0", "q4_0"]
    if capability is not None and capability < FP8_CAPABILITY:
        formats.remove("fp8")
    stages: tuple[Callable[[], Stage], ...] = (
        partial(gpu_stages.score, bench),
        *(partial(gpu_stages.semantic, bench, weights) for weights in formats),
        *(partial(gpu_stages.acoustic, bench, residency) for residency in NarResidency),
        partial(gpu_stages.decode, bench),
    )
    for make in stages:
        stage = make()
        expected = f"peak {gib(stage.predicted.live_bytes)}"
        if limit is not None and stage.predicted.live_bytes > limit:
            yield Row(stage.name, expected, f"does not fit {gib(limit)}", State.SKIPPED)
            continue
        try:
            yield stage_row(stage, gpu_stages.measure(stage, bench.gauge))
        except _FAILURES as error:
            yield _failed(stage.name, expected, error)


def stage_row(stage: Stage, measured: Measured) -> Row:
    """The peak against the prediction, what was left behind, and the times."""
    predicted = stage.predicted.live_bytes
    parts, state = [], State.OK
    if measured.peak is not None and measured.left is not None:
        parts.append(f"peak {gib(measured.peak)} ({measured.peak / predicted - 1:+.1%})")
        # A library's workspace is counted on a card, and is what the prediction calls unmetered.
        highest = (predicted + stage.predicted.unmetered) * (1 + _RELATIVE) + _ABSOLUTE
        if not predicted * (1 - _RELATIVE) - _ABSOLUTE <= measured.peak <= highest:
            state = State.OFF
        if measured.left > _ABSOLUTE:
            parts.append(f"{gib(measured.left)} left behind")
            state = State.OFF
    parts += [f"{name} {rate:.1f} tokens/s" for name, rate in measured.rates.items()]
    parts.append(f"{measured.seconds:.1f} s")
    return Row(stage.name, f"peak {gib(predicted)}", ", ".join(parts), state)


def _failed(what: str, expected: str, error: BaseException) -> Row:
    problem = problem_of(error)
    if problem is not None and problem.kind is ProblemKind.UNSUPPORTED:
        return Row(what, expected, problem.sentence, State.NOT_USED)
    words = problem.sentence if problem is not None else next(iter(str(error).splitlines()), type(error).__name__)
    return Row(what, expected, words, State.FAILED)
