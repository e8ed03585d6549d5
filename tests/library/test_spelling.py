"""Two spellings of one place are the same place, and two places never are (user-reports.md, row 71)."""

from __future__ import annotations

import pytest

from yue2_desktop.library.spelling import lies_in, plain_spelling, same_place

LONG = "\\\\?\\"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (LONG + r"C:\Music\take 1", r"C:\Music\take 1"),
        (r"C:\Music", r"C:\Music"),
        (LONG + r"UNC\server\share\take", r"\\server\share\take"),
        (LONG + r"unc\server\share\take", r"\\server\share\take"),
        (LONG + r"Volume{0b1}\take", LONG + r"Volume{0b1}\take"),
        ("/home/anna/Music", "/home/anna/Music"),
        ("", ""),
    ],
)
def test_plain_spelling(text: str, plain: str) -> None:
    assert plain_spelling(text) == plain


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (LONG + r"C:\Music\Песня", r"c:\music\песня"),
        (r"C:\Music\take 1", "C:/Music/take 1/"),
        (r"C:\Music\.\x\..\take", r"C:\MUSIC\take"),
        (LONG + r"UNC\Server\Share\a", r"\\server\share\A"),
    ],
)
def test_one_place_on_windows(first: str, second: str) -> None:
    assert same_place(first, second, windows=True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"C:\Music\take 1", r"C:\Music\take 10"),
        (r"C:\Music", r"D:\Music"),
        ("C:\\straße", "C:\\strasse"),
        ("C:\\e\u0301", "C:\\\u00e9"),
    ],
)
def test_two_places_on_windows(first: str, second: str) -> None:
    assert not same_place(first, second, windows=True)


def test_case_is_a_difference_elsewhere() -> None:
    assert not same_place("/music/Take", "/music/take", windows=False)
    assert same_place("/music/take/", "/music/./take", windows=False)


def test_lies_in() -> None:
    assert lies_in(LONG + r"c:\MUSIC\song\take", r"C:\Music", windows=True)
    assert lies_in(r"C:\x", "C:\\", windows=True)
    assert not lies_in(r"C:\Music 2\take", r"C:\Music", windows=True)
    assert not lies_in(r"C:\Music", LONG + r"C:\music", windows=True)
    assert lies_in("/a/b", "/", windows=False)
    assert lies_in("/a/b/c", "/a/b", windows=False)
    assert not lies_in("/a/bc", "/a/b", windows=False)
    assert not lies_in("/a/b/../c", "/a/b", windows=False)
