"""What a take's length says about its words: user-reports.md, rows 75 and 86."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.paths import resources
from yue2_desktop.score.parser import parse
from yue2_desktop.song.lyrics.hearing import cut_after, cut_at_fraction, words_notice
from yue2_desktop.song.lyrics.length import length_of
from yue2_desktop.song.request import request_from_json
from yue2_desktop.song.textfile import read_json

LINE = "Walking down the empty street at night\n"
SONG = "".join(f"[{name}]\n{LINE * 4}\n" for name in ("Verse", "Chorus", "Verse 2", "Chorus 2"))
STYLE = "English, indie pop, 96 BPM"


@pytest.mark.parametrize(
    ("fraction", "within", "after"),
    [
        (0.1, "Verse", ["Chorus", "Verse 2", "Chorus 2"]),
        (0.4, "Chorus", ["Verse 2", "Chorus 2"]),
        (0.6, "Verse 2", ["Chorus 2"]),
        (0.9, "Chorus 2", []),
        (1.3, "Chorus 2", []),
    ],
)
def test_row_75_sections_behind_the_cut(fraction: float, within: str, after: list[str]) -> None:
    cut = cut_at_fraction(SONG, fraction, STYLE)
    assert cut.within is not None
    assert cut.within.label == within
    assert [section.label for section in cut.after] == after
    assert f"stops in [{within}]" in cut.sentence
    assert all(f"[{label}]" in cut.sentence for label in after)


def test_row_75_a_known_length_stretches_the_sections() -> None:
    cut = cut_after(SONG, 150, STYLE, total_seconds=400)
    assert [section.label for section in cut.after] == ["Verse 2", "Chorus 2"]
    assert cut_after(SONG, 390, STYLE, total_seconds=400).after == ()


def test_words_without_tags_have_a_name_too() -> None:
    cut = cut_at_fraction(LINE * 2, 0.5)
    assert cut.sentence == "The song stops in the opening words."
    assert cut_after("", 10).sentence == ""


def test_row_86_a_song_too_short_for_its_words_is_told() -> None:
    expected = length_of(SONG, STYLE).expected_seconds
    assert words_notice(SONG, expected, STYLE) is None
    assert words_notice(SONG, expected / 1.5, STYLE) is None
    notice = words_notice(SONG, expected / 1.7, STYLE)
    assert notice is not None
    assert notice.endswith("some of the words may not be sung.")


def test_a_song_too_long_for_its_words_is_told() -> None:
    longest = length_of(SONG, STYLE).high_seconds
    assert words_notice(SONG, longest * 1.5, STYLE) is None
    notice = words_notice(SONG, longest * 1.7, STYLE)
    assert notice is not None
    assert "words of its own" in notice


def test_a_score_says_how_long_the_song_is() -> None:
    assert words_notice(SONG, 100, STYLE, score_seconds=100) is None
    assert words_notice(SONG, 50, STYLE, score_seconds=100) is not None


@pytest.mark.parametrize("name", ["first-song", "salt-and-rope"])
def test_the_examples_as_written_suit_their_words(name: str) -> None:
    folder = resources() / "examples" / name
    request = request_from_json(read_json(folder / "request.json", "request"), base_dir=folder).request
    seconds = float(parse(request.abc or "").score.seconds)
    assert words_notice(request.lyrics, seconds, request.style) is None
    assert words_notice(request.lyrics, seconds / 2, request.style) is not None


def test_few_words_say_nothing() -> None:
    assert words_notice("[Verse]\nla la la\n", 300) is None
    assert words_notice("[Instrumental]", 10) is None


@given(st.text(max_size=200), st.floats(0, 400), st.floats(0, 1))
def test_any_song_is_cut_somewhere(lyrics: str, seconds: float, fraction: float) -> None:
    for cut in (cut_after(lyrics, seconds), cut_at_fraction(lyrics, fraction)):
        assert bool(cut.sentence) == (cut.within is not None or bool(cut.after))
