"""How a value or a path that a user gave may stand in a sentence about it."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

_SHOWN_CHARS: Final = 40
#: Above this, Python refuses to write an int in decimal at some point; nobody reads such a number anyway.
_SHOWN_BITS: Final = 256
#: Lone surrogates other than those by which Python carries undecodable bytes of a file name.
_HALF_CHARACTERS: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def shown(value: object) -> str:
    """`value` as Python writes it, on one line, cut to 40 characters and free of lone surrogates."""
    if type(value) is int and value.bit_length() > _SHOWN_BITS:
        return "a very large number"
    words = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    text = text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def path_text(path: PurePath) -> str:
    """`path` as text that can be printed and written as UTF-8, whatever code page the process runs under.

    Under LANG=C Python carries the bytes of a name as lone surrogates; these become the letters again.
    """
    text = _HALF_CHARACTERS.sub("\ufffd", str(path))
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
