"""Style text and chips, completion, and the vocabulary and templates that come with the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.paths import resources
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.lyrics.language import language_in_style
from yue2_desktop.song.lyrics.length import voice_word
from yue2_desktop.song.lyrics.outline import LineKind, read_lyrics
from yue2_desktop.song.lyrics.sung import sung_text
from yue2_desktop.song.style.chips import (
    chips_of,
    missing_category,
    style_of,
    with_piece,
    without_piece,
    without_voices,
)
from yue2_desktop.song.style.completion import complete
from yue2_desktop.song.style.vocabulary import CATEGORIES, Category, Term, Vocabulary, load_vocabulary
from yue2_desktop.song.templates import load_templates

STYLE = "English, indie folk, acoustic guitar, gentle female vocal, 92 BPM, G major"


@pytest.fixture(scope="module")
def words() -> Vocabulary:
    return load_vocabulary(resources() / "styles.json")


def test_the_vocabulary_has_every_category(words: Vocabulary) -> None:
    assert tuple(category.id for category in words.categories) == CATEGORIES
    assert all(len(category.terms) >= 30 for category in words.categories)
    assert words.find("PIANO ") == words.find("钢琴") == words.find("ピアノ")
    assert words.find("nonsense") is None


def test_every_language_of_the_vocabulary_is_known_to_the_syllables(words: Vocabulary) -> None:
    for term in words.categories[0].terms:
        codes = {language_in_style(name) for name in (term.text, *term.also)}
        assert len(codes) == 1
        assert None not in codes


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda root: root.update(version=2), "version must be 1, but is 2"),
        (lambda root: root.pop("categories"), "categories must be a list"),
        (lambda root: root["categories"].pop(), "categories must be language, genre, mood"),
        (lambda root: root["categories"][1]["terms"].clear(), r"categories\[1\]\.terms must be a list with something"),
        (
            lambda root: root["categories"][0]["terms"][0].update(text=" x"),
            r"categories\[0\]\.terms\[0\]\.text must be",
        ),
        (lambda root: root["categories"][0]["terms"][0].update(text="a,b"), "holds a comma"),
        (lambda root: root["categories"][0]["terms"][1].update(also=["ENGLISH"]), "has the name 'ENGLISH', which"),
        (lambda root: root["categories"][0]["terms"][1].update(also="x"), "also must be a list"),
        (lambda root: root["categories"].__setitem__(0, 7), r"categories\[0\] must be an object"),
    ],
)
def test_a_damaged_vocabulary_says_where(tmp_path: Path, change: object, place: str) -> None:
    root = json.loads((resources() / "styles.json").read_text(encoding="utf-8"))
    change(root)  # type: ignore[operator]
    path = tmp_path / "styles.json"
    path.write_text(json.dumps(root), encoding="utf-8")
    with pytest.raises(Problem, match=place):
        load_vocabulary(path)


def test_chips_know_their_place_and_category(words: Vocabulary) -> None:
    chips = chips_of(STYLE, words)
    assert [chip.text for chip in chips] == STYLE.split(", ")
    assert [STYLE[chip.start : chip.end] for chip in chips] == STYLE.split(", ")
    assert [chip.category for chip in chips] == ["language", "genre", "instruments", "voice", "tempo", None]
    assert [chip.known for chip in chips] == [True, True, True, True, True, False]
    assert missing_category(chips) == "mood"


def test_chips_of_other_scripts(words: Vocabulary) -> None:
    chips = chips_of("中文，流行、钢琴；女声\nslow ", words)
    assert [(chip.text, chip.category) for chip in chips] == [
        ("中文", "language"),
        ("流行", "genre"),
        ("钢琴", "instruments"),
        ("女声", "voice"),
        ("slow", "tempo"),
    ]


@pytest.mark.parametrize("style", ["", " , ,, ", "，\n;"])
def test_no_pieces_no_chips(words: Vocabulary, style: str) -> None:
    assert chips_of(style, words) == ()


@given(st.text(alphabet="ab ,，;\n92BPM", max_size=60))
def test_chips_and_text_agree(style: str) -> None:
    none = Vocabulary(())
    texts = [chip.text for chip in chips_of(style, none)]
    assert [chip.text for chip in chips_of(style_of(texts), none)] == texts


@pytest.mark.parametrize(
    ("style", "piece", "result"),
    [
        ("English, indie folk, female vocal, 92 BPM", "cello", "English, indie folk, cello, female vocal, 92 BPM"),
        ("English, folk, 92 BPM", "104 BPM", "English, folk, 104 BPM"),
        ("female vocal", "Korean", "Korean, female vocal"),
        ("English, folk", " FOLK", "English, folk"),
        ("English, 92 BPM", "like a summer evening", "English, 92 BPM, like a summer evening"),
        ("", "pop", "pop"),
        ("pop", "  ", "pop"),
    ],
)
def test_a_piece_goes_where_styles_have_it(words: Vocabulary, style: str, piece: str, result: str) -> None:
    assert with_piece(style, piece, words) == result


def test_a_chip_is_taken_out(words: Vocabulary) -> None:
    chips = chips_of("a, b, a", words)
    assert without_piece("a, b, a", chips[2], words) == "a, b"


def test_row_80_an_instrumental_asks_for_no_voice(words: Vocabulary) -> None:
    style = without_voices(f"{STYLE}, choir, no vocals", words)
    assert style == "English, indie folk, acoustic guitar, 92 BPM, G major, no vocals"


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("pian", "piano"),
        ("kore", "Korean"),
        ("钢", "piano"),
        ("acustic gu", "acoustic guitar"),
        ("koraen", "Korean"),
        ("saxaphone", "saxophone"),
        ("93", "93 BPM"),
        ("92", "92 BPM"),
        ("vocal h", "harmonies"),
    ],
)
def test_completion_finds(words: Vocabulary, typed: str, best: str) -> None:
    assert complete(typed, words)[0].term.text == best


def test_completion_ranks_beginnings_before_parts(words: Vocabulary) -> None:
    found = complete("piano", words, limit=20)
    assert found[0].term.text == "piano"
    assert [one.rank for one in found] == sorted(one.rank for one in found)
    assert all(one.name[one.start : one.end].casefold() == "piano" for one in found)


def test_completion_offers_what_is_missing_and_not_what_is_there(words: Vocabulary) -> None:
    offered = complete("", words, taken=["Warm"], first="mood")
    assert len(offered) == 8
    assert {one.term.category for one in offered} == {"mood"}
    assert "warm" not in {one.term.text for one in offered}
    assert "piano" not in {one.term.text for one in complete("piano", words, taken=["piano"])}
    assert complete("ko", words, first="language")[0].term.text == "Korean"


@given(st.text(max_size=12))
def test_any_typing_is_answered(typed: str) -> None:
    assert len(complete(typed, _small())) <= 3


def _small() -> Vocabulary:
    terms = tuple(Term(text, "mood", ("暖かい",) if text == "warm" else ()) for text in ("warm", "lush lo-fi", "x"))
    return Vocabulary((Category("mood", "Mood", terms),))


def test_templates_are_songs_to_be_filled_in(words: Vocabulary) -> None:
    templates = load_templates(resources() / "templates")
    assert len(templates) >= 6
    assert len({template.title for template in templates}) == len(templates)
    for template in templates:
        outline = read_lyrics(template.lyrics)
        assert not outline.problems
        assert outline.sections
        assert not outline.has_words
        assert "#" not in sung_text(template.lyrics)
        assert all(chip.known for chip in chips_of(template.style, words))
        remarks = [line for line in outline.lines if line.kind is LineKind.COMMENT]
        # Row 80: without words the style must not ask for a voice, with words it should.
        assert bool(remarks) == (voice_word(template.style) is not None)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[]", "the file must be an object"),
        ('{"title": ""}', "title must be text"),
        ('{"title":"a","summary":"b","style":"","lyrics":"","number":true}', "number must be a whole number"),
        ('{"title":"a","summary":"b","style":"","lyrics":"","number":1,"cot":"x"}', "cot must be full, melody or off"),
    ],
)
def test_a_damaged_template_says_where(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "bad.json").write_text(content, encoding="utf-8")
    with pytest.raises(Problem, match=sentence) as caught:
        load_templates(tmp_path)
    assert "bad.json" in caught.value.sentence
