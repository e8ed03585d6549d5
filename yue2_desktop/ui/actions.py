"""Everything that can be done from menus, toolbar and keys: each action once, with its words, key and icon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, Slot
from PySide6.QtGui import QAction, QKeySequence

from yue2_desktop.ui.theme.icons import icon

_CONTEXT: Final = "Actions"
_Key = QKeySequence.StandardKey


def _noop(text: str) -> str:
    """Marks a text for the translators; it is translated when the action is made."""
    return str(QT_TRANSLATE_NOOP(_CONTEXT, text))


@dataclass(frozen=True)
class ActionSpec:
    """One action. `keys` are a standard key of the system or a sequence in Qt's portable spelling, the shown one first.

    `heard` is a key that the window hears by itself, where nobody types; menus show it.
    """

    name: str
    text: str
    keys: _Key | tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    heard: str = ""


ACTIONS: Final = (
    ActionSpec("new", _noop("&New song"), _Key.New, "new"),
    ActionSpec("open", _noop("&Open…"), _Key.Open, "open"),
    ActionSpec("save", _noop("&Save"), _Key.Save, "save"),
    ActionSpec("save_as", _noop("Save &as…"), ("Ctrl+Shift+S",)),
    ActionSpec("duplicate", _noop("&Duplicate song"), (), "duplicate"),
    ActionSpec("preferences", _noop("&Preferences…"), ("Ctrl+,",), "settings"),
    ActionSpec("quit", _noop("&Quit"), ("Ctrl+Q",)),
    ActionSpec("undo", _noop("&Undo"), _Key.Undo, "undo"),
    ActionSpec("redo", _noop("&Redo"), _Key.Redo, "redo"),
    ActionSpec("write_score", _noop("&Write a score"), ("Ctrl+Shift+Enter", "Ctrl+Shift+Return"), "write"),
    ActionSpec("render", _noop("&Render"), ("Ctrl+Enter", "Ctrl+Return"), "render"),
    ActionSpec("pause_queue", _noop("&Pause the queue"), ("Ctrl+Shift+P",), "pause", checkable=True),
    ActionSpec("free_memory", _noop("&Free memory"), (), "memory"),
    ActionSpec("play", _noop("P&lay or pause"), (), "play", heard="Space"),
    ActionSpec("focus_title", _noop("S&ong title"), ("F2",)),
    ActionSpec("focus_words", _noop("&Words"), ("Ctrl+1",), "words"),
    ActionSpec("focus_score", _noop("&Score"), ("Ctrl+2",), "score"),
    ActionSpec("focus_takes", _noop("&Takes and queue"), ("Ctrl+3",), "takes"),
    ActionSpec("focus_player", _noop("P&layer"), ("Ctrl+4",), "play"),
    ActionSpec("why", _noop("W&hy this plan?"), ("Ctrl+5",), "help"),
    ActionSpec("log", _noop("&Log…"), (), "log"),
    ActionSpec("diagnostics", _noop("&Copy diagnostics"), (), "copy"),
    ActionSpec("about", _noop("&About YuE2 Desktop"), (), "info"),
)


class Actions(QObject):
    """The actions of one window, by name."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._made: dict[str, QAction] = {}
        for spec in ACTIONS:
            text = QCoreApplication.translate(_CONTEXT, spec.text)
            keys = QKeySequence(spec.heard).toString(QKeySequence.SequenceFormat.NativeText)
            action = QAction(f"{text}\t{keys}" if keys else text, self)
            action.setObjectName(spec.name)
            if isinstance(spec.keys, tuple):
                action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
            else:
                action.setShortcuts(spec.keys)
            action.setCheckable(spec.checkable)
            self._made[spec.name] = action
        self.colour_icons()

    def __getitem__(self, name: str) -> QAction:
        return self._made[name]

    def all(self) -> tuple[QAction, ...]:
        """All of them, in the order of the table."""
        return tuple(self._made.values())

    @Slot()
    def colour_icons(self) -> None:
        """Draws the icons in the colours that the window has now."""
        for spec in ACTIONS:
            if spec.icon:
                self._made[spec.name].setIcon(icon(spec.icon))


def plain_text(action: QAction) -> str:
    """The action's words without the mark of its key, for tooltips and names."""
    return action.text().replace("&", "").removesuffix("…")


def tip(action: QAction) -> str:
    """The words and the key of an action: `Undo (Ctrl+Z)`."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return f"{plain_text(action)} ({keys})" if keys else plain_text(action)
