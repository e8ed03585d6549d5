"""Memory of the process that was freed, given back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back_freed_memory() -> None:
    """Returns what was freed to the system, where the C library would keep it for itself.

    glibc keeps freed blocks of up to 32 MiB, which quantised layers are made of: without this a gigabyte of weights
    stays counted to the process while the audio is decoded. Elsewhere allocators do it by themselves.
    """
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
    if trim is not None:
        trim(0)
