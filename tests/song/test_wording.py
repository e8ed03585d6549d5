"""Values and paths in sentences: short, printable, whatever they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.song.wording import path_text, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1, "1"),
        (1.5, "1.5"),
        ("a\nb", "'a\\nb'"),
        ("x" * 100, "'" + "x" * 36 + "..."),
        (2**300, "a very large number"),
        (-(2**400), "a very large number"),
        ("\ud800", "'\\ud800'"),
    ],
)
def test_shown(value: object, text: str) -> None:
    assert shown(value) == text


def test_a_path_whose_bytes_python_could_not_decode_becomes_letters_again() -> None:
    carried = "Песня".encode().decode("ascii", "surrogateescape")
    assert path_text(Path("a") / carried) == str(Path("a") / "Песня")
    assert path_text(Path("x\udcff")) == "x\ufffd"
    assert path_text(Path("x\ud800y")) == "x\ufffdy"


def test_a_number_that_python_refuses_to_write_is_shown_in_words() -> None:
    assert shown(10**5000) == "a very large number"
