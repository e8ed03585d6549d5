"""How a value that a user gave may stand in a sentence about it."""

from __future__ import annotations

from typing import Final

_SHOWN_CHARS: Final = 40
#: Above this, Python refuses to write an int in decimal at some point; nobody reads such a number anyway.
_SHOWN_BITS: Final = 256


def shown(value: object) -> str:
    """`value` as Python writes it, on one line, cut to 40 characters and free of lone surrogates."""
    if type(value) is int and value.bit_length() > _SHOWN_BITS:
        return "a very large number"
    words = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    text = text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
