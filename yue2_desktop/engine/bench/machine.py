"""What the machine gives: read bandwidth, time of a call, and this process's memory."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import torch

_BUFFER = 1 << 29


def read_bandwidth(repeats: int = 5) -> float:
    """Bytes a second that torch's threads read from memory: the best of some sums over 512 MiB."""
    data = torch.ones(_BUFFER // 4, dtype=torch.float32)
    return _BUFFER / min(seconds(data.sum) for _ in range(repeats + 1))


def seconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def typical_seconds(call: Callable[[], object], repeats: int) -> float:
    """The median of some calls, after one that warms up."""
    call()
    return statistics.median(seconds(call) for _ in range(repeats))


def interleaved_seconds(first: Callable[[], object], second: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Medians of two calls taken turn by turn, so that a machine that changes its pace changes it for both."""
    first()
    second()
    pairs = [(seconds(first), seconds(second)) for _ in range(repeats)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def resident_bytes() -> int:
    """The process's memory in RAM now."""
    return int(psutil.Process().memory_info().rss)


def peak_resident_bytes() -> int:
    """The most memory in RAM that the process ever had."""
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # What getrusage tells on Linux begins with the most that the process had which started this one.
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
