"""The popover behind "why?": the plan stage by stage, what was passed over, what is offered beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from yue2_desktop.plan.fit_text import fit_text
from yue2_desktop.plan.formats import FORMATS
from yue2_desktop.plan.plans import Plan, Planning, StagePlan
from yue2_desktop.plan.sizes import duration, gib
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.window_words import in_window_words

_WIDTH = 80 * metrics.GRID
_HEIGHT = 72 * metrics.GRID


class WhyPopover(QFrame):
    """Opens above the line and closes with Esc or a click beside it."""

    def __init__(self, planning: Planning, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("card", True)
        self.setAccessibleName(self.tr("Why this plan"))
        self.setAccessibleDescription(in_window_words(fit_text(planning)))
        inside = QWidget()
        self._rows = QVBoxLayout(inside)
        self._rows.setContentsMargins(metrics.PADDING, metrics.PADDING, metrics.PADDING, metrics.PADDING)
        self._rows.setSpacing(metrics.GAP)
        self._fill(planning)
        self._rows.addStretch(1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        scroll.setAccessibleName(self.tr("Why this plan"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 1, 1, 1)
        whole.addWidget(scroll)
        for part in (inside, *inside.findChildren(QWidget)):
            part.ensurePolished()
        wanted = self._rows.totalHeightForWidth(_WIDTH - 2)
        self.resize(_WIDTH, min(_HEIGHT, wanted + 2))
        scroll.setFocus()  # for the arrow keys

    def open_above(self, anchor: QWidget) -> None:
        """Shows it with its right edge at `anchor`'s, above it, within the screen."""
        corner = anchor.mapToGlobal(QPoint(anchor.width(), 0))
        place = QRect(corner.x() - self.width(), corner.y() - self.height() - metrics.NEAR, self.width(), self.height())
        space = anchor.screen().availableGeometry()
        place.moveLeft(max(space.left(), min(place.left(), space.right() - place.width())))
        place.moveTop(max(space.top(), place.top()))
        self.move(place.topLeft())
        self.show()

    def _fill(self, planning: Planning) -> None:
        self._paragraph(planning.reason)
        if planning.plan is not None:
            self._stages(planning.plan)
            self._paragraph(_totals(planning, planning.plan), "quiet")
        self._list(self.tr("Not taken"), [f"{found.mode}: {found.reason}" for found in planning.rejected])
        offers = [
            f"{offer.name}: {offer.plan.candidate.label}, {offer.plan.demand.ode_steps} steps"
            f"{_time(offer.plan)}. {offer.cost}"
            for offer in planning.offers
        ]
        self._list(self.tr("Also possible"), offers)
        self._list(self.tr("Good to know"), planning.notices)

    def _stages(self, plan: Plan) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(metrics.GROUP_GAP)
        grid.setVerticalSpacing(metrics.NEAR)
        heads = (self.tr("Stage"), self.tr("On"), self.tr("Weights"), self.tr("Kept"), self.tr("Peak"), self.tr("Time"))
        for column, head in enumerate(heads):
            grid.addWidget(_label(head, "quiet"), 0, column)
        names = {
            "score": self.tr("Score"),
            "semantic": self.tr("Singing"),
            "acoustic": self.tr("Sound"),
            "decode": self.tr("Audio"),
        }
        for row, stage in enumerate(plan.stages, 1):
            for column, text in enumerate((names[stage.stage], *self._cells(stage))):
                grid.addWidget(_label(text), row, column)
        grid.setColumnStretch(len(heads) - 1, 1)
        self._rows.addLayout(grid)

    def _cells(self, stage: StagePlan) -> tuple[str, ...]:
        return (
            self.tr("card") if stage.device == "cuda" else self.tr("processor"),
            FORMATS[stage.weights].label,
            stage.residency,
            gib(stage.peak_bytes),
            self.tr("not measured yet") if stage.seconds is None else duration(*stage.seconds),
        )

    def _list(self, heading: str, lines: Sequence[str]) -> None:
        if not lines:
            return
        self._rows.addSpacing(metrics.GAP)
        self._rows.addWidget(_label(heading, "heading"))
        for line in lines:
            self._paragraph(line)

    def _paragraph(self, text: str, role: str = "") -> None:
        label = _label(in_window_words(text), role)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rows.addWidget(label)


def _label(text: str, role: str = "") -> QLabel:
    made = QLabel(text)
    if role:
        made.setProperty("role", role)
    return made


def _totals(planning: Planning, plan: Plan) -> str:
    parts = []
    if plan.tightest is not None:
        free = "" if planning.free_bytes is None else f" of {gib(planning.free_bytes)} free"
        parts.append(f"Card: {gib(plan.card_bytes)}{free}, {gib(plan.tightest.peak.margin_bytes)} of it margin")
    parts += [f"memory: {gib(plan.host.ram_bytes)}", f"disk: {gib(plan.disk_bytes)}"]
    return " · ".join(parts)


def _time(plan: Plan) -> str:
    return "" if plan.seconds is None else f", {duration(*plan.seconds)}"
