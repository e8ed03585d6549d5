"""Keeps what is said about the words up to date: a pause after the last change, off the window's thread."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.ui.editor.tokens import TokenCount, bounded
from yue2_desktop.ui.editor.word_facts import word_facts
from yue2_desktop.ui.latest import Latest

#: How long nothing must have changed, in milliseconds.
PAUSE_MS: Final = 180


class FactFinder(QObject):
    """`outlined` comes first, in the window's thread; `found` and `counted` (`Tokens`, or None where nobody knows) come
    when they are there.

    Results for a text that has changed since are dropped.
    """

    outlined = Signal(object)
    found = Signal(object)
    counted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = SongDocument()
        self._count: TokenCount | None = bounded
        self._score_seconds: float | None = None
        self._facts = Latest(self)
        self._facts.arrived.connect(self.found)
        self._tokens = Latest(self)
        self._tokens.arrived.connect(self.counted)
        self._tokens.failed.connect(self._no_count)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.look)

    @property
    def is_busy(self) -> bool:
        """Whether something is being found out."""
        return self._facts.is_busy or self._tokens.is_busy

    def hold(self) -> None:
        """Begins no work beside the window until `release`."""
        self._facts.hold()
        self._tokens.hold()

    def release(self) -> None:
        """Finds out what was asked for meanwhile."""
        self._facts.release()
        self._tokens.release()

    def set_count(self, count: TokenCount | None) -> None:
        """What counts tokens from now on; without one nothing is said of them."""
        self._count = count
        self._tokens.forget()
        self.counted.emit(None)
        self._pause.start()

    def set_score_seconds(self, seconds: float | None) -> None:
        """The length of the song's score in seconds; None while there is none."""
        if seconds != self._score_seconds:
            self._score_seconds = seconds
            self._pause.start()

    def follow(self, document: SongDocument) -> None:
        """The song as it is now; looked at after a pause. What was being found out for another text is dropped."""
        before, self._document = self._document, document
        if (document.style, document.lyrics) != (before.style, before.lyrics):
            self._facts.forget()
        elif document.cot == before.cot and document.score is before.score:
            return
        self._tokens.forget()
        self._pause.start()

    def stop(self) -> None:
        """No more of this, before the window goes."""
        self._pause.stop()
        self._facts.stop()
        self._tokens.stop()

    @Slot()
    def look(self) -> None:
        """Looks at once."""
        self._pause.stop()
        document = self._document
        self.outlined.emit(read_lyrics(document.lyrics))
        seconds = None if document.cot == "off" else self._score_seconds  # a score that is not sung gives no length
        self._facts.ask(partial(word_facts, document.style, document.lyrics, seconds))
        if self._count is not None:
            self._tokens.ask(partial(self._count, document))

    @Slot()
    def _no_count(self) -> None:
        self.counted.emit(None)
