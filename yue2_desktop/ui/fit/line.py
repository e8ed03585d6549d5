"""The line under the song: whether it fits, with which plan, how much memory and how long, always in view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.ui.fit.bar import MemoryBar
from yue2_desktop.ui.fit.choices import ModeButton, StepsButton
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette
from yue2_desktop.ui.window_words import in_window_words

if TYPE_CHECKING:
    from yue2_desktop.plan.plans import Planning
    from yue2_desktop.ui.fit.words import FitWords, Standing

_ICONS: Final[dict[Standing, str]] = {"good": "check", "doubtful": "warning", "bad": "error"}


class FitLine(QWidget):
    """Shows a `Planning`; what is chosen here is told and shown again once the song has it."""

    mode_chosen = Signal(str)
    steps_chosen = Signal(int)
    run_anyway_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._planning: Planning | None = None
        self._words: FitWords | None = None
        self._is_busy = False
        self._sentence = ""
        self._sign = QLabel()
        self._plan = QLabel()
        self._plan.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._memory, self._time = QLabel(), QLabel()
        for label in (self._memory, self._time):
            label.setFont(number_font(self.font()))
        self._bar = MemoryBar()
        self._steps, self._mode = StepsButton(), ModeButton()
        self._anyway = QCheckBox(self.tr("Run anyway"))
        self._anyway.setToolTip(self.tr("Starts the render although the plan says that memory will not suffice"))
        self._anyway.setAccessibleName(self._anyway.text())
        self._why = QPushButton(self.tr("Why?"))
        self._why.setProperty("kind", "flat")
        self._why.setAccessibleName(self.tr("Why this plan?"))
        self._lay_out()
        self._steps.chosen.connect(self.steps_chosen)
        self._mode.chosen.connect(self.mode_chosen)
        self._anyway.toggled.connect(self.run_anyway_toggled)
        self._why.clicked.connect(self.explain)
        self.set_planning(None)

    def _lay_out(self) -> None:
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(metrics.PADDING, metrics.NEAR, metrics.GRID, metrics.NEAR)
        row.setSpacing(metrics.GAP)
        row.addWidget(self._sign)
        row.addWidget(self._plan, 1)
        for part in (self._memory, self._bar, self._time, self._anyway, self._steps, self._mode, self._why):
            row.addWidget(part)

    @property
    def text(self) -> str:
        """The plan as it is shown, in full."""
        return "" if self._words is None else self._words.plan

    @property
    def plan_to_follow(self) -> str:
        """The planner's words for the plan that a render asked for now follows; empty where none is known or fits."""
        words = self._words
        return "" if words is None or (words.can_run_anyway and not self.runs_anyway) else words.label

    @property
    def planning(self) -> Planning | None:
        """The answer that is shown."""
        return self._planning

    @property
    def fits(self) -> bool | None:
        """Whether the song fits, as far as anybody knows; None while nothing is planned."""
        return None if self._words is None else self._words.standing != "bad"

    @property
    def runs_anyway(self) -> bool:
        """Whether the user wants to try what does not fit."""
        return self._anyway.isVisibleTo(self) and self._anyway.isChecked()

    def set_planning(self, planning: Planning | None, sentence: str = "") -> None:
        """Shows an answer of the planner; None where there is none, with a sentence that says why."""
        self._planning = planning
        self._is_busy = False
        self._sentence = sentence
        self._words = None
        if planning is not None:
            from yue2_desktop.ui.fit.words import fit_words  # the planner's modules, once there is a plan

            self._words = fit_words(planning)
        self._show()

    def set_busy(self) -> None:
        """Says that a newer answer is on its way; what is shown stays until then."""
        self._is_busy = True
        self._show()

    def set_choices(self, render: RenderSettings) -> None:
        """Shows the song's own mode and steps."""
        self._mode.show_mode(render.mode)
        self._steps.show_steps(render.ode_steps)

    @Slot()
    def explain(self) -> None:
        """Opens the popover with the stages and what was not taken."""
        if self._planning is not None:
            from yue2_desktop.ui.fit.why import WhyPopover

            WhyPopover(self._planning, self).open_above(self._why)

    def _show(self) -> None:
        words, palette = self._words, current_palette()
        shown = words is not None
        for part in (self._sign, self._memory, self._time):
            part.setVisible(shown)
        self._bar.setVisible(words is not None and words.share is not None)
        self._why.setEnabled(shown)
        if words is None:
            self._anyway.setVisible(False)
            self._say(self._sentence or self.tr("Looking at this machine…"))
            return
        colour = {"good": palette.good, "doubtful": palette.doubtful, "bad": palette.bad}[words.standing]
        self._sign.setPixmap(icon(_ICONS[words.standing], colour=colour).pixmap(metrics.ICON))
        self._memory.setText(words.memory)
        self._memory.setVisible(bool(words.memory))
        self._time.setText(words.time)
        self._time.setVisible(bool(words.time))
        if words.share is not None:
            self._bar.set_share(words.share)
            free = self.tr("Memory of the card: {}").format(words.memory)
            self._bar.setToolTip(free)
            self._bar.setAccessibleName(free)
        self._anyway.setVisible(words.can_run_anyway)
        if not words.can_run_anyway and self._anyway.isChecked():
            self._anyway.setChecked(False)
        fits = {
            "good": self.tr("Fits: {}"),
            "doubtful": self.tr("May fit: {}"),
            "bad": "{}",
        }[words.standing]
        self._say(fits.format(words.plan))

    def _say(self, text: str) -> None:
        """The sentence, cut where the line is too narrow; all of it is in the tooltip and behind "why?"."""
        if self._is_busy and self._words is not None:
            text = self.tr("{} (checking…)").format(text)
        text = in_window_words(text)
        self._plan.setToolTip(text)
        self._plan.setAccessibleName(text)
        self._cut()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own: the sentence is cut anew."""
        super().resizeEvent(event)
        self._row.activate()
        self._cut()

    def _cut(self) -> None:
        text = self._plan.toolTip()
        self._plan.setText(self._plan.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self._plan.width()))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()
