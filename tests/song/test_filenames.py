"""File names from titles: short, whole letters, and accepted by Windows and Linux alike (row 69)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.song.filenames import native_path, safe_file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rain on the roof", "Rain on the roof.flac"),
        ("☃ 🤣 Песня", "☃ 🤣 Песня.flac"),
        ("音乐 (新しい)", "音乐 (新しい).flac"),
        ("AC/DC: live?", "AC_DC_ live_.flac"),
        ('a\\b|c*d<e>f"g', "a_b_c_d_e_f_g.flac"),
        ("  two\n lines\t", "two lines.flac"),
        ("...", "song.flac"),
        ("", "song.flac"),
        (" . ", "song.flac"),
        (".hidden", "hidden.flac"),
        ("The end...", "The end.flac"),
        ("CON", "_CON.flac"),
        ("nul.txt", "_nul.txt.flac"),
        ("Com1 .x", "_Com1 .x.flac"),
        ("lpt¹", "_lpt¹.flac"),
        ("console", "console.flac"),
        ("cafe\u0301", "café.flac"),
        ("evil\u202ecalf", "evilcalf.flac"),
        ("half\ud800", "half.flac"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧.flac"),
    ],
)
def test_names(title: str, name: str) -> None:
    assert safe_file_name(title, ".flac") == name


def test_a_title_of_200_characters_gives_80() -> None:
    name = safe_file_name("Long title " * 20, ".flac")
    assert len(name) <= 80
    assert name.startswith("Long title Long title")
    assert name.endswith(".flac")
    assert len(safe_file_name("x" * 200, ".flac")) == 80
    assert len(safe_file_name("x" * 200)) == 80


def test_a_cut_never_leaves_half_a_letter() -> None:
    assert safe_file_name("x" * 79 + "e\u0323\u0301") == "x" * 79
    family = "👨\u200d👩\u200d👧"
    name = safe_file_name(family * 30)
    assert name.replace(family, "") == ""
    assert len(name.encode("utf-16-le")) // 2 <= 80


@given(st.text(max_size=300))
def test_every_title_gives_a_name_that_every_system_takes(title: str) -> None:
    name = safe_file_name(title, ".flac")
    assert 6 <= len(name) <= 80
    assert len(name.encode("utf-8")) <= 255
    assert not set(name) & set('<>:"/\\|?*\0')
    assert name == name.strip(" .")
    assert min(map(ord, name)) >= 32
    assert Path(name).name == name


def test_the_name_can_be_made(tmp_path: Path) -> None:
    path = tmp_path / safe_file_name("☃" * 300, ".flac")
    path.write_bytes(b"x")
    assert path.read_bytes() == b"x"


def test_a_written_path_is_the_systems_own(tmp_path: Path) -> None:
    # Under LANG=C: tests/library/test_code_pages.py.
    path = native_path(str(tmp_path / "☃ 🤣 Песня.abc"))
    path.write_bytes(b"x")
    assert [file.name for file in tmp_path.iterdir()] == ["☃ 🤣 Песня.abc"]
    assert native_path("a/b") == Path("a/b")
