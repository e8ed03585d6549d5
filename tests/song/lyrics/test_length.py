"""A ceiling from the words: user-reports.md, rows 80, 81 and 82."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yue2_desktop.song.lyrics.length import (
    LONGEST_SECONDS,
    SHORTEST_SECONDS,
    ceiling_notice,
    length_notices,
    length_of,
)

VERSE = "[Verse]\nWalking down the empty street at night\nEvery window holds a little light\n"


def test_row_81_few_lines_get_a_low_ceiling() -> None:
    few, many = length_of(VERSE), length_of(VERSE * 12)
    assert few.ceiling_frames < 90 * 25
    assert few.ceiling_frames < many.ceiling_frames <= LONGEST_SECONDS * 25
    (notice,) = length_notices("pop", VERSE)
    assert notice.startswith(f"These words fill up to about {few.ceiling_frames // 25} s")


def test_the_ceiling_leaves_room_for_what_is_expected() -> None:
    length = length_of(VERSE * 4)
    assert length.low_seconds <= length.high_seconds <= length.ceiling_frames / 25
    assert length.expected_frames <= length.ceiling_frames
    assert length.ceiling_frames % (5 * 25) == 0


def test_sections_without_words_count_too() -> None:
    assert length_of(VERSE + "[Solo]\n[Outro]\n").ceiling_frames > length_of(VERSE).ceiling_frames


@pytest.mark.parametrize("lyrics", ["", "  \n", "[Instrumental]", "[Intro]\n[Solo]\n[Outro]"])
def test_row_80_without_words_it_may_still_sing(lyrics: str) -> None:
    assert length_of(lyrics).instrumental
    notices = length_notices("Piano, female vocals, slow", lyrics)
    assert "Asked for without words, the model may still sing." in notices
    assert any('speaks of "vocals"' in notice or 'speaks of "female"' in notice for notice in notices)
    assert any("lyrics are empty" in notice for notice in notices) == (not lyrics.strip())


def test_row_80_a_style_without_a_voice_is_not_blamed() -> None:
    assert length_notices("Piano, strings, slow", "[Instrumental]") == (
        "Asked for without words, the model may still sing.",
    )


def test_row_82_another_ceiling_is_another_take() -> None:
    assert ceiling_notice(3_000, 3_000) is None
    assert ceiling_notice(3_000, 4_500) == (
        "The ceiling changed from 120 to 180 s: this will be a different take, even with the same seed."
    )


@settings(deadline=None)
@given(st.text(max_size=400))
def test_any_words_give_a_length(lyrics: str) -> None:
    length = length_of(lyrics)
    assert SHORTEST_SECONDS * 25 <= length.ceiling_frames <= LONGEST_SECONDS * 25
    assert 0 <= length.low_seconds <= length.high_seconds
    assert length_notices(lyrics, lyrics)
