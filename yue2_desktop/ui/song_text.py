"""A field for a text of the song: its undo is the song's own history, and what is wrong in it is mended in place."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QWidget

from yue2_desktop.ui.line_ends import with_line_feeds


class SongTextEdit(QPlainTextEdit):
    """A block for each line. `typed` says that somebody typed, `replaced` (with a name for the step) that text came
    or went at once.

    A field of its own kind gives `context_menu` and `mend_here`, and may hear of every change in `_changed`. While
    `_quiet` is set nothing is told; `_step` names what is about to change.
    """

    typed = Signal()
    replaced = Signal(str)
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self._known = ""
        self._step = ""
        self._quiet = False
        self.textChanged.connect(self._tell)

    def words(self) -> str:
        """The text with line feeds; no-break spaces stay, which Qt's own `toPlainText` turns into plain ones."""
        return self.document().toRawText().replace("\u2029", "\n")

    def context_menu(self, at: QPoint) -> QMenu:
        """The menu for a point of the view."""
        raise NotImplementedError

    def mend_here(self) -> None:
        """Alt+Enter: mends what is wrong at the cursor, or the next thing."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: the history is the song's, and a line is a paragraph."""
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        modifiers = event.modifiers()
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_asked.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_asked.emit()
        elif enter and modifiers & Qt.KeyboardModifier.AltModifier:
            self.mend_here()
        elif enter and modifiers & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the window's: render
        elif enter and modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Qt's own."""
        menu = self.context_menu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Qt's own: files are the window's to open, wherever they are dropped."""
        return not any(url.isLocalFile() for url in source.urls()) and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Qt's own: a paste is a step of its own, whole, however long."""
        self._step = self.tr("Paste")
        self.textCursor().insertText(with_line_feeds(source.text()))
        self._step = ""
        self.ensureCursorVisible()

    def _changed(self) -> None:
        """The words are other ones than before."""

    @Slot()
    def _tell(self) -> None:
        words = self.words()
        if words == self._known:  # colours were changed, or an input method began
            return
        self._known = words
        self._changed()
        if self._quiet:
            return
        if self._step:
            self.replaced.emit(self._step)
        else:
            self.typed.emit()
