"""The keys of the notation, and what each asks for."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_K = Qt.Key
_NONE: Final = Qt.KeyboardModifier.NoModifier
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CTRL: Final = Qt.KeyboardModifier.ControlModifier


class Ask(StrEnum):
    """What somebody asks of the score with a key."""

    NEXT = "next"
    PREVIOUS = "previous"
    NEXT_BAR = "next-bar"
    PREVIOUS_BAR = "previous-bar"
    OTHER_VOICE = "other-voice"
    HIGHER = "higher"
    LOWER = "lower"
    OCTAVE_UP = "octave-up"
    OCTAVE_DOWN = "octave-down"
    LONGER = "longer"
    SHORTER = "shorter"
    SILENCE = "silence"
    CHORD = "chord"
    TEXT = "text"
    PREVIEW = "preview"
    UNDO = "undo"
    REDO = "redo"


_KEYS: Final = {
    (_K.Key_Right, _NONE): Ask.NEXT,
    (_K.Key_Left, _NONE): Ask.PREVIOUS,
    (_K.Key_Right, _CTRL): Ask.NEXT_BAR,
    (_K.Key_Left, _CTRL): Ask.PREVIOUS_BAR,
    (_K.Key_Up, _CTRL): Ask.OTHER_VOICE,
    (_K.Key_Down, _CTRL): Ask.OTHER_VOICE,
    (_K.Key_Up, _NONE): Ask.HIGHER,
    (_K.Key_Down, _NONE): Ask.LOWER,
    (_K.Key_Up, _SHIFT): Ask.OCTAVE_UP,
    (_K.Key_Down, _SHIFT): Ask.OCTAVE_DOWN,
    (_K.Key_Plus, _NONE): Ask.LONGER,
    (_K.Key_Plus, _SHIFT): Ask.LONGER,
    (_K.Key_Equal, _NONE): Ask.LONGER,
    (_K.Key_Minus, _NONE): Ask.SHORTER,
    (_K.Key_Delete, _NONE): Ask.SILENCE,
    (_K.Key_Backspace, _NONE): Ask.SILENCE,
    (_K.Key_Return, _NONE): Ask.CHORD,
    (_K.Key_Enter, _NONE): Ask.CHORD,
    (_K.Key_F4, _NONE): Ask.TEXT,
    (_K.Key_Space, _NONE): Ask.PREVIEW,
}


def asked(event: QKeyEvent) -> Ask | None:
    """What a key asks for; None for keys that are not the notation's."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _KEYS.get((Qt.Key(event.key()), modifiers))
