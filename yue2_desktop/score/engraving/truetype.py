"""Advance widths of a TrueType font's characters, read from its tables."""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path

from yue2_desktop.paths import resources

#: The four faces of Liberation Serif in `resources/fonts`, by (bold, italic).
FACES = {
    (False, False): "LiberationSerif-Regular.ttf",
    (True, False): "LiberationSerif-Bold.ttf",
    (False, True): "LiberationSerif-Italic.ttf",
    (True, True): "LiberationSerif-BoldItalic.ttf",
}


def font_file(*, bold: bool = False, italic: bool = False) -> Path:
    """Return the file of a face of the text font; raises FileNotFoundError where the installation lacks it."""
    return resources() / "fonts" / FACES[bold, italic]


@lru_cache(maxsize=4)
def advance_widths(*, bold: bool, italic: bool) -> dict[int, float]:
    """Return the advance widths in ems of the characters that a face has, by code point."""
    data = font_file(bold=bold, italic=italic).read_bytes()
    tables = _tables(data)
    (em,) = struct.unpack_from(">H", data, tables["head"] + 18)
    (count,) = struct.unpack_from(">H", data, tables["hhea"] + 34)
    advances = struct.unpack_from(f">{2 * count}H", data, tables["hmtx"])[0::2]
    return {
        code: advances[min(glyph, count - 1)] / em for code, glyph in _glyphs(data, tables["cmap"]).items() if glyph
    }


def _tables(data: bytes) -> dict[str, int]:
    (count,) = struct.unpack_from(">H", data, 4)
    found = {}
    for at in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sLLL", data, 12 + 16 * at)
        found[tag.decode("ascii")] = offset
    return found


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Return glyph numbers by code point from the Windows Unicode map (platform 3, encoding 1, format 4)."""
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    for at in range(count):
        platform, encoding, offset = struct.unpack_from(">HHL", data, cmap + 4 + 8 * at)
        if (platform, encoding) == (3, 1):
            return _format_4(data, cmap + offset)
    raise ValueError("the font has no Unicode map")


def _format_4(data: bytes, start: int) -> dict[int, int]:
    (doubled,) = struct.unpack_from(">H", data, start + 6)
    count = doubled // 2
    ends = struct.unpack_from(f">{count}H", data, start + 14)
    firsts = struct.unpack_from(f">{count}H", data, start + 16 + doubled)
    deltas = struct.unpack_from(f">{count}H", data, start + 16 + 2 * doubled)
    ranges = start + 16 + 3 * doubled
    offsets = struct.unpack_from(f">{count}H", data, ranges)
    glyphs: dict[int, int] = {}
    for at in range(count):
        for code in range(firsts[at], min(ends[at], 0xFFFE) + 1):
            if offsets[at] == 0:
                glyph = (code + deltas[at]) & 0xFFFF
            else:
                place = ranges + 2 * at + offsets[at] + 2 * (code - firsts[at])
                (glyph,) = struct.unpack_from(">H", data, place)
                glyph = (glyph + deltas[at]) & 0xFFFF if glyph else 0
            glyphs[code] = glyph
    return glyphs
