"""Tempo and pace from a style, and the length that follows from them."""

from __future__ import annotations

import pytest

from yue2_desktop.song.lyrics.length import length_of, section_lengths
from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.song.lyrics.pace import pace_of, tempo_in

LINE = "Walking down the empty street at night\n"


@pytest.mark.parametrize(
    ("style", "tempo"),
    [
        ("English, 92 BPM, warm", 92),
        ("104bpm", 104),
        ("tempo: 120", 120),
        ("♩=88", 88),
        ("ballad", None),
        ("1990 bpm", None),
        ("10 BPM", None),
        ("999 bpm, 80 bpm", 80),
    ],
)
def test_the_tempo_that_a_style_names(style: str, tempo: int | None) -> None:
    assert tempo_in(style) == tempo


@pytest.mark.parametrize(
    ("tempo", "syllables", "beats"), [(92, 9, 8), (60, 9, 4), (150, 9, 8), (92, 3, 4), (92, 0, 0), (300, 500, 833)]
)
def test_a_line_takes_whole_bars_without_haste(tempo: float, syllables: int, beats: int) -> None:
    assert pace_of("pop", tempo).beats_of_line(syllables) == beats


def test_a_rapped_line_is_faster() -> None:
    assert pace_of("hip hop", 92).beats_of_line(12) == 4
    assert length_of(LINE * 16, "rap").expected_seconds < length_of(LINE * 16, "folk").expected_seconds


def test_a_faster_tempo_makes_a_shorter_song() -> None:
    slow, fast = length_of(LINE * 16, "pop, 70 BPM"), length_of(LINE * 16, "pop, 140 BPM")
    assert fast.expected_seconds < slow.expected_seconds
    assert length_of(LINE * 16, "pop, 70 BPM", tempo=140) == fast


def test_a_score_leaves_nothing_to_guess() -> None:
    length = length_of(LINE, "pop", score_seconds=100)
    assert length.low_seconds == length.high_seconds == 100
    assert length.ceiling_frames == 120 * 25


def test_sections_add_up_to_the_song() -> None:
    lyrics = f"[Intro]\n[Verse]\n{LINE * 4}[Solo]\n[Chorus]\n{LINE * 2}"
    for style in ("pop", "pop, 92 BPM"):
        parts = section_lengths(read_lyrics(lyrics), style)
        assert [part.section.label for part in parts] == ["Intro", "Verse", "Solo", "Chorus"]
        assert sum(part.high_seconds for part in parts) == pytest.approx(length_of(lyrics, style).high_seconds)
        assert parts[1].syllables == 2 * parts[3].syllables > 0 == parts[0].syllables


def test_pace_without_a_tempo_has_no_beats() -> None:
    pace = pace_of("pop")
    assert pace.beats_of_line(9) == 0
    with pytest.raises(ValueError, match="tempo"):
        pace.seconds(4)
