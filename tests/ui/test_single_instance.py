"""One window a user: the second start hands its file over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.single_instance import SingleInstance


@pytest.fixture
def first(qapp: object, tmp_path: Path) -> Iterator[SingleInstance]:
    made = SingleInstance(tmp_path / "Data ☃")
    assert made.claim()
    yield made
    made.close()


@pytest.mark.parametrize("name", ["songs/Überfahrt 船.yue2song", ""])
def test_the_second_hands_its_file_over(first: SingleInstance, qtbot: QtBot, tmp_path: Path, name: str) -> None:
    second = SingleInstance(tmp_path / "Data ☃")
    assert not second.claim()
    path = tmp_path / name if name else None
    with qtbot.waitSignal(first.asked) as heard:
        assert second.hand_over(path)
    assert heard.args == [path]


def test_another_folder_is_another_window(first: SingleInstance, tmp_path: Path) -> None:
    other = SingleInstance(tmp_path / "other")
    assert other.claim()
    other.close()


def test_after_the_first_the_next_is_the_first(first: SingleInstance, tmp_path: Path) -> None:
    first.close()
    second = SingleInstance(tmp_path / "Data ☃")
    assert second.claim()
    second.close()


def test_nobody_there(qapp: object, tmp_path: Path) -> None:
    assert not SingleInstance(tmp_path).hand_over(None)


def test_a_folder_that_cannot_be_made_keeps_nobody_from_the_window(qapp: object, tmp_path: Path) -> None:
    """A home that cannot be written: nobody is the first, nobody hears, and so the window opens."""
    (tmp_path / "a file").write_text("where a folder should be", encoding="utf-8")
    alone = SingleInstance(tmp_path / "a file" / "Data")
    assert not alone.claim()
    assert not alone.hand_over(None)
    alone.close()
