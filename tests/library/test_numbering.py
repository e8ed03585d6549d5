"""How far takes are counted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from yue2_desktop.library.numbering import highest_numbers
from yue2_desktop.library.take_summary import TakeState, TakeSummary
from yue2_desktop.song.belonging import SongOfTake


def take(song: SongOfTake | None) -> TakeSummary:
    return TakeSummary(Path("x"), "x", datetime(2026, 9, 14, tzinfo=UTC), TakeState.FINISHED, song=song)


def test_the_highest_number_of_each_song() -> None:
    """Scores have no number, and takes of the command line no song."""
    takes = [
        take(SongOfTake("rain", "Дождь", 2)),
        take(SongOfTake("rain", "Дождь", 11)),
        take(SongOfTake("rain", "Дождь", 3)),
        take(SongOfTake("sea", "Sea", 1)),
        take(SongOfTake("alone", "Alone")),
        take(None),
    ]
    assert highest_numbers(takes) == {"rain": 11, "sea": 1}
    assert highest_numbers([]) == {}
