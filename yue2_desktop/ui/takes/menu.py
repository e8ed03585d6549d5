"""What can be done with a row, for its menu: names in order, each with its words and its key."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.takes.rows import JobRow, Row, TakeRow
from yue2_desktop.ui.theme.icons import icon


@dataclass(frozen=True)
class Deed:
    """One entry; `name` is what the panel does. An empty name is a line between entries."""

    name: str = ""
    text: str = ""
    icon: str = ""
    keys: str = ""


_LINE = Deed()


def deeds(row: Row, *, other: Row | None = None) -> tuple[Deed, ...]:
    """What can be done with `row` as it stands; `other` is a second take that is selected, to compare with."""
    return _of_take(row, other) if isinstance(row, TakeRow) else _of_job(row)


def _of_take(row: TakeRow, other: Row | None) -> tuple[Deed, ...]:
    take = row.take
    sound = (Deed("play", _tr("Play"), "play", "Return"),) if row.has_sound else ()
    final = (Deed("finalise", _tr("Make the final of this draft"), "render"),) if take.is_draft else ()
    export = (Deed("export", _tr("Export…"), "export"),) if row.has_sound else ()
    two = isinstance(other, TakeRow) and other.key != row.key
    return (
        *sound,
        *final,
        Deed("star", _tr("Take the star away") if take.star else _tr("Star"), "star", "S"),
        Deed("note", _tr("Note…"), "write", "F2"),
        _LINE,
        Deed("settings", _tr("Use these settings"), "settings"),
        *((Deed("compare", _tr("Compare the two takes…"), "compare"),) if two else ()),
        *export,
        Deed("folder", _tr("Show in folder"), "folder"),
        _LINE,
        Deed("trash", _tr("Move to the bin…"), "trash", "Del"),
    )


def _of_job(row: JobRow) -> tuple[Deed, ...]:
    state = row.job.state
    cancel = Deed("cancel", _tr("Cancel"), "close", "Del")
    duplicate = Deed("duplicate", _tr("Queue it once more"), "duplicate")
    if row.cancelling:
        return (duplicate,)
    if state is JobState.RUNNING:
        return (Deed("pause", _tr("Pause"), "pause"), cancel, _LINE, duplicate)
    if state is JobState.WAITING:
        order = (Deed("up", _tr("Earlier"), "up", "Ctrl+Up"), Deed("down", _tr("Later"), "down", "Ctrl+Down"))
        return (Deed("pause", _tr("Pause"), "pause"), *order, cancel, _LINE, duplicate)
    if state in {JobState.PAUSED, JobState.INTERRUPTED}:
        return (Deed("resume", _tr("Go on"), "play", "Return"), cancel, _LINE, duplicate)
    return (
        Deed("retry", _tr("Try again"), "retry", "Return"),
        duplicate,
        Deed("remove", _tr("Remove from the list"), "remove", "Del"),
    )


def menu_of(entries: tuple[Deed, ...], parent: QWidget) -> QMenu:
    """A menu of these entries; the name of each is the data of its action. The keys are the view's own."""
    menu = QMenu(parent)
    for deed in entries:
        if not deed.name:
            menu.addSeparator()
            continue
        action = QAction(icon(deed.icon), deed.text, menu)
        action.setData(deed.name)
        if deed.keys:
            # Written, not set: a shortcut of an action would be heard a second time.
            keys = QKeySequence(deed.keys).toString(QKeySequence.SequenceFormat.NativeText)
            action.setText(f"{deed.text}\t{keys}")
        menu.addAction(action)
    return menu


def _tr(text: str) -> str:
    return QCoreApplication.translate("Takes", text)
