"""Places in a text for Qt, which counts UTF-16 units where Python counts characters: an emoji is two of them."""

from __future__ import annotations


def to_utf16(text: str, offset: int) -> int:
    """The place in UTF-16 units of the character at `offset`; one behind the end is the end."""
    return _units(text[: max(0, offset)])


def from_utf16(text: str, units: int) -> int:
    """The offset in characters of a place in UTF-16 units; inside a character it is that character's."""
    if text.isascii():
        return min(max(0, units), len(text))
    # By halves, since the place of the cursor is looked for at every keystroke: a character has one unit or two.
    low, high = max(0, units) // 2, min(max(0, units), len(text))
    while low < high:
        middle = (low + high + 1) // 2
        if _units(text[:middle]) <= units:
            low = middle
        else:
            high = middle - 1
    return min(low, len(text))


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
