"""The colours as data: readable in both themes (user-reports.md, row 135)."""

from __future__ import annotations

import pytest

from yue2_desktop.ui.theme.palette import DARK, LIGHT, Palette, ThemeChoice, contrast, mixed, palette_for

#: WCAG 2.2: 4.5 for text (1.4.3), 3 for shapes that say something (1.4.11).
TEXT, SHAPE = 4.5, 3.0
BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


def test_mixing() -> None:
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"


@BOTH
@pytest.mark.parametrize("ink", ["text", "quiet", "bad", "doubtful", "good", "accent_text"])
@pytest.mark.parametrize("ground", ["window", "surface", "field", "raised", "hover"])
def test_words_are_readable(palette: Palette, ink: str, ground: str) -> None:
    assert contrast(getattr(palette, ink), getattr(palette, ground)) >= TEXT


@BOTH
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("on_accent", "accent"),
        ("on_selected", "selected"),
        ("quiet", "selected"),
        ("text", "sounding"),
        ("quiet", "line"),
    ],
)
def test_words_on_fills_are_readable(palette: Palette, ink: str, ground: str) -> None:
    assert contrast(getattr(palette, ink), getattr(palette, ground)) >= TEXT


@BOTH
@pytest.mark.parametrize("ground", ["window", "surface", "field", "raised"])
def test_what_can_be_operated_is_seen(palette: Palette, ground: str) -> None:
    assert contrast(palette.outline, getattr(palette, ground)) >= SHAPE
    assert contrast(palette.wave, getattr(palette, ground)) >= SHAPE


def test_choice() -> None:
    assert palette_for(ThemeChoice.SYSTEM, system_is_dark=True) is DARK
    assert palette_for(ThemeChoice.SYSTEM, system_is_dark=False) is LIGHT
    assert palette_for(ThemeChoice.LIGHT, system_is_dark=True) is LIGHT
    assert palette_for(ThemeChoice.DARK, system_is_dark=False) is DARK
