"""The dialogs, the menus and what opens above the window, for their pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QTabWidget, QToolButton, QWidget
from ui_pose import inside, pause, settle

from yue2_desktop.library.compare import compare
from yue2_desktop.library.export_formats import export_formats
from yue2_desktop.library.making import making_of
from yue2_desktop.library.trim import TrimOffer
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.settings import Settings
from yue2_desktop.song.lyrics.lyric_file import lyrics_from
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.about import AboutDialog
from yue2_desktop.ui.dialogs.encoding import EncodingDialog
from yue2_desktop.ui.dialogs.log_viewer import LogDialog
from yue2_desktop.ui.dialogs.preferences import PreferencesDialog
from yue2_desktop.ui.dialogs.seam import QtDialogs
from yue2_desktop.ui.fit.choices import ModeButton, StepsButton
from yue2_desktop.ui.fit.why import WhyPopover
from yue2_desktop.ui.takes.compare_dialog import CompareDialog
from yue2_desktop.ui.takes.export_dialog import ExportDialog, ExportSubject
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.questions import NoteDialog, TrashDialog
from yue2_desktop.ui.takes.rows import TakeRow

Scene = tuple[str, QPixmap]
_LOG = "2026-11-29 17:00:02 INFO the engine is ready\n2026-11-29 17:00:09 WARNING the score has 2 warnings\n"


def dialogs(desk: Desk) -> Iterator[Scene]:
    """Over a window with takes."""
    yield from _own(desk)
    asked = QtDialogs(desk.window)
    yield "unsaved", _modal(lambda: asked.unsaved("First song"))
    yield "leave", _modal(asked.leave_running)
    steps = inside(desk.window, StepsButton)
    yield "steps", _modal(steps.menu().actions()[-1].trigger)
    yield from _menus(desk)


def _own(desk: Desk) -> Iterator[Scene]:
    planning = desk.window.fit_line.planning
    assert planning is not None
    lyrics = lyrics_from("[Verse]\n夏天的风吹过\n".encode("gbk"), Path("words.txt"))
    cards = (parse_pretend("6GB"), parse_pretend("8GB"))
    rows = [row for row in inside(desk.window, TakesPanel).model.rows if isinstance(row, TakeRow)]
    first, second = (row.folder for row in rows[:2])
    differences = compare(making_of(first), making_of(second))
    subject = ExportSubject(first, "First song", first.parent, TrimOffer(40 * 48_000, 42.2, 40.0))
    made: dict[str, Callable[[QWidget], QWidget]] = {
        "why": lambda parent: WhyPopover(planning, parent),
        "preferences": lambda parent: PreferencesDialog(Settings(), cards, _nowhere, parent),
        "about": AboutDialog,
        "about-made-with": _made_with,
        "log": lambda parent: LogDialog(_LOG, "~/.local/state/YuE2 Desktop/log", desk.report, parent),
        "encoding": lambda parent: EncodingDialog(lyrics, parent),
        "export": lambda parent: ExportDialog(subject, export_formats(), _nowhere, parent),
        "compare": lambda parent: CompareDialog("First song, take 3", "First song, take 2", differences, parent),
        "alike": lambda parent: CompareDialog("First song, take 3", "First song, take 2", [], parent),
        "note": lambda parent: NoteDialog("First song, take 2", "the one; softer at the end", parent),
        "trash": lambda parent: TrashDialog(("First song, take 2",), parent),
    }
    for name, make in made.items():
        widget = make(desk.window)
        if isinstance(widget, QDialog):
            widget.setModal(False)
        widget.show()
        pause(0.2)
        yield name, widget.grab()
        if isinstance(widget, ExportDialog):
            widget.begin()
            settle(lambda dialog=widget: dialog.exported is not None)  # type: ignore[misc]
            pause(0.2)
            yield "exported", widget.grab()
        widget.close()
        widget.deleteLater()


def _made_with(parent: QWidget) -> QDialog:
    dialog = AboutDialog(parent)
    inside(dialog, QTabWidget).setCurrentIndex(2)
    return dialog


def _nowhere(_heading: str, _start: Path) -> None:
    return None


def _modal(open_it: Callable[[], object]) -> QPixmap:
    """What opens and waits for an answer; the picture is taken meanwhile."""
    taken: list[QPixmap] = []

    def grab() -> None:
        box = QApplication.activeModalWidget()
        if box is not None:
            taken.append(box.grab())
            box.close()

    QTimer.singleShot(400, grab)
    open_it()
    return taken[0]


def _menus(desk: Desk) -> Iterator[Scene]:
    window = desk.window
    for name, top in zip(("file", "edit", "song", "view", "help"), window.menuBar().actions(), strict=True):
        yield f"menu-{name}", _popped(top.menu())
    counts = next(one for one in window.top_bar.findChildren(QToolButton) if one.menu() is not None)
    yield "menu-takes", _popped(counts.menu())
    yield "menu-mode", _popped(inside(window, ModeButton).menu())
    view = inside(window, TakesPanel).view
    row = view.current
    assert row is not None
    view.open_menu(row, window.mapToGlobal(QPoint(300, 300)))
    pause(0.2)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    yield "menu-row", menu.grab()
    menu.close()


def _popped(menu: QObject | None) -> QPixmap:
    assert isinstance(menu, QMenu)
    menu.popup(QPoint(40, 40))
    pause(0.2)
    picture = menu.grab()
    menu.close()
    return picture
