"""A question with two or three answers, in the frame of all dialogs; Esc and closing it give the careful one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QAbstractButton, QDialogButtonBox, QPushButton, QWidget

from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.theme import metrics

_WIDTH = 52 * metrics.GRID


@dataclass(frozen=True)
class Answer:
    """An answer: `key` is what is given back, `role` says where the system puts its button."""

    key: str
    text: str
    role: QDialogButtonBox.ButtonRole


class QuestionDialog(FramedDialog):
    """`answer` is the key of what was chosen; `careful`, a key as well, is what it is without a choice.

    `usual` is the answer of Enter.
    """

    def __init__(
        self,
        question: str,
        explained: str,
        answers: Sequence[Answer],
        *,
        usual: str,
        careful: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(question, QDialogButtonBox.StandardButton.NoButton, parent)
        self.setMinimumWidth(_WIDTH)
        self.answer = careful
        self.column.addWidget(quiet(explained))
        for one in answers:
            button = QPushButton(one.text)
            button.setAccessibleName(one.text)
            button.setProperty("answer", one.key)
            self.buttons.addButton(button, one.role)
            if one.key == usual:
                button.setDefault(True)
                button.setFocus()
        self.buttons.clicked.connect(self._answered)

    @Slot(QAbstractButton)
    def _answered(self, button: QAbstractButton) -> None:
        self.answer = str(button.property("answer"))
        self.accept()
