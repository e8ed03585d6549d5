"""Which of torch's errors mean that memory ran out or that the card is lost, and the `Problem` that says so."""

from __future__ import annotations

import errno
import logging
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import torch

from yue2_desktop.plan.sizes import gib
from yue2_desktop.song.errors import Problem, ProblemKind

#: ERROR_COMMITMENT_LIMIT of Windows, "the paging file is too small"; safetensors gives it in words only.
PAGING_FILE_TOO_SMALL: Final = 1455
_NO_MEMORY: Final = re.compile(r"os error 12\b")
_PAGING_FILE: Final = re.compile(r"os error 1455\b|WinError 1455\b|paging file is too small", re.IGNORECASE)

#: The card has no memory left. cuBLAS that cannot make its handle (NOT_INITIALIZED) has none for its workspace.
_CARD_FULL: Final = re.compile(
    r"CUDA out of memory|CUDA (driver )?error: out of memory|cudaErrorMemoryAllocation|_STATUS_ALLOC_FAILED"
    r"|CUBLAS_STATUS_NOT_INITIALIZED"
)
#: Main memory is out: torch's CPU allocator, on Windows and on Linux.
_RAM_FULL: Final = re.compile(r"DefaultCPUAllocator: (not enough memory|can't allocate memory)")
#: The context is dead until the process ends: after a suspend, a driver's reset or a faulty kernel.
_LOST: Final = re.compile(
    r"unspecified launch failure|launch timed out and was terminated|illegal memory access|misaligned address"
    r"|illegal instruction was encountered|device-side assert triggered|hardware stack error|uncorrectable ECC error"
    r"|GPU is lost|fell off the bus|no CUDA-capable device is detected|CUDA-capable device.* busy or unavailable"
    r"|CUDA error: unknown error|driver shutting down|context is destroyed|invalid device context"
)
_WANTED: Final = re.compile(r"[Tt]ried to allocate (?P<size>[\d.]+) ?(?P<unit>bytes|KiB|MiB|GiB)?")
_UNITS: Final = {None: 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

_log = logging.getLogger(__name__)


def is_paging_file_error(error: BaseException) -> bool:
    """Whether Windows refused memory because its paging file is too small (user-reports.md, row 24)."""
    return getattr(error, "winerror", None) == PAGING_FILE_TOO_SMALL or bool(_PAGING_FILE.search(str(error)))


def is_memory_refused(error: BaseException) -> bool:
    """Whether the system had no memory for a file that was to be mapped or read, which then is not damaged."""
    refused = getattr(error, "errno", None) == errno.ENOMEM or bool(_NO_MEMORY.search(str(error)))
    return refused or is_paging_file_error(error)


def problem_of(error: BaseException) -> Problem | None:
    """The problem that an error of torch or of the system means; None for any other error, a `Problem` as it is.

    OUT_OF_MEMORY has data `where` (`card` or `main memory`) and `wanted` (bytes that were asked for last, or None);
    DEVICE_LOST means that this process can no longer compute on the card and must be started again.
    """
    if isinstance(error, Problem):
        return error
    text = str(error)
    if isinstance(error, torch.OutOfMemoryError) or (isinstance(error, RuntimeError) and _CARD_FULL.search(text)):
        return _card_full(text)
    if is_paging_file_error(error):
        return paging_file_problem(wanted_bytes(text))
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM or _RAM_FULL.search(text):
        return _ram_full(text)
    if isinstance(error, RuntimeError) and _LOST.search(text):
        return Problem(
            ProblemKind.DEVICE_LOST,
            "The graphics card stopped answering (after a suspend, a reset of its driver, or a fault in a kernel). "
            "What was finished is kept; start the render again, it goes on from there.",
            reason=_first_line(text),
        )
    return None


@contextmanager
def named_failures() -> Iterator[None]:
    """Errors of the block that `problem_of` knows leave it as that `Problem`; all others as they are.

    Before it, the variables of the calls in which the error arose are dropped, so that their tensors are free when the
    stage is tried again.
    """
    try:
        yield
    except Exception as error:
        problem = problem_of(error)
        if problem is None or problem is error:
            raise
        _log.warning("%s: %s", problem.kind, error, exc_info=error)
        traceback.clear_frames(error.__traceback__)
        raise problem from None


def wanted_bytes(text: str) -> int | None:
    """How much an allocator says it was asked for; None where it does not say."""
    found = _WANTED.search(text)
    return None if found is None else round(float(found["size"]) * _UNITS[found["unit"]])


def paging_file_problem(wanted: int | None) -> Problem:
    """Plain advice for error 1455; `wanted` are the bytes that were asked for, where they are known."""
    size = "" if wanted is None else f" of at least {gib(wanted)} more"
    return Problem(
        ProblemKind.OUT_OF_MEMORY,
        f"Windows has no memory left to promise: its paging file is too small (error {PAGING_FILE_TOO_SMALL}). "
        f"Let Windows manage the paging file's size, or set one{size} (System > About > Advanced system settings > "
        "Performance > Advanced > Virtual memory), or close other programs.",
        where="main memory",
        wanted=wanted,
    )


def _card_full(text: str) -> Problem:
    wanted = wanted_bytes(text)
    more = "" if wanted is None else f": {gib(wanted)} more were asked for"
    return Problem(
        ProblemKind.OUT_OF_MEMORY,
        f"The graphics card's memory is full{more}. What was finished is kept; close other programs that use the card, "
        "or take a plan that needs less (--nar-residency streamed, --vae-core 64, --ar-precision q8_0).",
        where="card",
        wanted=wanted,
        reason=_first_line(text),
    )


def _ram_full(text: str) -> Problem:
    wanted = wanted_bytes(text)
    more = "" if wanted is None else f": {gib(wanted)} more were asked for"
    return Problem(
        ProblemKind.OUT_OF_MEMORY,
        f"Main memory is full{more}. What was finished is kept; close other programs, or ask for less "
        "(--max-frames, --vae-core 64).",
        where="main memory",
        wanted=wanted,
        reason=_first_line(text),
    )


def _first_line(text: str) -> str:
    return next(iter(text.splitlines()), "")
