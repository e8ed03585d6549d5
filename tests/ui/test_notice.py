"""The line above the panels: what waits is said, stepped through by keys, and put away one by one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song
from yue2_desktop import paths
from yue2_desktop.settings import Settings
from yue2_desktop.song.recovery import Recovery, Snapshot
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.notice import NoticeLine
from yue2_desktop.ui.notice_queue import Notice


@pytest.fixture
def line(qtbot: QtBot) -> NoticeLine:
    made = NoticeLine()
    qtbot.addWidget(made)
    return made


def close_of(line: NoticeLine) -> QToolButton:
    return next(one for one in line.findChildren(QToolButton) if one.accessibleName() == "Put this notice away")


def test_one_notice_has_no_number(line: NoticeLine) -> None:
    assert line.isHidden()
    line.tell(Notice("told", "All is well."))
    assert (line.text, line.isHidden(), line.step.isHidden()) == ("All is well.", False, True)


def test_a_calm_one_waits_behind_a_bad_one_and_is_come_to_by_key(line: NoticeLine, qtbot: QtBot) -> None:
    line.tell(Notice("wrong", "It is broken.", "bad"))
    line.tell(Notice("told", "It is copied."))
    line.show()
    assert (line.text, line.step.text()) == ("It is broken.", "1 of 2")
    assert line.step.accessibleName() == "Notice 1 of 2; show the next one"
    assert line.step.focusPolicy() & Qt.FocusPolicy.TabFocus
    line.step.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(line.step, Qt.Key.Key_Space)
    assert (line.text, line.step.text()) == ("It is copied.", "2 of 2")
    close_of(line).click()
    assert (line.text, line.step.isHidden()) == ("It is broken.", True)
    close_of(line).click()
    assert line.isHidden()
    assert line.text == ""


def test_a_button_acts_for_the_notice_on_show_only(line: NoticeLine) -> None:
    done: list[str] = []

    def does(what: str) -> Callable[[], None]:
        return lambda: done.append(what)

    line.tell(Notice("first", "One.", "bad", "Do one", does("one"), "Do other", does("other")))
    line.tell(Notice("second", "Two.", "bad", "Do two", does("two")))
    assert (line.button.text(), line.other.isHidden()) == ("Do two", True)
    line.button.click()
    assert (done, line.text, line.button.text()) == (["two"], "One.", "Do one")
    line.other.click()
    assert (done, line.text) == (["two", "other"], "")


def test_a_damaged_queue_and_a_song_that_was_not_saved_are_both_read(qtbot: QtBot, answers: Answers) -> None:
    """Both are told at the start, and neither covers the other; that there is no model waits behind them."""
    queue = paths.data_folder() / "queue.sqlite3"
    queue.parent.mkdir(parents=True, exist_ok=True)
    queue.write_bytes(b"no database at all" * 400)
    Recovery(paths.data_folder() / "recovery").write(Snapshot(song(title="Harbour")))
    desk = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine())
    desk.show()
    line = desk.window.notices
    qtbot.waitUntil(lambda: line.step.text() in {"1 of 3", "2 of 3"}, timeout=20_000)
    read = []
    for _ in range(3):
        read.append(line.text)
        line.step.click()
    assert any("queue could not be read" in text for text in read[:2])
    assert any("“Harbour” was not saved" in text for text in read[:2])
    assert "No model yet" in read[2]
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.close()
    desk.window.deleteLater()
    desk.deleteLater()
