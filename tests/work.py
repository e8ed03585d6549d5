"""Work as a number of calls: what a text costs, the same on every machine, however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")


def calls_of(work: Callable[[], Result]) -> tuple[Result, int]:
    """What `work` gives, and how many calls it made, of Python's functions and of those in C alike.

    A loop inside of one call into C counts once; see who calls this for what bounds those.
    """
    made = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal made
        if event in {"call", "c_call"}:
            made += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return work(), made
    finally:
        sys.setprofile(before)
