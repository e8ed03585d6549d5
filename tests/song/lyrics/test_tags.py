"""Tags right and wrong, in all the ways that people write them (user-reports.md, row 76)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.song.lyrics.fixes import fixed, fixed_everywhere
from yue2_desktop.song.lyrics.outline import LineKind, read_lyrics
from yue2_desktop.song.lyrics.sung import sung_text
from yue2_desktop.song.lyrics.tags import TagFault, tag_of

#: What is written, the section that it means, whether the model loses it, and what to write instead.
MATRIX = [
    ("[Verse]", "Verse", None, None),
    ("[verse]", "Verse", TagFault.LETTERS, "[Verse]"),
    ("[VERSE 1]", "Verse 1", TagFault.LETTERS, "[Verse 1]"),
    ("［Verse］", "Verse", TagFault.BRACKETS, "[Verse]"),
    ("【副歌】", "Chorus", TagFault.BRACKETS, "[Chorus]"),
    ("(Chorus)", "Chorus", TagFault.BRACKETS, "[Chorus]"),
    ("（副歌）", "Chorus", TagFault.BRACKETS, "[Chorus]"),
    ("{hook}", "Hook", TagFault.BRACKETS, "[Hook]"),
    ("<Bridge>", "Bridge", TagFault.BRACKETS, "[Bridge]"),
    ("「サビ」", "Chorus", TagFault.BRACKETS, "[Chorus]"),
    ("[[Outro]]", "Outro", TagFault.BRACKETS, "[Outro]"),
    ("Chorus:", "Chorus", TagFault.COLON, "[Chorus]"),
    ("verse 2:", "Verse 2", TagFault.COLON, "[Verse 2]"),
    ("副歌：", "Chorus", TagFault.COLON, "[Chorus]"),
    ("Verse 1 (soft voice):", "Verse 1", TagFault.COLON, "[Verse 1: soft voice]"),
    ("(Chorus):", "Chorus", TagFault.BRACKETS, "[Chorus]"),
    ("## Verse 2", "Verse 2", TagFault.ORNAMENT, "[Verse 2]"),
    ("**Chorus:**", "Chorus", TagFault.ORNAMENT, "[Chorus]"),
    ("--- Bridge ---", "Bridge", TagFault.ORNAMENT, "[Bridge]"),
    ("# chorus", "Chorus", TagFault.ORNAMENT, "[Chorus]"),
    ("[Verse", "Verse", TagFault.UNCLOSED, "[Verse]"),
    ("Verse 1)", "Verse 1", TagFault.UNCLOSED, "[Verse 1]"),
    ("Chorus", "Chorus", TagFault.BARE, "[Chorus]"),
    ("VERSE TWO", "Verse 2", TagFault.BARE, "[Verse 2]"),
    ("1절", "Verse 1", TagFault.BARE, "[Verse 1]"),
    ("[副歌]", "Chorus", TagFault.OTHER_NAME, "[Chorus]"),
    ("[Припев]", "Chorus", TagFault.OTHER_NAME, "[Chorus]"),
    ("[2. Strophe]", "Verse 2", TagFault.OTHER_NAME, "[Verse 2]"),
    ("[ Verse ]", "Verse", TagFault.SPACES, "[Verse]"),
    ("[Verse] Walking home", "Verse", TagFault.SAME_LINE, "[Verse]\n"),
    ("(Chorus) la la", "Chorus", TagFault.BRACKETS, "[Chorus]\n"),
    ("Chorus: la la", "Chorus", TagFault.COLON, "[Chorus]\n"),
    ("[/Verse]", "/Verse", TagFault.CLOSING, ""),
    ("[Guitar Solo]", "Guitar Solo", None, None),
    ("[Final Chorus]", "Final Chorus", None, None),
    ("[Chorus x2]", "Chorus", None, None),
    ("[Verse: female voice]", "Verse", None, None),
    ("[Whistling, far away]", "Whistling, far away", None, None),
]

WORDS = [
    "(ooh)", "(break) my heart", "Break: the news", "[whispered] come home", "Bridge over the river", "London Bridge",
    "I love the chorus:", "Solo", "Hook", "- Solo", "coro", "Verse, chorus, verse", "[]", "()", "#1 in the charts",
    "Last night: two of us", "「愛してる」", "most", "My verse", "(the)", "{", "[", ":", "…",
]  # fmt: skip

EDGES = ["{}", "\ufeff{}", "{}\u200b", "\t{}\t", "  {} ", "\u3000{}", "\u2060\ufeff{}\u200b "]


@pytest.mark.parametrize(("line", "label", "fault", "fix"), MATRIX, ids=[row[0] for row in MATRIX])
def test_row_76_each_way_of_writing(line: str, label: str, fault: TagFault | None, fix: str | None) -> None:
    tag = tag_of(line)
    assert tag is not None
    assert (tag.label, tag.fault, tag.fix) == (label, fault, fix)
    assert bool(tag.sentence) == (fault is not None)


@pytest.mark.parametrize("line", WORDS)
def test_words_are_no_tags(line: str) -> None:
    assert tag_of(line) is None


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", ""])
def test_row_76_line_ends_and_hidden_characters_change_nothing(edge: str, end: str) -> None:
    lines = ["[Verse]", "we walk", "(Chorus)", "we run"]
    text = end.join(edge.format(line) for line in lines) if end else edge.format(lines[0])
    outline = read_lyrics(text)
    labels = [section.label for section in outline.sections]
    assert labels == (["Verse", "Chorus"] if end else ["Verse"])
    assert [problem.replacement for problem in outline.problems] == (["[Chorus]"] if end else [])
    assert sung_text(text).split("\n")[0] == "[Verse]"
    assert "\r" not in sung_text(text)


def test_a_problem_is_mended_in_its_place() -> None:
    text = "[Verse]\r\nwe walk\r\nChorus: we run\r\n"
    (problem,) = read_lyrics(text).problems
    assert text[problem.start : problem.end] == "Chorus: "
    assert problem.loses_section
    assert fixed(text, problem) == "[Verse]\r\nwe walk\r\n[Chorus]\nwe run\r\n"


def test_tags_in_the_midst_of_words_are_parted_too() -> None:
    text = "[Verse] a b [Chorus] c d [Verse 2] e (ooh)\nno [Bridge]"
    assert fixed_everywhere(text) == "[Verse]\na b\n[Chorus]\nc d\n[Verse 2]\ne (ooh)\nno\n[Bridge]"


def test_unusual_tags_are_mended_only_when_asked() -> None:
    text = "[verse]\na\n(chorus)\nb\n"
    assert fixed_everywhere(text) == "[verse]\na\n[Chorus]\nb\n"
    assert fixed_everywhere(text, unusual_too=True) == "[Verse]\na\n[Chorus]\nb\n"


PIECES = st.sampled_from([*(row[0] for row in MATRIX), *WORDS, "a b", "# remark", " ", "\t", "\n", "\r\n", "\ufeff"])


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=200))
def test_any_text_is_read_and_mended_for_good(text: str) -> None:
    outline = read_lyrics(text)
    for line, whole in zip(outline.lines, text.splitlines(), strict=True):
        assert text[line.start : line.end] == whole
    mended = fixed_everywhere(text, unusual_too=True)
    assert not read_lyrics(mended).problems
    assert fixed_everywhere(mended, unusual_too=True) == mended
    assert sung_text(sung_text(text)) == sung_text(text)


@given(st.text(alphabet="ab []()#:：\n\r\t\u200b", max_size=120))
def test_spans_of_problems_do_not_overlap(text: str) -> None:
    problems = sorted(read_lyrics(text).problems, key=lambda one: one.start)
    for one, following in pairwise(problems):
        assert one.end <= following.start


def test_a_long_line_is_read_quickly_and_is_words() -> None:
    text = "(" + "a " * 10_000 + ":"
    (line,) = read_lyrics(text).lines
    assert line.kind is LineKind.WORDS
