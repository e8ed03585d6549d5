"""Saves that follow one another: a window's own are not taken for those of another program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, song
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.project_file import load_project, save_project
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.saves import Saves


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.yue2song"


def test_a_save_follows_one_that_the_window_has_not_heard_of(path: Path) -> None:
    saves = Saves()
    saves.know(path, save_project(song(), path).mark)
    for title in ("Second", "Third", "Second"):
        saves.save(song(title=title), path, anew=False)
        assert load_project(path).document.title == title


@pytest.mark.parametrize("ours_before", [False, True], ids=["read", "written"])
def test_what_somebody_else_wrote_is_left_alone(path: Path, ours_before: bool) -> None:
    saves = Saves()
    saves.know(path, save_project(song(), path).mark)
    if ours_before:
        saves.save(song(title="Second"), path, anew=False)
    theirs = save_project(song(title="Theirs"), path)
    with pytest.raises(Problem) as refused:
        saves.save(song(title="Third"), path, anew=False)
    assert refused.value.kind is ProblemKind.OUTPUT_EXISTS
    assert load_project(path).document.title == "Theirs"
    saves.know(path, theirs.mark)  # it was opened again
    saves.save(song(title="Ours"), path, anew=False)
    assert load_project(path).document.title == "Ours"


def test_a_file_that_was_chosen_just_now_is_replaced(path: Path) -> None:
    saves = Saves()
    saves.know(path, save_project(song(), path).mark)
    save_project(song(title="Theirs"), path)
    saves.save(song(title="Ours"), path, anew=True)
    assert load_project(path).document.title == "Ours"


def saved_song(desk: Desk, answers: Answers, qtbot: QtBot, path: Path) -> None:
    answers.to_save = path
    desk.session.apply("Words", replace(song(), id=desk.session.document.id))
    desk.documents.save()
    qtbot.waitUntil(lambda: not desk.session.is_modified)


def typed(desk: Desk, title: str) -> None:
    desk.session.apply("Title", replace(desk.session.document, title=title))


def test_the_key_pressed_twice_saves_what_was_typed_last(
    desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.yue2song"
    saved_song(desk, answers, qtbot, path)
    wrong: list[str] = []
    desk.documents.went_wrong.connect(wrong.append)
    save = desk.window.actions_of_window["save"]
    for title in ("Second", "Third"):
        typed(desk, title)
        save.trigger()
    save.trigger()
    qtbot.waitUntil(lambda: not desk.background.is_busy)
    assert wrong == []
    assert not desk.session.is_modified
    assert load_project(path).document.title == "Third"
    typed(desk, "Fourth")
    save.trigger()
    qtbot.waitUntil(lambda: not desk.session.is_modified)
    assert load_project(path).document.title == "Fourth"


def test_closing_right_after_the_key_saves(desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    saved_song(desk, answers, qtbot, path)
    answers.unsaved_answer = Unsaved.SAVE
    typed(desk, "Second")
    desk.documents.save()
    assert desk.background._pool.waitForDone(5000), "written, and not heard of yet"
    assert desk.documents.may_replace()
    assert load_project(path).document.title == "Second"
