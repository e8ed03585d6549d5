"""`yue2-desktop convert` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yue2_desktop.__main__ import main
from yue2_desktop.cli.convert import _tidy
from yue2_desktop.engine.weights.gguf_folder import open_gguf
from yue2_desktop.engine.weights.testmodel import TestModel


def test_a_file_in_a_folder(test_model: TestModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--to", "q8_0", "--json", str(test_model.model_dir), str(tmp_path / "new")]) == 0
    path = tmp_path / "new" / "YuE2-3B-Q8_0.gguf"
    assert list(path.parent.iterdir()) == [path]
    assert open_gguf(path.parent).config.layers == 3
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[-1]["event"] == "result"
    assert (events[-1]["path"], events[-1]["bytes"]) == (str(path), path.stat().st_size)
    assert {event["event"] for event in events[:-1]} == {"progress"}
    # Once more: nothing is written over.
    assert main(["convert", "--to", "q8_0", str(test_model.model_dir), str(path)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_what_cannot_be_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--to", "q4_0", str(tmp_path / "nothing"), str(tmp_path / "x.gguf")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["convert", "--to", "q2_k", str(tmp_path), str(tmp_path / "x.gguf")]) == 2
    assert "invalid choice: 'q2_k'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_destination_of_another_kind(
    test_model: TestModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a folder with the name of a file, nor a fault where a file stands in the way of one."""
    (tmp_path / "notes").write_text("words", encoding="utf-8")
    for name in ("small.safetensors", "notes"):
        assert main(["convert", "--to", "q8_0", str(test_model.model_dir), str(tmp_path / name)]) == 2
        assert "Let the name end in .gguf." in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_a_forced_end_removes_its_own_leftovers_only(tmp_path: Path) -> None:
    (tmp_path / ".yue2-0.part").write_text("another's", encoding="utf-8")
    tidy = _tidy(tmp_path)
    (tmp_path / ".yue2-1.part").write_text("ours", encoding="utf-8")
    (tmp_path / "x.part").write_text("something", encoding="utf-8")
    tidy()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".yue2-0.part", "x.part"]
