"""The terminal that the program writes to, made safe for every language."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO


def prepare() -> None:
    """Makes stdout and stderr take any letter.

    A pipe or a file gets UTF-8, whatever the code page of the system: a score that is written through it must not
    lose a letter. A terminal keeps its own encoding, and what it cannot show becomes an escape such as `\\u97f3`.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def say(sentence: str) -> None:
    """One line on stderr, which is where everything goes that is not the result."""
    print(sentence, file=sys.stderr, flush=True)


def abandon(stream: TextIO) -> None:
    """Lets nothing more be written to `stream`, whose reader is gone; else Python complains once more at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, stream.fileno())
    finally:
        os.close(null)


def recovered(text: str) -> str:
    """Text of the command line as the user typed it.

    Under LANG=C Python reads it as ASCII and carries other bytes as lone surrogates; they are UTF-8 all the same
    (user-reports.md, row 61).
    """
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text
