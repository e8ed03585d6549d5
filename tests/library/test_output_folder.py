"""The output folder: new or empty, with its parents; everything else is refused untouched."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.library.output_folder import claim, require_free
from yue2_desktop.song.errors import Problem, ProblemKind


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    folder = tmp_path / "Алёна" / "音乐 (новое)" / "take"
    require_free(folder)
    assert not folder.parent.parent.exists()
    claim(folder)
    assert folder.is_dir()
    claim(folder)


def test_a_folder_with_anything_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_bytes(b"")
    with pytest.raises(Problem, match=r"is not empty \(it holds \.hidden\); name a new folder") as caught:
        claim(tmp_path)
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS


@pytest.mark.parametrize("inside", ["", "below"])
def test_a_file_in_the_way_is_refused(tmp_path: Path, inside: str) -> None:
    file = tmp_path / "song"
    file.write_bytes(b"")
    with pytest.raises(Problem, match="is or lies in a file, not a folder") as caught:
        require_free(file / inside)
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS


def test_a_name_that_the_system_cannot_take(tmp_path: Path) -> None:
    for name in ("x" * 300, "a\0b"):
        with pytest.raises(Problem, match="cannot be used") as caught:
            require_free(tmp_path / name)
        assert caught.value.kind is ProblemKind.BAD_FILE
