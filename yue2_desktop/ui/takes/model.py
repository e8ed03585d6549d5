"""The list as Qt's model: never reset, since a reset would lose selection, scroll place and a drag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.takes.rows import JobRow, Row
from yue2_desktop.ui.takes.words import spoken, tip

Index = QModelIndex | QPersistentModelIndex

#: The role that holds the row itself.
ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
_MIME: Final = "application/x-yue2-job"


class TakesModel(QAbstractListModel):
    """Rows by key. `moved` carries a job's id and the id of the job that it is put before, None for the end.

    `shifts` comes before rows come, go, move or have another button.
    """

    moved = Signal(int, object)
    shifts = Signal()

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._laid: tuple[str, ...] = ()

    @property
    def laid(self) -> tuple[str, ...]:
        """What a press on the button of each row means."""
        return self._laid

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows as they are shown."""
        return tuple(self._rows)

    @property
    def waiting(self) -> tuple[JobRow, ...]:
        """The renders that wait for their turn, in its order."""
        return tuple(row for row in self._rows if isinstance(row, JobRow) and row.job.state is JobState.WAITING)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Becomes `rows`, whose keys must differ, by removing, ordering, inserting and changing what is there."""
        laid = tuple(f"{row.button} {row.key}" for row in rows)
        if laid == self._laid:  # as at every step of a render
            for place, row in enumerate(rows):
                self._change(place, row)
            return
        self.shifts.emit()
        self._laid = laid
        wanted = {row.key: place for place, row in enumerate(rows)}
        for place in range(len(self._rows) - 1, -1, -1):
            if self._rows[place].key not in wanted:
                self.beginRemoveRows(QModelIndex(), place, place)
                del self._rows[place]
                self.endRemoveRows()
        self._order(wanted)
        there = {row.key for row in self._rows}
        place = 0
        while place < len(rows):
            row = rows[place]
            if row.key in there:
                self._change(place, row)
                place += 1
                continue
            end = next((at for at in range(place, len(rows)) if rows[at].key in there), len(rows))
            self.beginInsertRows(QModelIndex(), place, end - 1)
            self._rows[place:place] = rows[place:end]
            self.endInsertRows()
            place = end

    def _change(self, place: int, row: Row) -> None:
        if self._rows[place] != row:
            self._rows[place] = row
            index = self.index(place)
            self.dataChanged.emit(index, index)

    def _order(self, wanted: Mapping[str, int]) -> None:
        """Brings the rows that are there into another order at once, for one move a row is slow in a long list."""
        ordered = sorted(self._rows, key=lambda row: wanted[row.key])
        if all(one is other for one, other in zip(ordered, self._rows, strict=True)):
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        keys = [self._rows[index.row()].key for index in before]
        self._rows = ordered
        places = {row.key: place for place, row in enumerate(ordered)}
        self.changePersistentIndexList(before, [self.index(places[key]) for key in keys])
        self.layoutChanged.emit()

    def index_of(self, key: str) -> QModelIndex:
        """The index of the row with that key; an invalid one where there is none."""
        place = next((at for at, row in enumerate(self._rows) if row.key == key), None)
        return QModelIndex() if place is None else self.index(place)

    def row_at(self, index: Index) -> Row | None:
        """The row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default, never changed
        """Qt's own."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Qt's own: the row, and the row in words."""
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return spoken(row, datetime.now(UTC))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Qt's own: jobs that wait can be dragged."""
        flags = super().flags(index)
        row = self.row_at(index)
        if row is None:
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        if isinstance(row, JobRow) and row.can_move:
            return flags | Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def supportedDropActions(self) -> Qt.DropAction:
        """Qt's own."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Qt's own."""
        return [_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Qt's own: the job that is dragged."""
        made = QMimeData()
        row = self.row_at(indexes[0]) if indexes else None
        if isinstance(row, JobRow):
            made.setData(_MIME, str(row.job.id).encode("ascii"))
        return made

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """Qt's own: tells where a job is to be put; the queue does it, and new rows follow.

        It says False, since Qt would otherwise remove the row that was dragged.
        """
        if data.hasFormat(_MIME):
            job = int(bytes(data.data(_MIME).data()))
            place = row if row >= 0 else parent.row() if parent.isValid() else len(self._rows)
            behind = self._rows[max(0, place) :]
            before = next((one.job.id for one in behind if isinstance(one, JobRow) and one.can_move), None)
            if before != job:
                self.moved.emit(job, before)
        return False
