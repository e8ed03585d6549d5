"""Every control of the window and of every dialog: named, reached by Tab as one reads, pressed by Enter and Space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import song
from tests.ui.walking import deaf, nameless, out_of_reach, out_of_turn, shared_keys, shared_letters
from yue2_desktop.library.compare import Difference
from yue2_desktop.library.export_formats import export_formats
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.settings import Settings
from yue2_desktop.song.lyrics.lyric_file import lyrics_from
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.about import AboutDialog
from yue2_desktop.ui.dialogs.encoding import EncodingDialog
from yue2_desktop.ui.dialogs.log_viewer import LogDialog
from yue2_desktop.ui.dialogs.number import NumberDialog
from yue2_desktop.ui.dialogs.preferences import PreferencesDialog
from yue2_desktop.ui.dialogs.question import Answer, QuestionDialog
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.fit.why import WhyPopover
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.takes.compare_dialog import CompareDialog
from yue2_desktop.ui.takes.export_dialog import ExportDialog, ExportSubject
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.questions import NoteDialog, TrashDialog

_Role = QDialogButtonBox.ButtonRole
CARDS = (replace(parse_pretend("6GB"), uuid="GPU-6"), replace(parse_pretend("8GB"), uuid="GPU-8"))
GBK = lyrics_from("[Verse]\n夏天的风吹过我们的城市\n".encode("gbk"), Path("words.txt"))
LYRICS = "(Verse)\nThe ferry leaves at nine\n\n[Chorus]\nOver, over\n"


def nowhere(heading: str, start: Path) -> None:
    """The user thinks better of it."""


DIALOGS: dict[str, Callable[[], QDialog]] = {
    "preferences": lambda: PreferencesDialog(Settings(), CARDS, nowhere),
    "about": AboutDialog,
    "log": lambda: LogDialog("a line\n", "where it lies", lambda: "report"),
    "encoding": lambda: EncodingDialog(GBK),
    "export": lambda: ExportDialog(ExportSubject(Path("take"), "Ferry", Path()), export_formats(), nowhere),
    "compare": lambda: CompareDialog("take 1", "take 2", [Difference("seed", "41", "42")]),
    "alike": lambda: CompareDialog("take 1", "take 2", []),
    "note": lambda: NoteDialog("Ferry, take 1", "good"),
    "question": lambda: QuestionDialog(
        "Save it?",
        "Or it is lost.",
        (Answer("save", "Save", _Role.AcceptRole), Answer("cancel", "Cancel", _Role.RejectRole)),
        usual="save",
        careful="cancel",
    ),
    "number": lambda: NumberDialog("Steps", "How many.", 32, 1, 64),
    "trash": lambda: TrashDialog(("Ferry, take 1",)),
}


def blank(desk: Desk, qtbot: QtBot) -> None:
    """A window with nothing in it."""


def full(desk: Desk, qtbot: QtBot) -> None:
    """A song with words that are to be mended, a score whose text is open, and what the model wrote before."""
    window = desk.window
    desk.session.load(song(lyrics=LYRICS).with_imported_score(GOOD["01_full_twinkle"], "twinkle.abc"))
    panel = window.findChild(ScorePanel)
    panel.text.open()
    qtbot.waitUntil(lambda: panel.notation.sheet is not None, timeout=20_000)
    desk.tell("lost", "Something was not saved.", "doubtful", "Bring it back")
    qtbot.waitUntil(lambda: not desk.background.is_busy, timeout=20_000)


def small(desk: Desk, qtbot: QtBot) -> None:
    """The same in the smallest window."""
    full(desk, qtbot)
    desk.window.resize(desk.window.minimumSize())


STATES = pytest.mark.parametrize("state", [blank, full, small])


def places(desk: Desk) -> list[QWidget]:
    """The places of the window as one reads them."""
    window = desk.window
    editor, score, takes, player = (window.findChild(kind) for kind in (EditorPanel, ScorePanel, TakesPanel, PlayerBar))
    return [window.top_bar, window.notices, editor, score, window.fit_line, takes, player, window.status]


@pytest.fixture
def shown(desk: Desk, state: Callable[[Desk, QtBot], None], qtbot: QtBot) -> Desk:
    qtbot.waitUntil(lambda: desk.window.findChild(PlayerBar) is not None, timeout=20_000)
    state(desk, qtbot)
    return desk


@STATES
def test_names(shown: Desk) -> None:
    assert nameless(shown.window) == []


@STATES
def test_tab_reaches_all_in_the_order_of_reading(shown: Desk) -> None:
    assert out_of_reach(shown.window) == []
    assert out_of_turn(places(shown)) == []


@STATES
@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_every_button_is_pressed_by_key(shown: Desk, key: Qt.Key) -> None:
    assert deaf(shown.window, key) == []


@STATES
def test_every_place_is_gone_to_by_key(shown: Desk, qtbot: QtBot) -> None:
    """F2 and Ctrl+1 to Ctrl+4 put the keyboard into their place, whatever can be used in it now."""
    top, _, editor, score, _, takes, player, _ = places(shown)
    shown.window.activateWindow()
    qtbot.waitUntil(shown.window.isActiveWindow, timeout=20_000)
    for name, place in {"title": top, "words": editor, "score": score, "takes": takes, "player": player}.items():
        shown.window.actions_of_window[f"focus_{name}"].trigger()
        assert place.isAncestorOf(shown.window.focusWidget()), name
        assert shown.window.focusWidget().isEnabled(), name


@STATES
def test_no_two_share_a_key(shown: Desk) -> None:
    assert shared_keys(shown.window) == []
    assert shared_letters(shown.window) == []


@pytest.mark.parametrize("state", [full])
def test_every_action_is_in_one_menu(shown: Desk) -> None:
    tops = [top.menu() for top in shown.window.menuBar().actions()]
    listed = [action for menu in tops for action in menu.actions() if action.objectName()]
    names = [action.objectName() for action in listed]
    assert sorted(names) == sorted(action.objectName() for action in shown.window.actions_of_window.all())


@pytest.mark.parametrize("name", DIALOGS)
def test_dialogs(name: str, qtbot: QtBot) -> None:
    dialog = DIALOGS[name]()
    qtbot.addWidget(dialog)
    dialog.show()
    assert nameless(dialog) == []
    assert out_of_reach(dialog) == []
    assert out_of_turn([dialog]) == []
    assert shared_letters(dialog) == []
    defaults = [one.text() for one in dialog.findChildren(QPushButton) if one.isDefault()]
    assert len(defaults) <= 1
    assert deaf(dialog, Qt.Key.Key_Space) == []
    # Enter is the answer of the dialog, but on a button it is that button.
    assert [one for one in deaf(dialog, Qt.Key.Key_Return) if not one.startswith("QCheckBox")] == []


def test_the_popover(desk: Desk, qtbot: QtBot) -> None:
    """Why this plan: named, reached, gone through by arrow keys, closed by Esc."""
    desk.session.load(song())
    qtbot.waitUntil(lambda: desk.window.fit_line.planning is not None, timeout=20_000)
    desk.window.actions_of_window["why"].trigger()
    popover = desk.window.findChild(WhyPopover)
    assert nameless(popover) == []
    assert out_of_reach(popover) == []
    popover.resize(popover.width(), 200)
    bar = popover.findChild(QScrollArea).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=20_000)
    QTest.keyClick(popover.windowHandle(), Qt.Key.Key_Down)
    assert bar.value() > 0
    QTest.keyClick(popover.windowHandle(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: desk.window.findChild(WhyPopover) is None)
