"""Bars and sections inserted, deleted, doubled, and a group's meter: both voices stay together, bars stay full."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.samples import GOOD, MALFORMED, attempt, bare, header, scores, song
from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.editing.structure import (
    delete_bars,
    delete_section,
    duplicate_bars,
    duplicate_section,
    insert_bars,
    insert_section,
    set_meter,
)
from yue2_desktop.score.elements import VOICES, Bar, Meter, Voice
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.song.errors import Problem


def after(parsed: Parsed, edit: Edit) -> Parsed:
    """Return the edited score; an edit of a canonical score must give a canonical score, and be undone exactly."""
    text = edit.apply(parsed.text)
    assert edit.inverse(parsed.text).apply(text) == parsed.text
    edited = parse(text)
    assert edited.diagnostics == (), text
    return edited


def content(bar: Bar) -> tuple[object, ...]:
    """Return what a bar sounds, without what ties join it to, and where it stands."""
    return (bar.meter, bar.key, tuple((note.offset, note.length, note.pitch) for note in bar.notes))


def contents(parsed: Parsed, voice: Voice) -> list[tuple[object, ...]]:
    return [content(bar) for bar in parsed.score.bars(voice)]


def ranges(parsed: Parsed, data: st.DataObject) -> tuple[int, int]:
    count = parsed.score.bar_count
    first = data.draw(st.integers(0, count - 1))
    return first, data.draw(st.integers(first + 1, count))


PROFILE = settings(max_examples=60, deadline=None, derandomize=True)


@PROFILE
@given(text=scores(), data=st.data())
def test_deleted_bars_are_gone_and_the_others_stay(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    first, last = ranges(parsed, data)
    if last - first == parsed.score.bar_count:
        with pytest.raises(Problem, match="needs at least one bar"):
            delete_bars(parsed, first, last)
        return
    edited = after(parsed, delete_bars(parsed, first, last))
    for voice in VOICES:
        old = contents(parsed, voice)
        assert contents(edited, voice) == old[:first] + old[last:]


@PROFILE
@given(text=scores(), data=st.data())
def test_doubled_bars_follow_themselves(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    first, last = ranges(parsed, data)
    edited = after(parsed, duplicate_bars(parsed, first, last))
    for voice in VOICES:
        old = contents(parsed, voice)
        assert contents(edited, voice) == old[:last] + old[first:]
    assert [one.label for one in edited.score.sections] == [one.label for one in parsed.score.sections]


@PROFILE
@given(text=scores(), data=st.data())
def test_inserted_bars_are_silent_and_the_others_stay(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    place = data.draw(st.integers(-1, parsed.score.bar_count - 1))
    count = data.draw(st.integers(1, 6))
    edited = after(parsed, insert_bars(parsed, None if place < 0 else place, count))
    for voice in VOICES:
        old, new = contents(parsed, voice), contents(edited, voice)
        assert new[: place + 1] + new[place + 1 + count :] == old
        assert all(bar.is_full_rest for bar in edited.score.bars(voice)[place + 1 : place + 1 + count])


@PROFILE
@given(text=scores(), data=st.data())
def test_sections_are_inserted_doubled_and_deleted(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    labels = [one.label for one in parsed.score.sections]
    at = data.draw(st.integers(0, len(labels)))
    more = after(parsed, insert_section(parsed, at, "bridge", data.draw(st.integers(1, 9))))
    assert [one.label for one in more.score.sections] == [*labels[:at], "bridge", *labels[at:]]
    less = after(more, delete_section(more, at))
    assert less.text == parsed.text or "-|" in parsed.text, "only a tie that was cut does not come back"
    which = data.draw(st.integers(0, len(labels) - 1))
    double = after(parsed, duplicate_section(parsed, which))
    assert [one.label for one in double.score.sections] == [*labels[: which + 1], *labels[which:]]
    for voice in VOICES:
        section = parsed.score.sections[which]
        old = contents(parsed, voice)
        assert contents(double, voice) == old[: section.last_bar] + old[section.first_bar :]


@PROFILE
@given(text=scores(), data=st.data())
def test_a_groups_meter_is_set_or_refused(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    group = data.draw(st.sampled_from(parsed.score.groups))
    meter = Meter(*data.draw(st.sampled_from([(4, 4), (5, 4), (7, 4), (3, 4), (6, 8), (2, 4)])))
    edit = attempt(lambda: set_meter(parsed, group.index, meter))
    if isinstance(edit, str):
        assert "has no room for" in edit or "no whole number" in edit or "tuplets" in edit
        return
    edited = after(parsed, edit)
    for voice in VOICES:
        for old, new in zip(parsed.score.bars(voice), edited.score.bars(voice), strict=True):
            assert new.meter == (meter if old.group == group.index else old.meter)
            assert content(new)[2] == content(old)[2]


def music(text: str) -> str:
    return text.removeprefix(header())


def test_deleting_within_a_section_joins_its_groups_again() -> None:
    parsed = parse(song("d16|e16|", "Z2|"))
    assert music(delete_bars(parsed, 1, 2).apply(parsed.text)) == (
        "% verse\nV: Vocal\nc16|c16|c16|\nV: Ins\nZ3|\n% chorus\nV: Vocal\nd16|e16|\nV: Ins\nZ2|\n"
    )


def test_a_label_stays_with_the_rest_of_its_section() -> None:
    parsed = parse(song("d16|e16|", "Z2|"))
    text = delete_bars(parsed, 3, 5).apply(parsed.text)
    assert music(text) == "% verse\nV: Vocal\nc16|c16|c16|\nV: Ins\nZ3|\n% chorus\nV: Vocal\ne16|\nV: Ins\nZ|\n"


def test_what_follows_keeps_its_meter_and_key_when_the_change_is_deleted() -> None:
    parsed = parse(GOOD["05_full_changes"])
    edited = after(parsed, delete_bars(parsed, 5, 6))
    bar = edited.score.vocal_bars[5]
    assert (bar.meter.text, bar.key.name) == ("4/4", "F")
    assert edited.text.split("% chorus\n")[1].startswith("V: Vocal\nM:4/4\nK:F\n")


def test_the_header_follows_a_new_first_bar() -> None:
    parsed = parse(GOOD["05_full_changes"])
    edited = after(parsed, delete_section(parsed, 0))
    assert edited.score.header.key.name == "F"
    assert edited.text.count("K:F") == 1


def test_ties_into_deleted_bars_are_cut_and_accidentals_written_where_a_tie_gave_them() -> None:
    parsed = parse(bare("c8^f8-|f8-f8|d16|", "Z3|"))
    edited = delete_bars(parsed, 0, 1).apply(parsed.text)
    assert edited.split("V: Vocal\n")[1].split("\n")[0] == "^f8-f8|d16|"
    edited = delete_bars(parsed, 1, 2).apply(parsed.text)
    assert edited.split("V: Vocal\n")[1].split("\n")[0] == "c8^f8|d16|"


def test_untouched_lines_stay_as_they_are_even_with_faults() -> None:
    text = MALFORMED["26_bad_unicode"]
    parsed = parse(text)
    edited = delete_section(parsed, 4).apply(text)
    assert edited == text.split("% outro")[0]


def test_a_group_whose_text_would_be_lost_is_not_written_again() -> None:
    parsed = parse(MALFORMED["26_bad_unicode"])
    with pytest.raises(Problem, match=r"Line 16: '♯' is not understood here. Repair this first."):
        delete_bars(parsed, 3, 4)


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (lambda p: insert_bars(p, 99, 1), "bar 100 cannot be chosen"),
        (lambda p: insert_bars(p, 0, 0), "give 1 to 256"),
        (lambda p: delete_bars(p, 3, 3), "cannot be chosen"),
        (lambda p: delete_section(p, 7), "section 8 does not exist"),
        (lambda p: insert_section(p, 9, "verse"), "section 10 does not exist"),
        (lambda p: insert_section(p, 0, " \n "), "one line of 1 to 80 characters"),
        (lambda p: insert_section(p, 0, "two\nlines"), "one line of 1 to 80 characters"),
        (lambda p: set_meter(p, 9, Meter(4, 4)), "group 10 does not exist"),
        (lambda p: set_meter(p, 0, Meter(4, 5)), "cannot be used"),
        (lambda p: set_meter(p, 0, Meter(3, 32)), "no whole number of the score's units"),
        (lambda p: set_meter(p, 0, Meter(2, 4)), "Bar 1 of Vocal has music that 2/4 has no room for."),
    ],
)
def test_senseless_wishes_are_refused_with_the_reason(wish: Callable[[Parsed], Edit], why: str) -> None:
    with pytest.raises(Problem, match=why):
        wish(parse(song()))


def test_a_score_without_bars_cannot_be_edited() -> None:
    with pytest.raises(Problem, match="no bars that could be edited"):
        insert_bars(parse(""), None, 1)
