"""The text of a score in colour: names of sections, fields, chord symbols."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from yue2_desktop.song.utf16 import to_utf16
from yue2_desktop.ui.theme.qt_palette import current_palette

_CHORD: Final = re.compile(r'"[^"]*"?')
_FIELD: Final = re.compile(r"[A-Za-z]:")


class AbcHighlighter(QSyntaxHighlighter):
    """Colours each line by itself."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._find_colours()

    def renew(self) -> None:
        """Colours everything again in the palette of now."""
        self._find_colours()
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Qt's own: places are UTF-16 units of the block."""
        whole = to_utf16(text, len(text))
        if text.startswith("%"):
            self.setFormat(0, whole, self._label)
        elif _FIELD.match(text):
            self.setFormat(0, whole, self._field)
        else:
            for found in _CHORD.finditer(text):
                start = to_utf16(text, found.start())
                self.setFormat(start, to_utf16(text, found.end()) - start, self._chord)

    def _find_colours(self) -> None:
        palette = current_palette()
        self._label, self._field, self._chord = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        self._label.setForeground(QColor(palette.text))
        self._label.setFontWeight(QFont.Weight.DemiBold)
        self._field.setForeground(QColor(palette.quiet))
        self._chord.setForeground(QColor(palette.accent_text))
