"""Syllables in many scripts and languages: near enough to see a line that is too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.song.lyrics.hyphens import load_hyphens
from yue2_desktop.song.lyrics.language import LANGUAGES, guessed_language, language_in_style, language_of
from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.song.lyrics.syllables import count_syllables, line_syllables

#: Counted by hand. The tolerance is one: poets themselves differ by as much ("ev'ry", "diable").
LINES = [
    ("en", "Kettle on the stove before the light", 9),
    ("en", "I hum a line I haven't learned to say", 10),
    ("en", "Loved and wanted, heaven's people, wishes, faces", 12),
    ("en", "24 hours", 3),
    ("de", "Die letzte Bahn fährt ohne mich", 8),
    ("de", "Wir zählen Sterne, Stück für Stück", 8),
    ("fr", "Quand il me prend dans ses bras", 7),
    ("fr", "Je vois la vie en rose", 6),
    ("es", "Bésame, bésame mucho", 8),
    ("es", "País de poetas, día aéreo", 12),
    ("it", "Volare, oh oh, cantare", 8),
    ("pt", "O coração não tem razão", 8),
    ("nl", "Ik hou van jou, lieve mooie ideeën", 11),
    ("pl", "Dziewczyno moja, miłość nieba", 10),
    ("cs", "Srdce, zmrzlina, vlk, láska", 8),
    ("hu", "A szerelem, fiú, leány", 9),
    ("fi", "Maamme, Suomi, synnyinmaa", 7),
    ("tr", "Seni seviyorum aşkım", 9),
    ("vi", "Đêm nay anh nhớ em", 5),
    ("id", "Cinta dan bunga dunia", 8),
    ("ru", "Я помню чудное мгновенье", 9),
    ("uk", "Ще не вмерла України", 8),
    ("el", "Σ' αγαπώ γιατί είσαι ωραία", 10),
    ("ja", "きょうはいいてんき", 8),
    ("ja", "ラララ baby", 5),
    ("ko", "사랑해 baby", 5),
    ("zh", "我爱你 love", 4),
    ("hi", "नमस्ते दुनिया", 6),
    ("th", "ความรัก", 2),
    ("ar", "حبيبي يا نور العين", 7),
]


@pytest.mark.parametrize(("language", "line", "count"), LINES)
def test_lines_by_their_language(language: str, line: str, count: int) -> None:
    assert abs(count_syllables(line, language) - count) <= 1


@pytest.mark.parametrize(("language", "line", "count"), [row for row in LINES if row[0] in {"en", "fr", "nl", "es"}])
def test_a_dictionary_does_no_harm(language: str, line: str, count: int) -> None:
    assert abs(count_syllables(line, language, load_hyphens(language)) - count) <= 1


@pytest.mark.parametrize("word", ["being", "poem", "science"])
def test_a_dictionary_parts_vowels_that_stand_together(word: str) -> None:
    assert count_syllables(word, "en") == 1
    assert count_syllables(word, "en", load_hyphens("en")) == 2


def test_a_language_without_a_dictionary_has_none() -> None:
    assert load_hyphens("ja") is None
    assert load_hyphens(None) is None


@pytest.mark.parametrize(
    ("line", "count"), [("", 0), ("...", 0), ("#!", 0), ("hmm", 1), ("♪ la", 1), ("e\u0301te\u0301", 2)]
)
def test_edges(line: str, count: int) -> None:
    assert count_syllables(line) == count


def test_counts_stand_beside_the_lines_that_are_sung() -> None:
    outline = read_lyrics("[Verse]\nla la\n# remark\n\n[Chorus] oh")
    assert line_syllables(outline, "en") == (None, 2, None, None, 1)


@given(st.text(max_size=80), st.sampled_from([None, *LANGUAGES]))
def test_any_line_has_a_count(line: str, language: str | None) -> None:
    count = count_syllables(line, language)
    assert 0 <= count <= 2 * len(line)
    assert count > 0 or not any(char.isalpha() for char in line)


@pytest.mark.parametrize(
    ("style", "language"),
    [
        ("English, indie folk", "en"),
        ("Korean, indie pop, piano", "ko"),
        ("中文流行, 女声", "zh"),
        ("Brazilian Portuguese, bossa nova", "pt"),
        ("Latin pop, Spanish, guitar", "es"),
        ("piano and strings", None),
        ("latin jazz", None),
        ("Español y English", "es"),
    ],
)
def test_the_language_that_a_style_names(style: str, language: str | None) -> None:
    assert language_in_style(style) == language


@pytest.mark.parametrize(
    ("lyrics", "language"),
    [
        ("Kettle on the stove before the light, and you are here with me", "en"),
        ("Die letzte Bahn fährt ohne mich, der Regen schreibt ein leises Lied", "de"),
        ("Quand il me prend dans ses bras, il me parle tout bas, je vois la vie en rose", "fr"),
        ("Como si fuera esta noche la última vez, que tengo miedo a perderte", "es"),
        ("Я помню чудное мгновенье", "ru"),
        ("Ще не вмерла України", "uk"),
        ("きょうは天気がいい", "ja"),
        ("月亮代表我的心 baby", "zh"),
        ("사랑해 I love you", "ko"),
        ("Đêm nay anh nhớ em, người ơi", "vi"),
        ("la la la", None),
        ("", None),
    ],
)
def test_the_language_that_lyrics_look_like(lyrics: str, language: str | None) -> None:
    assert guessed_language(lyrics) == language


def test_the_style_has_the_last_word() -> None:
    assert language_of("German, schlager", "the night and you") == "de"
    assert language_of("schlager", "the night and you") == "en"
