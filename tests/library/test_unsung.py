"""Sections behind the place where a song was cut."""

from __future__ import annotations

import pytest

from yue2_desktop.library.unsung import SectionTime, Unsung, unsung

SONG = (SectionTime("Verse", 0, 40), SectionTime("Chorus", 40, 70), SectionTime("Verse 2", 70, 110))


@pytest.mark.parametrize(
    ("sung_s", "found"),
    [
        (20, Unsung("Verse", ("Chorus", "Verse 2"))),
        (41, Unsung(None, ("Chorus", "Verse 2"))),
        (55, Unsung("Chorus", ("Verse 2",))),
        (69, Unsung(None, ("Verse 2",))),
        (90, Unsung("Verse 2", ())),
        (109, None),
        (300, None),
    ],
)
def test_what_is_not_sung(sung_s: float, found: Unsung | None) -> None:
    assert unsung(SONG, sung_s) == found


def test_in_words() -> None:
    assert Unsung("Chorus", ("Verse 2", "End")).sentence == (
        "The song stops in Chorus; not sung: Verse 2, End. Allow a longer song, or shorten the words."
    )
    assert Unsung(None, ("End",)).sentence.startswith("The song stops early; not sung: End.")


def test_a_song_without_sections() -> None:
    assert unsung((), 10) is None
