"""How many takes a render makes: those of the menu, or any other number; the primary button."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QMenu, QPushButton, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.actions import Actions
from yue2_desktop.ui.dialogs.number import NumberDialog
from yue2_desktop.ui.primary import Primary, PrimaryKind
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.topbar import COUNTS, MOST_TAKES, TopBar


def test_takes_are_counted_by_the_menu_or_by_number(session: SongSession, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = TopBar(session, Actions(window))
    window.setCentralWidget(bar)
    heard: list[int] = []
    bar.count_chosen.connect(heard.append)
    menu = next(one.menu() for one in bar.findChildren(QToolButton) if one.menu() is not None)
    other = next(one for one in menu.actions() if one.text().startswith("Another number"))

    def answered(key: Qt.Key, value: int) -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, NumberDialog)
        dialog.findChild(QSpinBox).setValue(value)
        qtbot.keyClick(dialog, key)

    def ask(key: Qt.Key, value: int) -> None:
        QTimer.singleShot(0, lambda: answered(key, value))
        other.trigger()

    menu.actions()[2].trigger()
    assert (heard, ticked(menu)) == ([4], [4])
    ask(Qt.Key.Key_Escape, 3)
    assert (heard, ticked(menu)) == ([4], [4])
    ask(Qt.Key.Key_Return, 3)
    assert (heard, ticked(menu)) == ([4, 3], [])
    ask(Qt.Key.Key_Return, MOST_TAKES + 1)
    ask(Qt.Key.Key_Return, 8)
    assert (heard[2:], ticked(menu)) == ([MOST_TAKES, 8], [8])
    menu.actions()[3].trigger()  # what is ticked already stays so
    assert (heard[-1], ticked(menu)) == (8, [8])


def test_a_long_title_shows_its_beginning_once_it_is_left(session: SongSession, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = TopBar(session, Actions(window))
    window.setCentralWidget(bar)
    with qtbot.waitActive(window):
        window.show()
    (title,) = bar.findChildren(QLineEdit)
    bar.edit_title()
    qtbot.waitUntil(title.hasFocus)
    qtbot.keyClicks(title, "A long night by the sea")
    assert title.cursorPosition() == len(session.document.title) > 0
    qtbot.keyClick(title, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not title.hasFocus())
    assert title.cursorPosition() == 0
    assert session.document.title == "A long night by the sea"


def test_a_double_click_on_the_primary_button_is_one_press(session: SongSession, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = TopBar(session, Actions(window))
    window.setCentralWidget(bar)
    (button,) = bar.findChildren(QPushButton)
    heard: list[str] = []

    def played(kind: str) -> None:
        heard.append(kind)
        bar.set_primary(Primary(PrimaryKind.RENDER, "Render", "render"))

    bar.primary_pressed.connect(played)
    bar.set_primary(Primary(PrimaryKind.PLAY, "Play", "play"))
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(button, left)
    qtbot.mouseDClick(button, left)
    qtbot.mouseRelease(button, left)
    assert heard == ["play"], "nobody asked for a render"
    qtbot.mouseClick(button, left)
    assert heard == ["play", "render"]


def ticked(menu: QMenu) -> list[int]:
    return [one.data() for one in menu.actions() if one.isChecked() and one.data() in COUNTS]
