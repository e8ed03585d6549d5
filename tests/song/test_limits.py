"""Limits: long lyrics are refused whole, and a song that exceeds the context is told what would fit."""

from __future__ import annotations

import pytest

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import CONTEXT, longest_frames, require_context, require_singable
from yue2_desktop.song.request import SongRequest


def test_too_many_characters_are_refused_with_length_and_limit() -> None:
    # user-reports.md, row 77.
    with pytest.raises(Problem) as caught:
        SongRequest.validated(style="folk", lyrics="x" * 20_001)
    assert caught.value.kind is ProblemKind.BAD_REQUEST
    assert "20,001 characters" in caught.value.sentence
    assert "limit is 20,000" in caught.value.sentence
    assert "nothing was cut" in caught.value.sentence


@pytest.mark.parametrize("lyrics", ["la\n" * 500, "\n".join(["la"] * 500), "la\r\n" * 500, "la\r" * 500])
def test_too_many_lines_are_refused_with_length_and_limit(lyrics: str) -> None:
    with pytest.raises(Problem, match="500 lines and the limit is 499; nothing was cut"):
        SongRequest.validated(style="folk", lyrics=lyrics)


def test_the_longest_lyrics_pass_uncut() -> None:
    lyrics = "\n".join(["x" * 39] * 499) + "\n"
    lyrics += "y" * (20_000 - len(lyrics) - 1)
    assert len(lyrics.splitlines()) == 500
    with pytest.raises(Problem):
        require_singable(lyrics)
    fitting = lyrics.replace("\n", " ", 1)
    assert SongRequest.validated(style="folk", lyrics=fitting).lyrics == fitting


def test_a_song_at_the_edge_of_the_context_passes() -> None:
    require_context("song", CONTEXT - 9000, 9000)
    assert longest_frames(CONTEXT - 9000) == 9000


def test_960_seconds_with_long_lyrics_are_told_what_fits() -> None:
    # user-reports.md, row 78: 960 s are 24,000 tokens, which leaves 576 for text and score.
    with pytest.raises(Problem) as caught:
        require_context("song", 3000, 960 * 25)
    assert caught.value.kind is ProblemKind.CONTEXT_OVERFLOW
    assert "2,424 tokens more than the model's 24,576" in caught.value.sentence
    assert "21,576 frames (863 s)" in caught.value.sentence
    assert caught.value.data["excess"] == 2424
    longest = caught.value.data["longest"]
    assert isinstance(longest, int)
    require_context("song", 3000, longest)


def test_a_score_is_told_its_tokens() -> None:
    with pytest.raises(Problem, match=r"The score does not fit: .* ask for at most 576 tokens"):
        require_context("score", 24_000, 4096)


def test_a_prefix_that_fills_the_context_leaves_nothing_to_offer() -> None:
    with pytest.raises(Problem, match="shorten the lyrics or the score") as caught:
        require_context("song", CONTEXT + 5, 1)
    assert caught.value.data["longest"] == 0


def test_a_smaller_context_counts_with_its_own_number() -> None:
    with pytest.raises(Problem, match="1 tokens more than the model's 64"):
        require_context("song", 60, 5, context=64)
