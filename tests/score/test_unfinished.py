"""Unfinished scores: those that stop inside a group are told from those that are merely wrong."""

from __future__ import annotations

import pytest

from tests.score.samples import GOOD, MALFORMED, header, song
from yue2_desktop.score.parser import parse
from yue2_desktop.score.rules import Code


def test_a_cut_score_gives_one_sentence_that_names_bar_and_group() -> None:
    for name, bar in (("24_bad_truncated", 13), ("25_bad_midtoken", 14)):
        (only,) = parse(MALFORMED[name]).diagnostics
        assert only.sentence == f"The score stops inside bar {bar} of Vocal; the group from line 24 is not complete."


@pytest.mark.parametrize("name", ["01_full_twinkle", "05_full_changes", "06_full_tuplets"])
def test_every_prefix_is_unfinished_unless_it_ends_a_group(name: str) -> None:
    text = GOOD[name]
    ends = {group.last_line for group in parse(text).score.groups}
    for length in range(1, len(text)):
        prefix = text[:length]
        line = prefix.count("\n") + (not prefix.endswith("\n"))
        whole = text.split("\n")[line - 1] == prefix.rstrip("\n").split("\n")[-1]
        codes = [one.code for one in parse(prefix).errors]
        if line in ends and whole:
            assert set(codes) <= {Code.TIE_END}, prefix[-20:]
        elif line == 8 and prefix.endswith("\n"):
            assert codes == [Code.NO_MUSIC]
        elif line == 11 and prefix.endswith("\n"):
            assert codes == [Code.INS_MISSING], "one whole Vocal line may as well be a score that never had an Ins"
        elif len(prefix) > 2:
            assert codes.count(Code.UNFINISHED) == 1, prefix[-20:]


def test_a_score_without_any_ins_is_wrong_and_not_unfinished() -> None:
    text = header() + "% verse\nV: Vocal\nc16|\n% chorus\nV: Vocal\nd16|\n"
    parsed = parse(text)
    assert parsed.unfinished is None
    assert [(one.code, one.line) for one in parsed.errors] == [(Code.INS_MISSING, 11), (Code.INS_MISSING, 14)]


def test_a_last_group_without_ins_after_groups_with_it_is_unfinished() -> None:
    parsed = parse(song() + "% outro\nV: Vocal\nc16|\n")
    assert parsed.unfinished is not None
    assert parsed.unfinished.group_line == 19
    assert [one.code for one in parsed.errors] == [Code.UNFINISHED]


@pytest.mark.parametrize(
    ("end", "line"),
    [("% outro\n", 19), ("V: Vocal\n", 19), ("V: Vocal\nM:2/4\n", 20), ("V: Vocal\nc16|d16|\nV: Ins\nZ|", 22)],
)
def test_the_place_is_where_the_text_stops(end: str, line: int) -> None:
    parsed = parse(song() + end)
    assert [(one.code, one.line) for one in parsed.errors] == [(Code.UNFINISHED, line)]


def test_a_short_last_bar_with_a_line_end_is_unfinished_and_an_open_full_one_is_not() -> None:
    assert parse(song(ins="c8")).unfinished is not None
    open_bar = parse(song(ins="c16"))
    assert open_bar.unfinished is None
    assert [one.code for one in open_bar.errors] == [Code.BAR_OPEN]


def test_a_cut_header_is_unfinished() -> None:
    for length in (3, 10, 20, 60, 110):
        assert [one.code for one in parse(header()[:length]).errors] == [Code.UNFINISHED]


def test_a_header_alone_has_no_music() -> None:
    assert [one.code for one in parse(header()).errors] == [Code.NO_MUSIC]
