"""The test model is made by a process of its own, which can be ended, and whose mistakes are told."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from yue2_desktop.runtime.test_model import TestModelMaking
from yue2_desktop.song.errors import Problem, ProblemKind


def running(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_it_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "ein Modell"
    assert TestModelMaking(folder).run() == folder
    assert (folder / "model" / "qwen.tiktoken").is_file()
    assert (folder / "vae" / "model.safetensors").is_file()


def test_what_the_process_says_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Problem, match=r"could not be written to .*choose another folder") as met:
        TestModelMaking(tmp_path / "file" / "model").run()
    assert met.value.kind is ProblemKind.BAD_FILE
    with pytest.raises(Problem, match="no reason was given"):
        TestModelMaking(tmp_path, running("import sys; sys.exit(3)")).run()
    with pytest.raises(Problem, match="could not be made"):
        TestModelMaking(tmp_path, [str(tmp_path / "nobody")]).run()


def test_it_is_ended(tmp_path: Path) -> None:
    making = TestModelMaking(tmp_path, running("import time; time.sleep(600)"))
    ended: list[ProblemKind] = []

    def run() -> None:
        try:
            making.run()
        except Problem as problem:
            ended.append(problem.kind)

    thread = threading.Thread(target=run)
    thread.start()
    making.stop()
    thread.join(60)
    assert ended == [ProblemKind.CANCELLED]
    with pytest.raises(Problem) as met:  # nor is it begun afterwards
        making.run()
    assert met.value.kind is ProblemKind.CANCELLED
