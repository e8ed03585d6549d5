"""A star and a note lie with the take and are never lost to a mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yue2_desktop.library.marks import MAX_NOTE_CHARS, UserMarks, read_marks, write_marks
from yue2_desktop.song.errors import Problem, ProblemKind


def test_none_at_first_and_none_written_for_nothing(tmp_path: Path) -> None:
    assert read_marks(tmp_path) == UserMarks()
    write_marks(tmp_path, UserMarks())
    assert list(tmp_path.iterdir()) == []


def test_they_come_back_and_can_be_taken_away(tmp_path: Path) -> None:
    marks = UserMarks(star=True, note="Припев ☃\nhigher")
    write_marks(tmp_path, marks)
    assert read_marks(tmp_path) == marks
    write_marks(tmp_path, UserMarks())
    assert read_marks(tmp_path) == UserMarks()
    assert [path.name for path in tmp_path.iterdir()] == ["marks.json"]


def test_members_of_later_versions_stay(tmp_path: Path) -> None:
    path = tmp_path / "marks.json"
    path.write_text('{"schema": 1, "star": false, "colour": "blue"}', encoding="utf-8")
    write_marks(tmp_path, UserMarks(star=True))
    assert json.loads(path.read_text(encoding="utf-8")) == {"schema": 1, "star": True, "colour": "blue", "note": ""}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"schema": 1, "note": "long', "is not valid JSON"),
        ('{"schema": 2, "note": "x"}', "is of version 2, this program reads 1"),
        ('{"schema": 1, "star": "yes"}', "star must be true or false"),
        ('{"note": "x"}', "schema is missing"),
    ],
)
def test_a_damaged_file_is_named_and_not_overwritten(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "marks.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Problem, match=words) as caught:
        read_marks(tmp_path)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "marks.json" in caught.value.sentence
    if "star" not in words:
        with pytest.raises(Problem, match=words):
            write_marks(tmp_path, UserMarks(star=True))
        assert path.read_text(encoding="utf-8") == text


def test_notes_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="note holds half of a character"):
        write_marks(tmp_path, UserMarks(note="\ud83e"))
    with pytest.raises(ValueError, match="at most"):
        write_marks(tmp_path, UserMarks(note="x" * (MAX_NOTE_CHARS + 1)))
    assert list(tmp_path.iterdir()) == []
