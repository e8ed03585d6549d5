"""The view of the list: keys, clicks on parts of a row, the menu, and dragging renders to another place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.takes.delegate import RowDelegate
from yue2_desktop.ui.takes.menu import Deed, deeds, menu_of
from yue2_desktop.ui.takes.model import Index, TakesModel
from yue2_desktop.ui.takes.rows import JobRow, Row, TakeRow, meant
from yue2_desktop.ui.takes.stillness import Laid, Stillness
from yue2_desktop.ui.theme.applied import number_font

_Key = Qt.Key
#: Keys that the window has its own use for; with the list in focus they are the list's.
_OURS: Final = frozenset({_Key.Key_F2, _Key.Key_Space, _Key.Key_Delete, _Key.Key_S, _Key.Key_Return, _Key.Key_Enter})


class TakesView(QListView):
    """`wished` carries what is to be done, by name (see `menu`), and the row that it is to be done with."""

    wished = Signal(str, object)

    def __init__(self, model: TakesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._takes = model
        self._menu_row: Row | None = None
        self._pressed_part = False
        self._stillness = Stillness()
        self.setModel(model)
        model.shifts.connect(self._shifts)
        self._is_current_lost = False
        model.rowsRemoved.connect(self._follow)
        self.rows = RowDelegate(self)
        self.setItemDelegate(self.rows)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setTabKeyNavigation(False)

    @property
    def current(self) -> Row | None:
        """The row that keys are about."""
        return self._takes.row_at(self.currentIndex())

    @property
    def chosen(self) -> tuple[Row, ...]:
        """The rows that are selected, from top to bottom."""
        found = sorted(self.selectionModel().selectedIndexes(), key=QModelIndex.row)
        return tuple(row for row in (self._takes.row_at(index) for index in found) if row is not None)

    def select(self, key: str) -> None:
        """Makes the row with that key the current one, if it is there."""
        index = self._takes.index_of(key)
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    def event(self, event: QEvent) -> bool:
        """Qt's own: keys of the list come before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() in {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier}
            moves = event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() in {
                _Key.Key_Up,
                _Key.Key_Down,
            }
            if moves or (plain and event.key() in _OURS):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: what a key means for the current row."""
        row = self.current
        name = "" if row is None else _deed_of_key(event, row)
        if row is None or not name:
            super().keyPressEvent(event)
            return
        event.accept()
        if not event.isAutoRepeat() or name in {"up", "down"}:
            self._wish(name, row)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt's own: there is always a row that keys are about."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self._takes.rowCount():
            self.selectionModel().setCurrentIndex(
                self._takes.index(0), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's own: parts of a row are buttons, and do not change what is selected.

        One that has only just come to lie under the pointer is not what was aimed at, and nothing is done.
        """
        part = self._part_at(event.position().toPoint()) if event.button() == Qt.MouseButton.LeftButton else None
        self._pressed_part = part is not None
        if part is None:
            super().mousePressEvent(event)
            return
        name, row = part
        event.accept()
        if not self.rests_at(event.position().toPoint()):
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if name == "more":
            if row.key not in {one.key for one in self.chosen}:  # of several that are selected it opens the menu of all
                self.select(row.key)
            self.open_menu(row, event.globalPosition().toPoint())
        else:
            self.wished.emit(name, row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's own: where a press was for a part of a row, its end does not change what is selected either."""
        if self._pressed_part and event.button() == Qt.MouseButton.LeftButton:
            self._pressed_part = False
            event.accept()
        else:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's own: plays a take."""
        row = self._takes.row_at(self.indexAt(event.position().toPoint()))
        if isinstance(row, TakeRow) and row.has_sound and self._part_at(event.position().toPoint()) is None:
            self.wished.emit("play", row)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's own: the hand over what can be pressed."""
        over = self._part_at(event.position().toPoint()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Qt's own: by mouse where it is, by key at the current row."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self._takes.row_at(index)
        if row is not None:
            if by_key:
                self.scrollTo(index)  # the wheel may have taken it out of sight
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.open_menu(row, place)

    def open_menu(self, row: Row, place: QPoint) -> None:
        """The menu of a row."""
        menu = menu_of(self._deeds(row), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.triggered.connect(self._chosen_in_menu)
        self._menu_row = row
        menu.popup(place)

    @Slot(QAction)
    def _chosen_in_menu(self, action: QAction) -> None:
        opened_for = self._menu_row
        row = None if opened_for is None else self._takes.row_at(self._takes.index_of(opened_for.key))
        # It may have come to its end, or be gone, while the menu was open.
        if row is not None and action.data() in {deed.name for deed in self._deeds(row)}:
            self._wish(action.data(), row)

    def _deeds(self, row: Row) -> tuple[Deed, ...]:
        return deeds(row, chosen=self.chosen, waiting=len(self._takes.waiting))

    def _wish(self, name: str, row: Row) -> None:
        """By key or menu: what is done with one render of those that are selected is done with all."""
        for one in meant(name, row, self.chosen) if name in {"cancel", "remove"} else (row,):
            self.wished.emit(name, one)

    def rests_at(self, point: QPoint) -> bool:
        """Whether a press there is for what has been there for a while, and not for what has just come."""
        return self._stillness.holds(point.y(), self._laid())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's own."""
        super().paintEvent(event)
        self._stillness.painted()

    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        """Qt's own: another row becomes the current one, and shows it while the rows above it are still there."""
        self._is_current_lost |= start <= self.currentIndex().row() <= end
        super().rowsAboutToBeRemoved(parent, start, end)

    @Slot()
    def _follow(self) -> None:
        if self._is_current_lost and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    @Slot()
    def _shifts(self) -> None:
        self._is_current_lost = False
        self._stillness.note(self._laid())

    def _laid(self) -> Laid:
        height = self.visualRect(self._takes.index(0)).height() if self._takes.rowCount() else 1
        return Laid(self._takes.laid, self.verticalOffset(), max(1, height))

    def _part_at(self, point: QPoint) -> tuple[str, Row] | None:
        index = self.indexAt(point)
        row = self._takes.row_at(index)
        if row is None:
            return None
        where = self.rows.places_of(self.visualRect(index), QFontMetrics(number_font(self.font())))
        if where.more.contains(point):
            return "more", row
        if isinstance(row, TakeRow) and where.star.contains(point):
            return "star", row
        return (row.button, row) if row.button and where.play.contains(point) else None


def _deed_of_key(event: QKeyEvent, row: Row) -> str:
    key, modifiers = event.key(), event.modifiers()
    if modifiers == Qt.KeyboardModifier.ControlModifier and isinstance(row, JobRow) and row.can_move:
        moves: dict[int, str] = {_Key.Key_Up: "up", _Key.Key_Down: "down"}
        return moves.get(key, "")
    if modifiers not in {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier}:
        return ""
    if isinstance(row, TakeRow):
        names: dict[int, str] = {
            _Key.Key_Return: row.button,
            _Key.Key_Enter: row.button,
            _Key.Key_Space: "toggle",
            _Key.Key_S: "star",
            _Key.Key_F2: "note",
            _Key.Key_Delete: "trash",
        }
        return names.get(key, "")
    if key in {_Key.Key_Return, _Key.Key_Enter}:
        resumable = {JobState.PAUSED, JobState.INTERRUPTED}
        return "retry" if row.job.state.is_over else "resume" if row.job.state in resumable else ""
    if key == _Key.Key_Delete and not row.cancelling:
        return "remove" if row.job.state.is_over else "cancel"
    return "toggle" if key == _Key.Key_Space else ""
