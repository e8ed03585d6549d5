"""Places in a text for Qt, which counts UTF-16 units where Python counts characters: an emoji is two of them."""

from __future__ import annotations


def to_utf16(text: str, offset: int) -> int:
    """The place in UTF-16 units of the character at `offset`; one behind the end is the end."""
    return _units(text[: max(0, offset)])


def from_utf16(text: str, units: int) -> int:
    """The offset in characters of a place in UTF-16 units; inside a character it is that character's."""
    at = 0
    for offset, char in enumerate(text):
        at += _units(char)
        if at > units:
            return offset
    return len(text)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
