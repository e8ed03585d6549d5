"""The colours of the window by role, light and dark, as plain values that can be tested without a screen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ThemeChoice(StrEnum):
    """What the user chooses between; `system` follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Palette:
    """Colours as `#rrggbb`.

    Surfaces from back to front: `window` (bars and gaps), `surface` (panels), `field` (what can be typed in),
    `raised` (buttons). `line` separates, `outline` bounds what can be operated. `text` and `quiet` are words,
    `disabled` words that cannot be acted on. `accent` fills the primary action, `on_accent` is the text on it;
    `accent_text` is the accent as words or lines; `sounding` lies behind the notes that play, `selected` behind
    selected text and rows.
    `bad` is broken, `doubtful` is to be looked at, `good` is done.
    """

    is_dark: bool
    window: str
    surface: str
    field: str
    raised: str
    hover: str
    line: str
    outline: str
    text: str
    quiet: str
    disabled: str
    accent: str
    on_accent: str
    accent_text: str
    sounding: str
    selected: str
    on_selected: str
    bad: str
    doubtful: str
    good: str
    wave: str


LIGHT: Final = Palette(
    is_dark=False,
    window="#efedea",
    surface="#f9f8f6",
    field="#ffffff",
    raised="#ffffff",
    hover="#f1ede6",
    line="#dad6d0",
    outline="#7f796f",
    text="#24211d",
    quiet="#635d54",
    disabled="#9b958c",
    accent="#f2a33c",
    on_accent="#2a1c05",
    accent_text="#8a5200",
    sounding="#f2a33c",
    selected="#fbe3bd",
    on_selected="#24211d",
    bad="#b3261e",
    doubtful="#8f5600",
    good="#2f6b3a",
    wave="#827c72",
)

DARK: Final = Palette(
    is_dark=True,
    window="#1a1917",
    surface="#22201e",
    field="#2a2826",
    raised="#35322f",
    hover="#3f3b37",
    line="#3b3835",
    outline="#837c73",
    text="#ece8e2",
    quiet="#aea79d",
    disabled="#736d65",
    accent="#f0a644",
    on_accent="#241803",
    accent_text="#f2b25c",
    sounding="#836134",
    selected="#4a381c",
    on_selected="#f6f1ea",
    bad="#ff9086",
    doubtful="#f2b25c",
    good="#8ccf97",
    wave="#8f887e",
)


def palette_for(choice: ThemeChoice, *, system_is_dark: bool) -> Palette:
    """The colours for what the user chose; `system_is_dark` is what the desktop says."""
    if choice is ThemeChoice.SYSTEM:
        return DARK if system_is_dark else LIGHT
    return DARK if choice is ThemeChoice.DARK else LIGHT


def contrast(first: str, second: str) -> float:
    """The contrast of two colours from 1 to 21, as WCAG 2.2 defines it."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mixed(first: str, second: str, share: float) -> str:
    """A colour between two, `share` (0 to 1) of the second."""
    parts = (round(a + (b - a) * share) for a, b in zip(_channels(first), _channels(second), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
