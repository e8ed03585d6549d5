"""Memory, processor and disk of this machine; what cannot be read is None with a reason."""

from __future__ import annotations

import os
import platform as platform_module
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from yue2_desktop.plan.facts import CpuFacts
from yue2_desktop.plan.probe_windows import free_commit, has_avx2

_PROC: Final = Path("/proc")
#: /proc/sys/vm/overcommit_memory: only with 2 does the commit limit bind on Linux.
_STRICT: Final = "2"


@dataclass(frozen=True)
class Reading:
    """Total and free bytes, and the reason where they could not be read."""

    total: int | None = None
    free: int | None = None
    reason: str | None = None


def read_ram() -> Reading:
    """Main memory: in all, and available without paging."""
    try:
        memory = psutil.virtual_memory()
    except (OSError, RuntimeError, ValueError) as error:
        return Reading(reason=f"The main memory could not be read: {error}.")
    return Reading(int(memory.total), int(memory.available))


def read_disk(folder: Path) -> Reading:
    """The disk of `folder`, or of its nearest parent that exists."""
    place = folder.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        usage = shutil.disk_usage(place)
    except OSError as error:
        return Reading(reason=f"The disk of {place} could not be read: {error}.")
    return Reading(usage.total, usage.free)


def read_commit(platform: str, proc: Path = _PROC) -> int | None:
    """Bytes that may still be promised to processes; None where the system sets no such limit or hides it."""
    if platform == "windows":
        return free_commit()
    if platform != "linux":
        return None
    try:
        mode = (proc / "sys" / "vm" / "overcommit_memory").read_text(encoding="utf-8").strip()
        lines = (proc / "meminfo").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    sizes = {line.split(":", maxsplit=1)[0]: line.split()[1] for line in lines if len(line.split()) > 1}
    limit, used = sizes.get("CommitLimit"), sizes.get("Committed_AS")
    if mode != _STRICT or limit is None or used is None or not (limit + used).isdigit():
        return None
    return max(0, int(limit) - int(used)) * 1024


def read_cpu(cpuinfo: Path = _PROC / "cpuinfo") -> CpuFacts:
    """Name, usable cores and instruction sets; the latter unknown where there is no /proc/cpuinfo."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else psutil.cpu_count()
    try:
        text = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    fields = dict(_field(line) for line in text.splitlines() if ":" in line)
    name = fields.get("model name") or platform_module.processor() or None
    flags = frozenset(fields.get("flags", "").split())
    if not flags:
        return CpuFacts(name=name, cores=cores, avx2=has_avx2())
    return CpuFacts(
        name=name,
        cores=cores,
        avx2="avx2" in flags,
        avx512_bf16="avx512_bf16" in flags,
        amx="amx_bf16" in flags,
        vnni="avx512_vnni" in flags or "avx_vnni" in flags,
    )


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()
