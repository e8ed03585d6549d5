"""Lyrics in colour: tags, wrong tags underlined, remarks dimmed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from yue2_desktop.song.lyrics.outline import Line, LineKind, TagProblem, read_lyrics
from yue2_desktop.song.utf16 import to_utf16
from yue2_desktop.ui.theme.qt_palette import current_palette


@dataclass(frozen=True)
class Inks:
    """The colours of lyrics: right tags, remarks, and the underlines for what is lost and what is doubtful."""

    tag: QColor
    remark: QColor
    lost: QColor
    doubtful: QColor

    @classmethod
    def current(cls) -> Inks:
        """Those of the window's palette as it is now."""
        palette = current_palette()
        return cls(QColor(palette.accent_text), QColor(palette.quiet), QColor(palette.bad), QColor(palette.doubtful))


def problems_in(line: str) -> tuple[TagProblem, ...]:
    """The wrong tags of one line, with offsets in it."""
    return read_lyrics(line).problems


class LyricsHighlighter(QSyntaxHighlighter):
    """Colours each block by itself: a tag needs nothing of the lines around it."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._inks = Inks.current()

    def renew(self) -> None:
        """Colours everything again in the palette of now."""
        self._inks = Inks.current()
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Qt's own: places are UTF-16 units of the block."""
        outline = read_lyrics(text)
        for line in outline.lines:
            self._colour(text, line)
        for problem in outline.problems:
            start, end = to_utf16(text, problem.start), to_utf16(text, problem.end)
            underlined = QTextCharFormat()
            underlined.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            underlined.setUnderlineColor(self._inks.lost if problem.loses_section else self._inks.doubtful)
            if not problem.loses_section:
                underlined.setForeground(self._inks.tag)
            self.setFormat(start, end - start, underlined)

    def _colour(self, text: str, line: Line) -> None:
        form = QTextCharFormat()
        if line.kind is LineKind.COMMENT:
            form.setForeground(self._inks.remark)
            form.setFontItalic(True)
            self.setFormat(0, to_utf16(text, len(text)), form)
        elif line.tag is not None and line.tag.fault is None:
            form.setForeground(self._inks.tag)
            form.setFontWeight(QFont.Weight.DemiBold)
            start, end = to_utf16(text, line.tag.start), to_utf16(text, line.tag.end)
            self.setFormat(start, end - start, form)
