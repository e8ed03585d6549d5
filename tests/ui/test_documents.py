"""Songs and their files through the window: nothing is lost, nothing is asked without need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, song, take_of
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.project_file import load_project, save_project
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.seeds import SeedKind, SeedPolicy
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved


def type_title(desk: Desk, title: str) -> None:
    desk.session.apply("Title", replace(desk.session.document, title=title))


def test_save_and_open(desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path) -> None:
    desk.session.apply("Words", replace(song(), id=desk.session.document.id))
    answers.to_save = tmp_path / "My ferry.yue2song"
    desk.window.actions_of_window["save"].trigger()
    qtbot.waitUntil(lambda: not desk.session.is_modified)
    path = tmp_path / "My ferry.yue2song"
    assert answers.asked == ["save Ferry.yue2song"]
    assert load_project(path).document == desk.session.document
    assert desk.remembered.recent() == (path,)
    desk.window.actions_of_window["new"].trigger()
    assert desk.session.document.is_blank
    answers.to_open = path
    desk.window.actions_of_window["open"].trigger()
    qtbot.waitUntil(lambda: desk.session.document.title == "Ferry")
    assert desk.session.path == path
    assert not desk.session.is_modified
    assert not desk.window.isWindowModified()
    assert "Ferry" in desk.window.windowTitle()


def test_saving_again_keeps_the_last_version(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    project = save_project(song(), tmp_path / "a.yue2song")
    desk.documents.open_path(project.path)
    qtbot.waitUntil(lambda: desk.session.path == project.path)
    type_title(desk, "Other")
    desk.documents.save()
    qtbot.waitUntil(lambda: not desk.session.is_modified)
    assert load_project(project.path).document.title == "Other"
    assert (tmp_path / "a.yue2song.bak").exists()


def test_a_file_that_somebody_else_changed_is_left_alone(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    project = save_project(song(), tmp_path / "a.yue2song")
    desk.documents.open_path(project.path)
    qtbot.waitUntil(lambda: desk.session.path == project.path)
    save_project(song(title="Theirs"), project.path)
    type_title(desk, "Mine")
    desk.documents.save()
    qtbot.waitUntil(lambda: "changed by another program" in desk.window.notices.text)
    assert load_project(project.path).document.title == "Theirs"
    assert desk.session.is_modified


def test_unsaved_changes_are_asked_about(desk: Desk, answers: Answers, tmp_path: Path) -> None:
    type_title(desk, "Mine")
    desk.documents.new()
    assert answers.asked == ["unsaved Mine"]
    assert desk.session.document.title == "Mine"
    answers.unsaved_answer, answers.to_save = Unsaved.SAVE, tmp_path / "mine.yue2song"
    desk.documents.new()
    assert desk.session.document.is_blank
    assert load_project(answers.to_save).document.title == "Mine"


def test_an_empty_song_is_not_asked_about(desk: Desk, answers: Answers) -> None:
    type_title(desk, "  ")
    desk.documents.new()
    assert answers.asked == []


def test_sure_lyrics_go_in_as_one_step(desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("[Verse]\nÜber den Fluss\n", encoding="utf-8")
    desk.window.dropped.emit(path)
    qtbot.waitUntil(lambda: "Über" in desk.session.document.lyrics)
    assert answers.asked == []
    desk.session.undo_stack.undo()
    assert desk.session.document.lyrics == ""


def test_unsure_lyrics_are_looked_at(desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path) -> None:
    """Row 67: a GBK file says nothing of its encoding."""
    words = "[Verse]\n夏天的风吹过我们的城市\n你在灯下等我回家\n"
    path = tmp_path / "words.txt"
    path.write_bytes(words.encode("gbk"))
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: desk.session.document.lyrics != "")
    assert answers.asked == ["reading"]
    assert desk.session.document.lyrics == words


def test_lyrics_that_are_not_taken_change_nothing(desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path) -> None:
    answers.take_reading = None
    path = tmp_path / "words.txt"
    path.write_bytes("[Verse]\n夏天的风吹过我们的城市\n".encode("gbk"))
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: answers.asked == ["reading"])
    assert desk.session.undo_stack.count() == 0


def test_a_score_goes_into_the_song(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "tune.abc"
    path.write_text("X:1\nM:4/4\nL:1/4\nQ:1/4=96\nK:C\nCDEF|GABc|\n", encoding="utf-8")
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: desk.session.document.score is not None)
    assert desk.session.undo_stack.undoText() == "Score from tune.abc"


@pytest.mark.parametrize("words", ["milk\neggs\n", "Shopping\nA: apples\nK: kiwis\nmilk, eggs\n"])
def test_words_that_are_called_a_score_leave_the_song_s_own(
    desk: Desk, qtbot: QtBot, tmp_path: Path, words: str
) -> None:
    desk.session.load(song().with_imported_score("X:1\nK:C\n", "mine.abc"))
    path = tmp_path / "shopping.abc"
    path.write_text(words, encoding="utf-8")
    desk.window.dropped.emit(path)
    qtbot.waitUntil(lambda: f"{path} is no " in desk.window.notices.text)
    assert desk.session.document.score is not None
    assert desk.session.document.score.text == "X:1\nK:C\n"


def test_what_cannot_be_opened_says_why(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "holiday.png"
    path.write_bytes(b"\x89PNG")
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: "holiday.png" in desk.window.notices.text)


def test_what_was_told_of_a_file_goes_with_the_next_one(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    bad, tune, words = tmp_path / "holiday.png", tmp_path / "tune.abc", tmp_path / "words.txt"
    bad.write_bytes(b"\x89PNG")
    tune.write_text("X:1\nM:4/4\nL:1/4\nK:C\nCDEF|GABc|\nw: one two three four\n", encoding="utf-8")
    words.write_text("[Verse]\nOver the river\n", encoding="utf-8")
    notices = desk.window.notices
    desk.documents.open_path(bad)
    qtbot.waitUntil(lambda: "holiday.png" in notices.text)
    desk.documents.open_path(tune)
    qtbot.waitUntil(lambda: "Lines of words left out" in notices.text)
    desk.documents.open_path(words)
    qtbot.waitUntil(lambda: "river" in desk.session.document.lyrics)
    notices.withdraw("model")
    assert notices.text == ""


def test_examples_are_offered(desk: Desk, qtbot: QtBot) -> None:
    menu = next(action.menu() for action in desk.window.menuBar().actions()[0].menu().actions() if action.menu()
                and "xamples" in action.text())  # fmt: skip
    qtbot.waitUntil(lambda: len(menu.actions()) == 3)
    menu.actions()[0].trigger()
    assert not desk.session.document.is_blank
    assert not desk.session.is_modified


def test_a_take_of_the_open_song_is_one_step_in_it(desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path) -> None:
    """Use these settings: the song keeps its file, its remarks and its history."""
    lyrics = "# a remark\n[Verse]\nthe ferry leaves at nine\n"
    project = save_project(song(lyrics=lyrics), tmp_path / "a.yue2song")
    desk.documents.open_path(project.path)
    qtbot.waitUntil(lambda: desk.session.path == project.path)
    before = desk.session.document
    made = replace(before, seed=SeedPolicy(SeedKind.FIXED, 99), render=RenderSettings(ode_steps=8))
    take = take_of(made, tmp_path / "takes" / "seed 99", 99)
    desk.documents.open_path(take)
    qtbot.waitUntil(lambda: desk.session.document.seed.value == 99)
    assert answers.asked == []
    assert (desk.session.path, desk.session.is_modified) == (project.path, True)
    assert (desk.session.document.lyrics, desk.session.document.title) == (lyrics, before.title)
    assert desk.session.undo_stack.undoText() == "Song of seed 99"
    desk.session.undo_stack.undo()
    assert desk.session.document == before
    assert not desk.session.is_modified


def test_a_take_of_another_song_takes_the_place_of_this_one(
    desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    type_title(desk, "Mine")
    take = take_of(song(), tmp_path / "takes" / "seed 7", 7)
    desk.documents.open_path(take)
    qtbot.waitUntil(lambda: answers.asked == ["unsaved Mine"])
    assert desk.session.document.title == "Mine"
    answers.unsaved_answer = Unsaved.DISCARD
    desk.documents.open_path(take)
    qtbot.waitUntil(lambda: desk.session.document.title == "Ferry")
    assert desk.session.path is None


def test_the_last_version_of_the_open_song_is_a_song_of_its_own(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    """It has title and notes of its own, and is saved under a name of its own."""
    path = tmp_path / "a.yue2song"
    project = save_project(song(title="First", notes="of then"), path)
    save_project(replace(project.document, title="Second", notes="of now"), path)
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: desk.session.document.title == "Second")
    desk.documents.open_path(path.with_name("a.yue2song.bak"))
    qtbot.waitUntil(lambda: desk.session.document.title == "First")
    assert desk.session.document.notes == "of then"
    assert desk.session.path is None
    assert "under a name of its own" in desk.window.notices.text


def test_a_seed_that_moved_on_is_kept_in_the_file_without_a_question(
    desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    """And the last version beside it stays the one that somebody saved."""
    path = tmp_path / "ferry.yue2song"
    for words in ("first", "second"):
        written = save_project(SongDocument(id="ferry", title="Ferry", lyrics=words), path)
    backup = path.with_name(path.name + ".bak").read_bytes()
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: desk.session.path == path)
    desk.session.amend(desk.session.document.after_queueing(desk.session.document.seed.value, 2))
    desk.documents.new()
    assert not any(asked.startswith("unsaved Ferry") for asked in answers.asked)
    assert load_project(path).document.seed.value == written.document.seed.value + 2
    assert path.with_name(path.name + ".bak").read_bytes() == backup


def test_a_file_that_cannot_take_the_seed_is_no_reason_to_ask(
    desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "ferry.yue2song"
    save_project(SongDocument(id="ferry", title="Ferry", lyrics="words"), path)
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: desk.session.path == path)
    desk.session.amend(desk.session.document.after_queueing(1, 2))
    save_project(SongDocument(id="ferry", title="By somebody else", lyrics="words"), path)
    desk.documents.new()
    assert not any(asked.startswith("unsaved Ferry") for asked in answers.asked)
    assert load_project(path).document.title == "By somebody else"
