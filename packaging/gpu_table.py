"""The rows of gpu_check.py's table, and the table as text that can go into a README as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a row ended. Only OFF and FAILED are faults; what is not used is fallen back from by the program itself."""

    OK = "ok"
    NOT_USED = "not used"
    SKIPPED = "skipped"
    OFF = "off"
    FAILED = "failed"


@dataclass(frozen=True)
class Row:
    """One line: what was looked at, what was predicted or demanded, what was found."""

    what: str
    expected: str
    found: str
    state: State


_HEADINGS = ("what", "expected", "found", "")


def table(rows: Sequence[Row]) -> str:
    """A Markdown table with aligned columns."""
    cells = [(row.what, row.expected, row.found.replace("|", "/"), str(row.state)) for row in rows]
    widths = [max(len(line[place]) for line in (_HEADINGS, *cells)) for place in range(len(_HEADINGS))]

    def line(parts: Sequence[str]) -> str:
        return "| " + " | ".join(part.ljust(width) for part, width in zip(parts, widths, strict=True)) + " |"

    ruler = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(_HEADINGS), ruler, *(line(cell) for cell in cells)])


def faults(rows: Sequence[Row]) -> int:
    """How many rows are faults."""
    return sum(row.state in {State.OFF, State.FAILED} for row in rows)
