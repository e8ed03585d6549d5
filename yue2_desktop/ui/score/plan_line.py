"""The line between the bar and the notation: which plan, what was changed since, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from yue2_desktop.score.parser import Parsed
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.ui.score.changes import changes_line
from yue2_desktop.ui.theme import metrics


class PlanLine(QWidget):
    """Hidden while there is one plan at most and nothing was changed. `chosen` has a `PlannedScore`."""

    chosen = Signal(object)
    revert_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plans: tuple[PlannedScore, ...] = ()
        self._document: SongDocument | None = None
        self.plans = QComboBox()
        self.plans.setAccessibleName(self.tr("Plan"))
        self.plans.setToolTip(self.tr("Scores that the model wrote for this song"))
        self.plans.setPlaceholderText(self.tr("Choose a plan"))
        self.plans.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.plans.setMinimumContentsLength(14)
        self.words = QLabel(wordWrap=True)
        self.words.setProperty("role", "quiet")
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.revert = QPushButton(self.tr("Back to the plan"))
        self.revert.setProperty("kind", "link")
        self.revert.setAccessibleName(self.tr("Back to what the model wrote"))
        row = QHBoxLayout()
        row.setSpacing(metrics.GAP)
        row.addWidget(self.words, 1)
        row.addWidget(self.revert)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.NEAR)
        column.addWidget(self.plans, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(row)
        self.plans.activated.connect(self._choose)
        self.revert.clicked.connect(self.revert_asked)
        self.hide()

    def set_plans(self, plans: Sequence[PlannedScore]) -> None:
        """The plans to choose from, in the order in which they were made."""
        self._plans = tuple(plans)
        self.plans.clear()
        for number, plan in enumerate(self._plans, 1):
            text = self.tr("Plan {number} · seed {seed}").format(number=number, seed=plan.seed)
            self.plans.addItem(self.tr("{plan}, cut short").format(plan=text) if plan.truncated else text)
        self._show()

    def show_document(self, document: SongDocument, parsed: Parsed | None) -> None:
        """How the score stands to its plan."""
        self._document = document
        self.words.setText(changes_line(document, parsed) if parsed is not None else "")
        self._show()

    @Slot(int)
    def _choose(self, index: int) -> None:
        self.chosen.emit(self._plans[index])

    def _show(self) -> None:
        score = self._document.score if self._document is not None else None
        plan = score.plan if score is not None else None
        at = next((n for n, one in enumerate(self._plans) if plan is not None and _are_one(one, plan)), -1)
        self.plans.setCurrentIndex(at)
        self.plans.setVisible(len(self._plans) > 1 or (len(self._plans) == 1 and at < 0))
        self.revert.setVisible(score is not None and plan is not None and not score.is_unchanged_plan)
        self.words.setVisible(bool(self.words.text()))
        self.setVisible(not self.plans.isHidden() or bool(self.words.text()))


def _are_one(one: PlannedScore, other: PlannedScore) -> bool:
    """Takes that sing one score hold the same plan."""
    return one.take == other.take or (one.text, one.asked) == (other.text, other.asked)
