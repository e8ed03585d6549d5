"""Whose take a take is."""

from __future__ import annotations

import pytest

from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem


def test_as_json() -> None:
    assert SongOfTake("a1", "Дождь ☃", 3).to_json() == {"id": "a1", "title": "Дождь ☃", "take": 3}


def test_a_score_alone_has_no_number() -> None:
    assert SongOfTake("a1", "Дождь ☃").to_json() == {"id": "a1", "title": "Дождь ☃"}


def test_a_title_may_be_empty_but_must_be_whole() -> None:
    assert SongOfTake("a1", "", 1).title == ""
    with pytest.raises(Problem, match="title holds half of a character"):
        SongOfTake("a1", "\ud83e", 1)


@pytest.mark.parametrize(("song", "take"), [("", 1), ("a1", 0)])
def test_what_no_song_is(song: str, take: int) -> None:
    with pytest.raises(ValueError, match="a song and a number from 1"):
        SongOfTake(song, "x", take)
