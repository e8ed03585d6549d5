"""What only the Windows API tells: the commit limit and AVX2; on other systems both are unknown."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

#: PF_AVX2_INSTRUCTIONS_AVAILABLE of IsProcessorFeaturePresent.
_AVX2: Final = 40


class MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX: what the API calls page file is the commit limit, and what is left of it."""

    _fields_ = [
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total_ram", ctypes.c_uint64),
        ("free_ram", ctypes.c_uint64),
        ("total_commit", ctypes.c_uint64),
        ("free_commit", ctypes.c_uint64),
        ("total_virtual", ctypes.c_uint64),
        ("free_virtual", ctypes.c_uint64),
        ("extended", ctypes.c_uint64),
    ]


def free_commit() -> int | None:
    """Bytes that may still be promised to processes; None if the API refuses or this is not Windows."""
    if sys.platform == "win32":
        status = MemoryStatus()
        status.length = ctypes.sizeof(MemoryStatus)
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return int(status.free_commit)
    return None


def has_avx2() -> bool | None:
    """Whether processor and system offer AVX2; None if this is not Windows."""
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(_AVX2))
    return None
