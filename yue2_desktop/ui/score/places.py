"""What stands in the notation's place where nothing can be drawn: no score yet, or a text without bars."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from yue2_desktop.ui.pending import Pending
from yue2_desktop.ui.theme import metrics


class EmptyScore(QWidget):
    """Says how a score comes about."""

    write_asked = Signal()
    import_asked = Signal()
    type_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel(wordWrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        hint = QLabel(
            self.tr("Unless Score is None, the model also writes one by itself when a song is rendered."),
            wordWrap=True,
        )
        hint.setProperty("role", "quiet")
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.write = QPushButton(self.tr("Write a score"))
        self.fetch = QPushButton(self.tr("Import…"))
        self.type = QPushButton(self.tr("Type"))
        row = QHBoxLayout()
        row.setSpacing(metrics.GAP)
        row.addStretch(1)
        for button, signal in (
            (self.write, self.write_asked),
            (self.fetch, self.import_asked),
            (self.type, self.type_asked),
        ):
            button.setAccessibleName(button.text())
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addStretch(1)
        self.fetch.setToolTip(self.tr("MIDI, MusicXML or ABC"))
        self.type.setToolTip(self.tr("Begin with a few bars"))
        column = QVBoxLayout(self)
        column.setSpacing(metrics.GAP)
        column.addStretch(1)
        for part in (self._words, hint):
            column.addWidget(part)
        column.addSpacing(metrics.GAP)
        column.addLayout(row)
        column.addStretch(1)
        self.show_pending(Pending.NO)

    @Slot(object)
    def show_pending(self, pending: Pending) -> None:
        """Whether the model has been asked for a score already."""
        reason = pending.reason
        self._words.setText(reason or self.tr("No score yet: write one, import one, or type."))
        self.write.setEnabled(not reason)
        self.write.setToolTip(reason or self.tr("The model writes a score for the style and the words"))
        self.write.setAccessibleDescription(reason)


class Undrawn(QWidget):
    """Says why there is no picture, with the cure where there is one; the text below is as it was."""

    cure_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel(wordWrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.cure = QPushButton()
        self.cure.clicked.connect(self.cure_asked)
        column = QVBoxLayout(self)
        column.setSpacing(2 * metrics.GAP)
        column.addStretch(1)
        column.addWidget(self._words)
        column.addWidget(self.cure, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(1)

    @property
    def sentence(self) -> str:
        """What it says."""
        return self._words.text()

    def say(self, sentence: str, cure: str = "") -> None:
        """Shows a sentence and the words of the button, none without words."""
        self._words.setText(sentence)
        self.cure.setText(cure)
        self.cure.setAccessibleName(cure)
        self.cure.setVisible(bool(cure))
