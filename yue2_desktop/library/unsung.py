"""Which sections a take that met its ceiling did not sing (user-reports.md, row 75)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: A section of which less than this is left out counts as sung: an ending fades, and singing runs ahead of its score.
TOLERANCE_S = 2.0


@dataclass(frozen=True)
class SectionTime:
    """A section as it is labelled, with its start and end in seconds of the song by its score."""

    label: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Unsung:
    """What a song leaves out.

    `cut` is the label of the section in which it stops, None where it stops between two; `missing` are the labels of
    those that follow.
    """

    cut: str | None
    missing: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What to say beside the badge."""
        ends = f"The song stops in {self.cut}" if self.cut is not None else "The song stops early"
        rest = f"; not sung: {', '.join(self.missing)}" if self.missing else ""
        return f"{ends}{rest}. Allow a longer song, or shorten the words."


def unsung(sections: Sequence[SectionTime], sung_s: float) -> Unsung | None:
    """What of `sections`, in order, lies behind `sung_s` seconds; None where the song sings all of it.

    The times are those of the score, which the singing follows closely but not exactly.
    """
    missing = tuple(section.label for section in sections if section.start_s >= sung_s - TOLERANCE_S)
    cut = next(
        (one.label for one in sections if one.start_s < sung_s - TOLERANCE_S and one.end_s > sung_s + TOLERANCE_S), None
    )
    return Unsung(cut, missing) if cut is not None or missing else None
