"""What is typed is never lost (user-reports.md, rows 109 and 110)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers
from yue2_desktop import paths
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.project_file import save_project
from yue2_desktop.song.recovery import Recovery, Snapshot
from yue2_desktop.ui.autosave import Autosave
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.session import SongSession

_TYPES_AND_DIES = """
import os, signal, sys
from dataclasses import replace
from PySide6.QtCore import QCoreApplication, QTimer
from yue2_desktop import paths
from yue2_desktop.song.recovery import Recovery
from yue2_desktop.ui.autosave import Autosave
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.session import SongSession
app = QCoreApplication([])
session = SongSession()
autosave = Autosave(session, Recovery(paths.data_folder() / "recovery"), Background())
session.apply("Typing", replace(session.document, lyrics="the ferry leaves at nine", style="folk"))
QTimer.singleShot(3000, lambda: os.kill(os.getpid(), signal.SIGKILL))
app.exec()
"""


def test_three_seconds_after_typing_a_kill_loses_nothing(desk: Desk, answers: Answers, qtbot: QtBot) -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", _TYPES_AND_DIES], cwd=root, timeout=60, check=False)
    assert done.returncode != 0
    desk.autosave.look_for_lost_songs()
    qtbot.waitUntil(lambda: "was not saved" in desk.window.notices.text, timeout=10_000)
    button = desk.window.notices.button
    assert button.text() == "Bring it back"
    button.click()
    assert desk.session.document.lyrics == "the ferry leaves at nine"
    assert desk.session.document.style == "folk"
    assert desk.session.is_modified


def test_letting_a_song_go_leaves_no_snapshot(qtbot: QtBot, session: SongSession) -> None:
    recovery = Recovery(paths.data_folder() / "recovery")
    autosave = Autosave(session, recovery, Background())
    session.apply("Typing", replace(session.document, lyrics="words"))
    autosave.write_now()
    autosave.finish(keep=False)
    assert recovery.left_behind().snapshots == ()


def test_keeping_leaves_it_for_the_next_start(qtbot: QtBot, session: SongSession) -> None:
    recovery = Recovery(paths.data_folder() / "recovery")
    autosave = Autosave(session, recovery, Background())
    session.apply("Typing", replace(session.document, lyrics="words"))
    autosave.finish(keep=True)
    (found,) = recovery.left_behind().snapshots
    assert found.document.lyrics == "words"


def test_a_disk_that_refuses_is_told_once(qtbot: QtBot, session: SongSession, tmp_path: Path) -> None:
    blocked = tmp_path / "recovery"
    blocked.write_text("a file where the folder should be", encoding="utf-8")
    autosave = Autosave(session, Recovery(blocked), Background())
    heard: list[str] = []
    autosave.failed.connect(heard.append)
    for number in range(3):
        session.apply("Typing", replace(session.document, lyrics=str(number)), None)
        autosave.write_now()
    qtbot.waitUntil(lambda: len(heard) > 0)
    autosave.finish(keep=True)
    assert len(heard) == 1
    assert "recovery" in heard[0]


def test_the_file_that_was_open_opens_again_and_loses_nothing_of_a_crash(
    desk: Desk, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    """What was typed after the last save is offered although the song's file is open again, and typed in."""
    saved = save_project(SongDocument(title="Ferry", lyrics="saved words"), tmp_path / "ferry.yue2song", expected=None)
    lost = replace(saved.document, lyrics="saved words and lost ones")
    Recovery(paths.data_folder() / "recovery").write(Snapshot(lost, saved.path, saved.mark, 1.0))
    desk.documents.open_path(saved.path)
    qtbot.waitUntil(lambda: desk.session.path == saved.path)
    desk.autosave.look_for_lost_songs()
    qtbot.waitUntil(lambda: "was not saved" in desk.window.notices.text, timeout=10_000)
    desk.session.apply("Typing", replace(desk.session.document, lyrics="typed before the answer"))
    desk.autosave.write_now()
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.notices.button.click()
    assert desk.session.document.lyrics == "saved words and lost ones"
    assert desk.session.path == saved.path
    desk.documents.save()
    qtbot.waitUntil(lambda: not desk.session.is_modified)
    recovery = Recovery(paths.data_folder() / "recovery")
    qtbot.waitUntil(lambda: recovery.left_behind().snapshots == ())


def test_every_lost_song_is_offered_the_newest_first(desk: Desk, answers: Answers, qtbot: QtBot) -> None:
    crashed = Recovery(paths.data_folder() / "recovery")
    for number, title in enumerate(("Ferry", "Harbour")):
        crashed.write(Snapshot(SongDocument(title=title, lyrics="words"), written=1.0 + number))
    desk.autosave.look_for_lost_songs()
    qtbot.waitUntil(lambda: "was not saved" in desk.window.notices.text, timeout=10_000)
    assert "Harbour" in desk.window.notices.text
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.notices.button.click()
    assert desk.session.document.title == "Harbour"
    qtbot.waitUntil(lambda: "Ferry" in desk.window.notices.text)
    desk.window.notices.button.click()
    assert desk.session.document.title == "Ferry"
