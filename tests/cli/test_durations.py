"""Times in words."""

from __future__ import annotations

import pytest

from yue2_desktop.cli.durations import about, clock, spent


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.1, "a few seconds"), (7.4, "a few seconds"), (8, "about 10 s"), (57, "about 55 s"), (58, "about 1 min"),
        (89, "about 1 min"), (170, "about 3 min"), (3560, "about 59 min"), (3590, "about 1 h"),
        (4000, "about 1 h 5 min"), (7300, "about 2 h"),
    ],
)  # fmt: skip
def test_what_remains_is_said_no_more_exactly_than_it_is_known(seconds: float, words: str) -> None:
    assert about(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 min"), (200, "3 min 20 s"), (3600, "1 h"),
     (3660, "1 h 1 min")],
)  # fmt: skip
def test_what_was_spent(seconds: float, words: str) -> None:
    assert spent(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.48, "0:00.5"), (9.6, "0:09.6"), (60, "1:00"), (204.4, "3:24"), (360, "6:00")]
)
def test_lengths_of_songs(seconds: float, words: str) -> None:
    assert clock(seconds) == words


def test_nearly_a_minute_is_a_minute() -> None:
    assert clock(59.97) == "1:00"
