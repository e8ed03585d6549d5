"""What can be done with a row, for its menu: names in order, each with its words and its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from yue2_desktop.queue.job import JobState
from yue2_desktop.runtime.orders import is_rest
from yue2_desktop.ui.takes.rows import JobRow, Row, TakeRow, meant
from yue2_desktop.ui.theme.icons import icon


@dataclass(frozen=True)
class Deed:
    """One entry; `name` is what the panel does. An empty name is a line between entries."""

    name: str = ""
    text: str = ""
    icon: str = ""
    keys: str = ""


_LINE = Deed()


def deeds(row: Row, *, chosen: Sequence[Row] = (), waiting: int = 0) -> tuple[Deed, ...]:
    """What can be done with `row` as it stands; `chosen` are the rows that are selected, `waiting` how many wait."""
    return _of_take(row, chosen) if isinstance(row, TakeRow) else _of_job(row, chosen, waiting)


def _of_take(row: TakeRow, chosen: Sequence[Row]) -> tuple[Deed, ...]:
    take = row.take
    sound = (Deed("play", _tr("Play"), "play", "Return"),) if row.has_sound else ()
    keys = "Return" if row.button == "finish" else ""
    rest = (Deed("finish", _tr("Finish this take"), "retry", keys),) if row.can_go_on else ()
    words = _tr("Make the final of this draft") if take.is_draft else _tr("Make the final of this sketch")
    final = (Deed("finalise", words, "render"),) if row.can_be_final else ()
    export = (Deed("export", _tr("Export…"), "export"),) if row.has_sound else ()
    two = len(chosen) == 2 and all(isinstance(one, TakeRow) for one in chosen) and row in chosen
    return (
        *sound,
        *rest,
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


def _of_job(row: JobRow, chosen: Sequence[Row], waiting: int) -> tuple[Deed, ...]:
    state = row.job.state
    # Of the rest of a take there is no second one.
    once_more = Deed("duplicate", _tr("Queue it once more"), "duplicate")
    duplicate = () if is_rest(row.job.order) else (once_more,)
    if row.cancelling:
        return duplicate
    if state.is_over:
        return _of_one_that_is_over(row, chosen, duplicate)
    count = len(meant("cancel", row, chosen))
    cancels = [Deed("cancel", _tr("Cancel these {}").format(count) if count > 1 else _tr("Cancel"), "close", "Del")]
    if waiting > max(1, count):
        cancels.append(Deed("cancel_all", _tr("Cancel all {} that wait").format(waiting), "close"))
    aside = Deed("pause", _tr("Pause"), "pause")
    if state is JobState.RUNNING:
        return _parted((aside, *cancels), duplicate)
    if state is JobState.WAITING:
        order = (Deed("up", _tr("Earlier"), "up", "Ctrl+Up"), Deed("down", _tr("Later"), "down", "Ctrl+Down"))
        return _parted((aside, *order, *cancels), duplicate)
    return _parted((Deed("resume", _tr("Go on"), "play", "Return"), *cancels), duplicate)


def _of_one_that_is_over(row: JobRow, chosen: Sequence[Row], duplicate: tuple[Deed, ...]) -> tuple[Deed, ...]:
    """A take that was begun has no row of its own while its job is listed; what there is of it is reached here."""
    begun = (
        _LINE,
        Deed("settings", _tr("Use these settings"), "settings"),
        Deed("folder", _tr("Show in folder"), "folder"),
        _LINE,
    )
    count = len(meant("remove", row, chosen))
    text = _tr("Remove these {} from the list").format(count) if count > 1 else _tr("Remove from the list")
    return (
        Deed("retry", _tr("Try again"), "retry", "Return"),
        *duplicate,
        *(begun if row.job.started is not None else ()),
        Deed("remove", text, "remove", "Del"),
    )


def _parted(these: tuple[Deed, ...], those: tuple[Deed, ...]) -> tuple[Deed, ...]:
    return (*these, _LINE, *those) if those else these


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
