"""Lines, sections and remarks of lyrics, and what of them the model gets."""

from __future__ import annotations

import pytest

from yue2_desktop.song.lyrics.outline import LineKind, read_lyrics
from yue2_desktop.song.lyrics.section_names import NAMES, section_name
from yue2_desktop.song.lyrics.sung import sung_text

TEXT = "\nfirst words\n[Verse]\n# slower?\nwe walk (ooh)\n\n[Solo]\n\n[Chorus] all together\nla la\n"


def test_sections_run_from_tag_to_tag() -> None:
    outline = read_lyrics(TEXT)
    assert [section.label for section in outline.sections] == ["", "Verse", "Solo", "Chorus"]
    assert [section.has_words for section in outline.sections] == [True, True, False, True]
    assert "".join(TEXT[section.start : section.end] for section in outline.sections) == TEXT.lstrip("\n")
    assert [line.words for line in outline.sections[3].lines] == ["all together", "la la"]


def test_kinds_of_lines() -> None:
    kinds = [line.kind for line in read_lyrics(TEXT).lines]
    blank, words, tag, comment = LineKind.BLANK, LineKind.WORDS, LineKind.TAG, LineKind.COMMENT
    assert kinds == [blank, words, tag, comment, words, blank, tag, blank, tag, words]


@pytest.mark.parametrize("offset", [0, TEXT.index("[Verse]"), TEXT.index("slower")])
def test_the_section_of_the_cursor(offset: int) -> None:
    section = read_lyrics(TEXT).section_at(offset)
    assert section is not None
    assert section.label == ("" if offset == 0 else "Verse")


def test_no_text_has_no_sections() -> None:
    outline = read_lyrics(" \n\t\n")
    assert outline.sections == ()
    assert outline.section_at(0) is None
    assert not outline.has_words


@pytest.mark.parametrize("remark", ["# x", "#", "## x", "  # x", "\t#\tx", "\ufeff# x"])
def test_remarks_stay_here(remark: str) -> None:
    assert sung_text(f"a\n{remark}\nb") == "a\nb"
    assert sung_text(remark) == ""


@pytest.mark.parametrize("words", ["#1 in the charts", "#home", "a # b", "F# minor"])
def test_a_number_sign_in_words_is_sung(words: str) -> None:
    assert sung_text(words) == words


@pytest.mark.parametrize("clean", ["", "[Verse]\nwe walk\n\n[Outro]\n", " indented \n\n\nlines  ", "(Chorus)\nla", "a"])
def test_clean_lyrics_come_back_equal(clean: str) -> None:
    assert sung_text(clean) == clean


def test_what_is_not_seen_is_not_sent() -> None:
    assert sung_text("\ufeff[Ver\u200bse]\t\r\nco\u00adme\u2060 home\r") == "[Verse]\ncome home\n"


def test_joiners_that_scripts_need_stay() -> None:
    words = "می\u200cخواهم 👩\u200d🎤"
    assert sung_text(words) == words


@pytest.mark.parametrize("tag", NAMES)
def test_every_name_is_found_in_capitals_too(tag: str) -> None:
    found = {name: section_name(f" {name.upper()} ") for name in NAMES[tag]}
    assert {name: one.tag for name, one in found.items() if one is not None} == dict.fromkeys(NAMES[tag], tag)


@pytest.mark.parametrize(
    ("text", "label", "detail"),
    [
        ("Verse II", "Verse 2", ""),
        ("second verse", "Verse 2", ""),
        ("副歌一", "Chorus 1", ""),
        ("第二段主歌", "Verse 2", ""),
        ("２番", "Verse 2", ""),
        ("2-й куплет", "Verse 2", ""),
        ("PRE–CHORUS", "Pre-Chorus", ""),
        ("Verse A", "Verse A", ""),
        ("Chorus (x2)", "Chorus", ""),
        ("electric guitar solo", "Electric Guitar Solo", ""),
        ("Chorus - big choir", "Chorus", "big choir"),
    ],
)
def test_numbers_and_details(text: str, label: str, detail: str) -> None:
    found = section_name(text)
    assert found is not None
    assert (found.label, found.detail) == (label, detail)


@pytest.mark.parametrize("text", ["", "love", "verses", "Verse by verse", "12", "x" * 500, "chorus " * 30])
def test_other_words_name_nothing(text: str) -> None:
    assert section_name(text) is None
