"""How fast a render goes, in words."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QLocale

from yue2_desktop.queue.job import JobStanding
from yue2_desktop.ui.takes.rates import rate_words

ENGLISH = QLocale(QLocale.Language.English)


def going(rate: float | None, unit: str = "tokens", total: int = 100) -> JobStanding:
    return JobStanding("semantic", 5, total, unit, rate)


@pytest.mark.parametrize(
    ("rate", "unit", "said"),
    [
        (17.23, "tokens", "17.2 tokens/s"),
        (1204.4, "tokens", "1,204 tokens/s"),
        (1.0, "steps", "1.0 steps/s"),
        (0.52, "steps", "1.9 s/step"),
        (1.13, "tiles", "1.1 parts/s"),
        (0.25, "tiles", "4.0 s/part"),
        (0.09, "tokens", "11.1 s/token"),
        (1 / 150, "steps", "2.5 min/step"),
        (1 / 150, "tiles", "2.5 min/part"),
        (1 / 150, "tokens", "2.5 min/token"),
        (3.0, "things", "3.0 things/s"),
        (0.5, "things", "2.0 s each"),
        (0.005, "things", "3.3 min each"),
    ],
)
def test_things_a_second_or_seconds_a_thing(rate: float, unit: str, said: str) -> None:
    assert rate_words(going(rate, unit), ENGLISH) == said


@pytest.mark.parametrize("rate", [None, 0.0, -1.0, math.nan, math.inf, -math.inf, 5e-324])
def test_what_is_not_known_is_not_said(rate: float | None) -> None:
    assert rate_words(going(rate), ENGLISH) == ""


def test_before_anything_is_counted_there_is_no_rate() -> None:
    assert rate_words(None, ENGLISH) == ""
    assert rate_words(going(5.0, total=0), ENGLISH) == ""


def test_figures_are_the_user_s() -> None:
    assert rate_words(going(17.23), QLocale(QLocale.Language.German)) == "17,2 tokens/s"
