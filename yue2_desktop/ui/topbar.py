"""The bar at the top: the song's title with its star, undo and redo, and the primary action."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.actions import Actions, plain_text, tip
from yue2_desktop.ui.dialogs.number import NumberDialog
from yue2_desktop.ui.primary import Primary, PrimaryKind
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import title_font
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette

#: How many takes are asked for at once: those in the menu, and the most by number.
COUNTS: Final = (1, 2, 4, 8)
MOST_TAKES: Final = 64
_TITLE_WIDTH: Final = 20 * metrics.GRID


class TopBar(QWidget):
    """Edits the title through the session; `primary_pressed` carries what the button said it would do."""

    primary_pressed = Signal(str)
    count_chosen = Signal(int)

    def __init__(self, session: SongSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._primary: Primary | None = None
        self._count = 1
        self._title = _TitleEdit()
        self._title.setAccessibleName(self.tr("Title of the song"))
        self._title.setFont(title_font(self.font()))
        self._title.setMinimumWidth(_TITLE_WIDTH)
        self._star = QLabel("•")
        self._star.setProperty("role", "doubtful")
        self._star.setToolTip(self.tr("There are changes that are not saved"))
        self._star.setAccessibleName(self._star.toolTip())
        self._undo, self._redo = _tool(actions["undo"]), _tool(actions["redo"])
        self._button = _PrimaryButton()
        self._button.setProperty("kind", "primary")
        self._button.setIconSize(QSize(metrics.ICON, metrics.ICON))
        self._more = QToolButton()
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setAccessibleName(self.tr("How many takes, and other renders"))
        self._more.setToolTip(self._more.accessibleName())
        self._more.setMenu(self._menu(actions))
        self._lay_out()
        self._title.textEdited.connect(self._typed)
        self._button.clicked.connect(self._pressed)
        session.changed.connect(self.show_document)
        session.saved_changed.connect(self.show_saved)
        self.show_document(session.document)
        self.show_saved()
        self._colour()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.GRID, metrics.NEAR, metrics.PADDING, metrics.GRID)
        row.setSpacing(metrics.NEAR)
        row.addWidget(self._title, 100)  # as wide as its words where there is room
        row.addWidget(self._star)
        row.addSpacing(metrics.GROUP_GAP)
        row.addWidget(self._undo)
        row.addWidget(self._redo)
        row.addStretch(1)
        row.addWidget(self._button)
        row.addWidget(self._more)

    def _menu(self, actions: Actions) -> QMenu:
        menu = QMenu(self)
        self._counts = QActionGroup(self)
        self._counts.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        for count in COUNTS:
            text = self.tr("One take") if count == 1 else self.tr("{} takes with seeds in a row").format(count)
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(count == 1)
            action.setData(count)
            self._counts.addAction(action)
        self._counts.triggered.connect(self._count_triggered)
        menu.addAction(self.tr("Another number…")).triggered.connect(self._ask_count)
        menu.addSeparator()
        for name in ("render", "write_score", "pause_queue"):
            menu.addAction(actions[name])
        return menu

    def set_primary(self, primary: Primary) -> None:
        """Shows what comes next."""
        self._primary = primary
        self._button.setText(primary.label)
        self._button.setAccessibleName(primary.label)
        self._button.setAccessibleDescription(primary.reason)
        self._button.setEnabled(not primary.reason)
        # Ctrl+Enter renders, whatever the button does.
        keys = self.tr("{} (Ctrl+Enter)") if primary.kind is PrimaryKind.RENDER else "{}"
        self._button.setToolTip(primary.reason or keys.format(primary.label))
        self._colour()

    def edit_title(self) -> None:
        """Puts the cursor into the title."""
        self._title.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._title.selectAll()

    @Slot(object)
    def show_document(self, document: SongDocument) -> None:
        """Shows the song's title, and the words that stand in for one."""
        if self._title.text() != document.title:
            self._title.setText(document.title)
            self._title.setCursorPosition(0)
        self._title.setPlaceholderText(replace(document, title="").shown_title)
        self._fit_title()

    @Slot()
    def show_saved(self) -> None:
        """Shows or hides the star."""
        self._star.setVisible(self._session.is_modified)

    @Slot(str)
    def _typed(self, title: str) -> None:
        self._session.apply(self.tr("Title"), replace(self._session.document, title=title), "title")

    @Slot()
    def _pressed(self) -> None:
        if self._primary is not None:
            self.primary_pressed.emit(self._primary.kind.value)

    @Slot(QAction)
    def _count_triggered(self, action: QAction) -> None:
        self._choose_count(action.data())

    @Slot()
    def _ask_count(self) -> None:
        words = self.tr("Each has the next seed: 1 to {}, one after another").format(MOST_TAKES)
        dialog = NumberDialog(self.tr("Takes of a render"), words, self._count, 1, MOST_TAKES, self.window())
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self._choose_count(dialog.value)
        dialog.deleteLater()

    def _choose_count(self, count: int) -> None:
        self._count = count
        for action in self._counts.actions():
            action.setChecked(action.data() == count)
        self.count_chosen.emit(count)

    def _fit_title(self) -> None:
        text = self._title.text() or self._title.placeholderText()
        wanted = self._title.fontMetrics().horizontalAdvance(text) + 4 * metrics.GRID
        self._title.setMaximumWidth(max(_TITLE_WIDTH, wanted))

    def _colour(self) -> None:
        palette = current_palette()
        self._more.setIcon(icon("chevron-down"))
        if self._primary is not None:
            self._button.setIcon(icon(self._primary.icon, colour=palette.on_accent))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


class _PrimaryButton(QPushButton):
    """One press for a double-click: after the first the button does something else, and a second render takes long."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's own: it would be another press."""
        event.accept()


class _TitleEdit(QLineEdit):
    """A line that looks like a heading until it is typed in; undo is the song's, not the line's."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "quiet")
        self.setMaxLength(200)
        self.returnPressed.connect(self.clearFocus)

    def event(self, event: QEvent) -> bool:
        """Qt's own: lets the window's undo and redo through."""
        if event.type() == QEvent.Type.ShortcutOverride and _is_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's own: a title that is longer than the line shows its beginning to who only reads it."""
        super().focusOutEvent(event)
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            self.setCursorPosition(0)


def _is_undo(event: QEvent) -> bool:
    assert isinstance(event, QKeyEvent)
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


def _tool(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(metrics.ICON_TOOLBAR, metrics.ICON_TOOLBAR))
    button.setToolTip(tip(action))
    button.setAccessibleName(plain_text(action))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
