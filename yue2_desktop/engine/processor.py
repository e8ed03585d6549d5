"""Another way of the same work on this processor: whether it is the faster one is timed once on a machine, and kept."""

from __future__ import annotations

import logging
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch

from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore, machine_key, verdict_file, verdict_name

_log = logging.getLogger(__name__)
#: Heads narrower than this are those of toy models, for which the time of either way is that of the calls.
LEAST_HEAD: Final = 64
#: Another way is not bit-equal to the reference's: what it gains must be more than what a timing errs by.
_WORTHWHILE: Final = 1.1


@dataclass(frozen=True)
class Timing:
    """Milliseconds of the same work: another way, and the reference's."""

    other: float
    reference: float


def timed_in_turns(
    other: Callable[[], object], reference: Callable[[], object], *, rounds: int, patience_s: float
) -> Timing:
    """The best of `rounds` of each, in turns, after one that warms up; none is begun after `patience_s` seconds.

    The best counts: with another program on the same cores a round may take fifty times as long.
    """
    end = time.perf_counter() + patience_s
    pairs = [(_milliseconds(other), _milliseconds(reference)) for _ in range(2)][1:]
    while len(pairs) < rounds and time.perf_counter() < end:
        pairs.append((_milliseconds(other), _milliseconds(reference)))
    return Timing(min(pair[0] for pair in pairs), min(pair[1] for pair in pairs))


def is_faster(path: str, dtype: torch.dtype, measure: Callable[[], Timing], store: VerdictStore | None = None) -> bool:
    """Whether `path` is worth taking in the place of the reference's way for numbers of `dtype`.

    The verdict is kept for each machine and torch build, so that equal seeds give equal songs from one start of the
    program to the next; `measure` is asked where there is none. `store` stands in for the machine's own.
    """
    store = store or _verdicts()
    name = verdict_name(path, str(dtype).removeprefix("torch."))
    verdict = store.get(name)
    if verdict is None:
        times = measure()
        speed = times.reference / times.other
        reason = f"it takes {times.other:.1f} ms, the reference's way {times.reference:.1f} ms"
        verdict = Verdict(speed >= _WORTHWHILE, reason, speed=speed)
        store.put(name, verdict)
        _log.info("%s %s: %s", name, "accepted" if verdict.ok else "not used", reason)
    return verdict.ok


def _verdicts() -> VerdictStore:
    """The verdicts of this processor and torch build, kept beside those of cards."""
    processor = f"{platform.machine()} {torch.backends.cpu.get_cpu_capability()} {os.cpu_count()} cores"
    return VerdictStore(verdict_file(), machine_key(processor, None, torch.__version__, None))


def _milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - start)
