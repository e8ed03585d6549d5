"""Scores written by the ending of a file: what is written, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.score.export.files import SUFFIXES, export_file
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem, ProblemKind

SCORES = Path(__file__).parents[2] / "scores"
LONG = parse((SCORES / "10_full_long_104bars.abc").read_text(encoding="utf-8"))
SHORT = parse((SCORES / "09_full_onebar.abc").read_text(encoding="utf-8"))
STARTS = {
    ".mid": b"MThd", ".musicxml": b"<?xml", ".mei": b"<?xml", ".abc": b"X:1", ".pdf": b"%PDF", ".svg": b"<?xml",
    ".png": b"\x89PNG",
}  # fmt: skip


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_kind(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"song{suffix}"
    path.write_bytes(b"old")
    assert export_file(SHORT, path, title="A song", lyrics="la") == (path,)
    assert path.read_bytes().startswith(STARTS[suffix])


def test_several_pages_are_numbered_and_never_replaced(tmp_path: Path) -> None:
    names = export_file(LONG, tmp_path / "song.svg")
    assert [name.name for name in names] == [f"song-{at}.svg" for at in range(1, len(names) + 1)]
    assert len(names) > 1
    with pytest.raises(Problem, match=r"song-1\.svg is there already; choose another name") as caught:
        export_file(LONG, tmp_path / "song.svg")
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS


def test_other_endings_and_empty_texts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"must end in .mid, .*or .png"):
        export_file(SHORT, tmp_path / "song.doc")
    with pytest.raises(Problem) as caught:
        export_file(parse(""), tmp_path / "song.mid")
    assert caught.value.kind is ProblemKind.BAD_SCORE
    assert list(tmp_path.iterdir()) == []
