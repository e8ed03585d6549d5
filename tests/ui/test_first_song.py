"""What the window opens with: the song of the last time, or an example that gives way to what is dropped on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.ui.desks import song
from yue2_desktop.song.project_file import save_project
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.first_song import lay_out_first_song


def test_an_example_at_the_first_start(desk: Desk) -> None:
    lay_out_first_song(desk)
    assert desk.session.document.title == "First song"
    assert not desk.session.is_modified
    assert desk.session.path is None


def test_the_song_of_the_last_time(desk: Desk, tmp_path: Path) -> None:
    project = save_project(song(), tmp_path / "ferry.yue2song")
    desk.remembered.keep_song(project.path)
    lay_out_first_song(desk)
    assert desk.session.document.title == "Ferry"
    assert desk.session.path == project.path
    assert not desk.session.is_modified
    project.path.unlink()
    lay_out_first_song(desk)
    assert desk.session.document.title == "First song"


def test_a_song_that_cannot_be_read_is_told_and_an_example_is_shown(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "broken.yue2song"
    path.write_text("{", encoding="utf-8")
    desk.remembered.keep_song(path)
    lay_out_first_song(desk)
    assert desk.session.document.title == "First song"
    assert "broken.yue2song" in desk.window.notices.text


def test_closing_keeps_which_song_was_open(desk: Desk, tmp_path: Path) -> None:
    project = save_project(song(), tmp_path / "ferry.yue2song")
    desk.session.load(project.document, project.path, mark=project.mark)
    assert desk.window.close()
    assert desk.remembered.song() == project.path


def test_lyrics_that_are_dropped_on_the_example_begin_a_song(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("[Verse]\nOver the river\n", encoding="utf-8")
    lay_out_first_song(desk)
    example = desk.session.document
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: "river" in desk.session.document.lyrics)
    document = desk.session.document
    assert (document.title, document.style, document.score) == ("", "", None)
    assert document.id != example.id


def test_an_example_that_was_changed_is_a_song_like_any_other(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("[Verse]\nOver the river\n", encoding="utf-8")
    lay_out_first_song(desk)
    title, style = desk.session.document.title, "Jazz, trumpet"
    desk.session.apply("Style", replace(desk.session.document, style=style))
    desk.documents.open_path(path)
    qtbot.waitUntil(lambda: "river" in desk.session.document.lyrics)
    assert (desk.session.document.title, desk.session.document.style) == (title, style)
