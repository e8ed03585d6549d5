"""The main window: words, score and takes in their places, the fit line, the player, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QSplitter, QVBoxLayout, QWidget

from yue2_desktop.ui.actions import Actions
from yue2_desktop.ui.fit.line import FitLine
from yue2_desktop.ui.menus import Menus
from yue2_desktop.ui.notice import NoticeLine
from yue2_desktop.ui.panels import EmptyPlace, Panels, PlayerPlace
from yue2_desktop.ui.remembered import Remembered
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.statusbar import StatusBar
from yue2_desktop.ui.tab_order import KEYBOARD, put_in_order
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.topbar import TopBar
from yue2_desktop.ui.wheel import CalmWheel
from yue2_desktop.ui.window_size import first_size

_WORDS_SHARE, _SCORE_SHARE = 5, 7


class MainWindow(QMainWindow):
    """Lays the panels out and says what its user wants; it knows neither engine nor files."""

    dropped = Signal(object)
    play_pressed = Signal()

    def __init__(
        self,
        session: SongSession,
        panels: Panels,
        remembered: Remembered,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._remembered = remembered
        self._may_close: Callable[[], bool] | None = None
        self.actions_of_window = Actions(self)
        self.addActions(self.actions_of_window.all())
        self.menus = Menus(self.menuBar(), self.actions_of_window, self)
        self.top_bar = TopBar(session, self.actions_of_window)
        self.notices = NoticeLine()
        self.fit_line = FitLine()
        self.status = StatusBar()
        self._editor = panels.editor or EmptyPlace(self.tr("Words"))
        self._score = panels.score or EmptyPlace(self.tr("Score"))
        self._takes = panels.takes or EmptyPlace(self.tr("Takes and queue"))
        self._player = panels.player or PlayerPlace()
        self._wheel = CalmWheel(self)
        self._wanted: QWidget | None = None
        self._progress = ""
        self._lay_out()
        self._wire()
        self.setAcceptDrops(True)
        self.setMinimumSize(*metrics.SMALLEST)
        self.resize(first_size(self.screen().availableSize()))
        self.restoreGeometry(remembered.state("window"))
        self.show_title()
        self._focus_words()

    def _lay_out(self) -> None:
        self._sides = _splitter(Qt.Orientation.Horizontal, self._editor, self._score)
        self._sides.setSizes([_WORDS_SHARE * 100, _SCORE_SHARE * 100])
        song = QWidget()
        column = _column(song)
        column.addWidget(self._sides, 1)
        column.addWidget(_rule())
        column.addWidget(self.fit_line)
        self._halves = _splitter(Qt.Orientation.Vertical, song, self._takes)
        self._halves.setSizes([549, 179])  # three whole rows of takes at the first size
        centre = QWidget()
        centre.setObjectName("window")
        self._whole = whole = _column(centre)
        for part in (self.top_bar, self.notices, _rule()):
            whole.addWidget(part)
        whole.addWidget(self._halves, 1)
        for part in (_rule(), self._player, _rule()):
            whole.addWidget(part)
        self._stretch()
        self.setCentralWidget(centre)
        self._wheel.watch(centre)
        self.setStatusBar(self.status)  # the last to be added is the last that Tab comes to
        for name, splitter in (("sides", self._sides), ("halves", self._halves)):
            splitter.restoreState(self._remembered.state(name))

    def _stretch(self) -> None:
        """How splitters share what a larger window has; a widget that takes another one's place begins without."""
        for splitter, shares in ((self._sides, (_WORDS_SHARE, _SCORE_SHARE)), (self._halves, (3, 1))):
            for number, share in enumerate(shares):
                splitter.setStretchFactor(number, share)
        self._takes.setMinimumHeight(11 * metrics.GRID)  # one whole row

    def put_in(self, panels: Panels) -> None:
        """Panels take the places of what stood in for them, with its size, its turn in the order of Tab, its focus."""
        if panels.score is not None:
            self._score = self._exchanged(self._score, panels.score, self._sides)
        if panels.takes is not None:
            self._takes = self._exchanged(self._takes, panels.takes, self._halves)
        if panels.player is not None:
            self._player = self._exchanged(self._player, panels.player, None)
        self._stretch()
        self._wheel.watch(self)
        put_in_order([
            self.top_bar, self.notices, self._editor, self._score, self.fit_line, self._takes, self._player, self.status
        ])  # fmt: skip

    def _exchanged(self, old: QWidget, new: QWidget, splitter: QSplitter | None) -> QWidget:
        if splitter is None:
            self._whole.replaceWidget(old, new)
            old.setParent(None)
        else:
            state = splitter.saveState()
            splitter.replaceWidget(splitter.indexOf(old), new)
            splitter.restoreState(state)
        new.show()
        old.deleteLater()
        if self._wanted is old:
            self._wanted = None
            _focus(new)
        return new

    def _wire(self) -> None:
        session, actions = self._session, self.actions_of_window
        session.saved_changed.connect(self.show_title)
        session.changed.connect(self.show_title)
        stack = session.undo_stack
        stack.canUndoChanged.connect(actions["undo"].setEnabled)
        stack.canRedoChanged.connect(actions["redo"].setEnabled)
        stack.undoTextChanged.connect(self._show_undo)
        stack.redoTextChanged.connect(self._show_redo)
        for name, step in (("undo", stack.undo), ("redo", stack.redo)):
            actions[name].setEnabled(False)
            actions[name].triggered.connect(step)
        focused: dict[str, Callable[[], object]] = {
            "focus_title": self.top_bar.edit_title,
            "focus_words": self._focus_words,
            "focus_score": self._focus_score,
            "focus_takes": self._focus_takes,
            "focus_player": self._focus_player,
            "why": self.fit_line.explain,
            "play": self.play_pressed.emit,
            "quit": self.close,
        }
        for name, do in focused.items():
            actions[name].triggered.connect(do)

    def guard_closing(self, may_close: Callable[[], bool]) -> None:
        """`may_close` is asked before the window closes."""
        self._may_close = may_close

    def show_progress(self, words: str) -> None:
        """How far a render is; empty while none runs."""
        if words != self._progress:
            self._progress = words
            self.show_title()

    @Slot()
    def show_title(self) -> None:
        """The window's own title, with the star of the system."""
        progress = f"{self._progress} · " if self._progress else ""
        self.setWindowTitle(f"{progress}{self._session.document.shown_title}[*] · YuE2 Desktop")
        self.setWindowModified(self._session.is_modified)
        self.setWindowFilePath("" if self._session.path is None else str(self._session.path))

    @Slot(str)
    def _show_undo(self, text: str) -> None:
        self._show_step("undo", self.tr("&Undo"), text)

    @Slot(str)
    def _show_redo(self, text: str) -> None:
        self._show_step("redo", self.tr("&Redo"), text)

    def _show_step(self, name: str, verb: str, text: str) -> None:
        shown = text[:1].lower() + text[1:]
        self.actions_of_window[name].setText(f"{verb} {shown}" if shown else verb)

    @Slot()
    def _focus_words(self) -> None:
        self._go_to(self._editor)

    @Slot()
    def _focus_score(self) -> None:
        self._go_to(self._score)

    @Slot()
    def _focus_takes(self) -> None:
        self._go_to(self._takes)

    @Slot()
    def _focus_player(self) -> None:
        self._go_to(self._player)

    def _go_to(self, panel: QWidget) -> None:
        # What stands in for a panel has nothing to go to; the panel is gone to when it is there.
        self._wanted = None if _focus(panel) else panel

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: Space plays where nobody else wants it, so never while typing; Enter presses buttons, too."""
        chosen, plain = self.focusWidget(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and not event.isAutoRepeat():
            if event.key() == Qt.Key.Key_Space:
                self.play_pressed.emit()
                return
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and isinstance(chosen, QAbstractButton):
                chosen.click()
                return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Qt's own: files that can be opened."""
        if _first_path(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Qt's own."""
        path = _first_path(event)
        if path is not None:
            event.acceptProposedAction()
            self.dropped.emit(path)

    def vanish(self) -> None:
        """Out of sight while what belongs to it ends; the application goes when it is closed."""
        handle = self.windowHandle()
        if handle is not None:  # the widget itself stays as it is: its place is kept when it is closed
            handle.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Qt's own: remembers its place, unless somebody wants it to stay."""
        if self._may_close is not None and not self._may_close():
            event.ignore()
            return
        self._remembered.keep_state("window", self.saveGeometry())
        self._remembered.keep_state("sides", self._sides.saveState())
        self._remembered.keep_state("halves", self._halves.saveState())
        self._remembered.write()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.actions_of_window.colour_icons()


def _splitter(orientation: Qt.Orientation, *parts: QWidget) -> QSplitter:
    made = QSplitter(orientation)
    made.setHandleWidth(3)
    made.setChildrenCollapsible(False)
    for part in parts:
        made.addWidget(part)
    return made


def _column(parent: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def _rule() -> QWidget:
    """A line between two places."""
    rule = QWidget()
    rule.setObjectName("rule")
    rule.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    rule.setFixedHeight(1)
    return rule


def _focus(panel: QWidget) -> bool:
    """Puts the keyboard into a panel: where it is meant to go, where it was, or at its first control. False where there
    is none.
    """
    inside: Sequence[QWidget] = [panel, *panel.findChildren(QWidget)]
    last: QWidget | None = panel.focusWidget()
    takers = [one for one in inside if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisibleTo(panel)]
    takers = [one for one in takers if one.isEnabled()]
    meant = panel.property(KEYBOARD)
    last = next((one for one in takers if meant and one.objectName() == meant), last)
    wanted = last if last is not None else next(iter(takers), None)
    if wanted is None:
        return False
    wanted.setFocus(Qt.FocusReason.ShortcutFocusReason)
    return True


def _first_path(event: QDropEvent) -> Path | None:
    from yue2_desktop.intake.opening import can_open  # it brings the readers of scores, which take a while

    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return next((path for path in paths if can_open(path)), None)
