"""Score files are read as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.score.samples import FOLDER, MALFORMED
from yue2_desktop.score.scorefile import read_score, score_text
from yue2_desktop.song.errors import Problem, ProblemKind


def test_byte_order_mark_and_line_ends_are_kept() -> None:
    path = FOLDER / "30_bad_crlf_bom.abc"
    assert read_score(path) == MALFORMED["30_bad_crlf_bom"]
    assert score_text(path.read_bytes(), path) == MALFORMED["30_bad_crlf_bom"]


def test_names_of_every_language(tmp_path: Path) -> None:
    path = tmp_path / "☃ Песня 音乐.abc"
    path.write_bytes(b"X:1\n")
    assert read_score(path) == "X:1\n"


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.abc"
    path.write_bytes("T:Zwölf".encode("latin-1"))
    with pytest.raises(Problem, match="is not UTF-8") as caught:
        read_score(path)
    assert caught.value.kind is ProblemKind.BAD_FILE
