"""Bars as they stand on a staff: signs, ties, tuplets, keys."""

from __future__ import annotations

import random

import pytest

from tests.score.samples import bare, random_score, song
from yue2_desktop.score.elements import VOICES, KeyChange, Note, Voice
from yue2_desktop.score.notation.written import WrittenBar, ties_in, written_voice
from yue2_desktop.score.parser import parse
from yue2_desktop.score.pitch import LETTERS


def vocal(text: str) -> dict[int, WrittenBar]:
    return written_voice(parse(text).score, Voice.VOCAL)


def signs(text: str, bar: int = 0) -> list[int | None]:
    """Return the written signs of a bar's notes in order."""
    return [mark.sign for mark in vocal(text)[bar].marks if isinstance(mark.event, Note)]


@pytest.mark.parametrize(
    ("music", "expected"),
    [
        ("^F4F4=F4F4|", [1, None, 0, None]),
        # In the text a sign holds in all octaves; on the staff each line has its own.
        ("^F4f4F4f4|", [1, 1, None, None]),
        # A courtesy: the same letter was altered otherwise in another octave.
        ("^F4=f4F4z4|", [1, 0, 0]),
        ("_B4B4b8|", [-1, None, -1]),
        ("^^F4__B4^F4z4|", [2, -2, 1]),
    ],
)
def test_signs_follow_the_rules_of_the_staff(music: str, expected: list[int | None]) -> None:
    assert signs(bare(music)) == expected


def test_the_key_needs_no_signs_and_what_leaves_it_does() -> None:
    assert signs(bare("F4^F4G4=F4|", key="G")) == [None, None, None, 0]


def test_a_tie_over_the_bar_line_needs_no_sign_and_what_follows_gets_a_courtesy() -> None:
    written = vocal(bare("^F16-|F8F8|", "Z2|"))
    second = [mark for mark in written[1].marks if isinstance(mark.event, Note)]
    assert [mark.sign for mark in second] == [None, 0]
    assert [mark.tied_back for mark in second] == [True, False]
    assert isinstance(second[1].event, Note)
    assert second[1].event.alter == 0


def test_a_note_after_a_tied_one_needs_its_sign_again() -> None:
    assert signs(bare("^F16-|F8^F8|", "Z2|"), 1) == [None, 1]


def test_a_key_inside_the_bar_is_drawn_at_its_place_and_clears_the_signs() -> None:
    marks = vocal(bare("^c8[K:D]c8|", "z8[K:D]z8|"))[0].marks
    assert [isinstance(mark.event, KeyChange) for mark in marks] == [False, True, False]
    assert marks[2].sign is None


def test_a_key_inside_a_tuplet_is_drawn_behind_it_and_the_notes_keep_their_pitch() -> None:
    marks = vocal(bare("(3f4[K:G]f4f4z8|"))[0].marks
    assert [isinstance(mark.event, KeyChange) for mark in marks] == [False, False, False, True, False]
    assert [mark.sign for mark in marks[:3]] == [None, 1, None]


def test_a_single_rest_that_fills_the_bar_is_a_whole_rest_with_or_without_a_chord() -> None:
    written = vocal(song('Z|"G"z16|z8z8|G8z8|', "Z4|"))
    assert [written[at].whole_rest for at in (4, 5, 6, 7)] == [True, True, False, False]


def test_a_dangling_tie_joins_nothing() -> None:
    written = vocal(bare("G8-z8|A16|", "Z2|"))
    assert ties_in(written) == {}


def test_changes_of_meter_and_key_are_written_where_they_begin() -> None:
    written = vocal(song("G8|", "Z|", fields="M:2/4\nK:D\n"))
    assert written[3].meter is None
    assert written[4].meter is not None
    assert written[4].meter.text == "2/4"
    assert written[4].key is not None
    assert written[4].key.name == "D"


@pytest.mark.parametrize("seed", range(40))
def test_what_is_written_reads_as_what_sounds(seed: int) -> None:
    """Reads the marks back by the rules of engraving alone and compares every pitch."""
    score = parse(random_score(random.Random(seed))).score
    for voice in VOICES:
        key = dict(score.header.key.alters)
        for bar in written_voice(score, voice).values():
            if bar.key is not None:
                key = dict(bar.key.alters)
            on_line: dict[tuple[str, int], int] = {}
            tied: dict[tuple[str, int], int] = {}
            for mark in bar.marks:
                if isinstance(mark.event, KeyChange):
                    key, on_line = dict(mark.event.key.alters), {}
                    continue
                if not isinstance(mark.event, Note):
                    continue
                place = (mark.event.letter, mark.event.octave)
                if mark.tied_back:
                    read = tied.get(place, mark.event.alter)
                elif mark.sign is not None:
                    read = on_line[place] = mark.sign
                else:
                    read = on_line.get(place, key[mark.event.letter])
                assert read == mark.event.alter
                tied[place] = read
        assert set(key) == set(LETTERS)
