"""The fit line: it says what the planner said, and tells what is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.desks import machine
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.plans import Planning, Verdict
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.ui.fit import FitLine
from yue2_desktop.ui.fit.why import WhyPopover
from yue2_desktop.ui.theme.metrics import SMALLEST


@pytest.fixture
def line(qtbot: QtBot) -> FitLine:
    made = FitLine()
    qtbot.addWidget(made)
    made.resize(1000, 40)
    made.show()
    return made


@pytest.fixture
def planning() -> Planning:
    demand = SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=5_371)
    return check_fit(machine(), Check(demand=demand))


def button(line: FitLine, words: str) -> QPushButton:
    return next(one for one in line.findChildren(QPushButton) if one.text().startswith(words))


def shown(line: FitLine) -> str:
    return " ".join(label.text() for label in line.findChildren(QLabel) if label.isVisibleTo(line))


def test_before_the_first_answer(line: FitLine) -> None:
    assert "Looking at this machine" in shown(line)
    assert not button(line, "Why").isEnabled()


def test_an_answer(line: FitLine, planning: Planning) -> None:
    line.set_planning(planning)
    assert "Fits: BF16" in shown(line)
    assert "of 5.2 GiB" in shown(line)
    line.set_busy()
    assert "checking" in shown(line)
    line.set_planning(planning)
    assert "checking" not in shown(line)


def test_a_render_follows_the_plan_in_view(line: FitLine, planning: Planning) -> None:
    """What does not fit is followed only where the user tries it."""
    assert line.plan_to_follow == ""
    line.set_planning(planning)
    assert planning.plan is not None
    assert line.plan_to_follow == planning.plan.candidate.label
    line.set_planning(replace(planning, verdict=Verdict.DOES_NOT_FIT, reason="Too large."))
    assert line.plan_to_follow == ""
    line.findChild(QCheckBox).setChecked(True)  # type: ignore[union-attr]
    assert line.plan_to_follow == planning.plan.candidate.label
    line.set_planning(replace(planning, verdict=Verdict.DOES_NOT_FIT, plan=None, reason="The driver is too old."))
    assert line.plan_to_follow == ""


def test_whether_it_fits_is_known_once_there_is_a_plan(line: FitLine, planning: Planning) -> None:
    assert line.fits is None
    for verdict, fits in ((Verdict.FITS, True), (Verdict.UNKNOWN, True), (Verdict.DOES_NOT_FIT, False)):
        line.set_planning(replace(planning, verdict=verdict))
        assert line.fits is fits
    line.set_planning(None, "Write a style first.")
    assert line.fits is None


def test_a_sentence_in_place_of_an_answer(line: FitLine) -> None:
    line.set_planning(None, "Write a style first.")
    assert "Write a style first." in shown(line)


def test_a_refusal_can_be_tried_all_the_same(line: FitLine, planning: Planning, qtbot: QtBot) -> None:
    anyway = line.findChild(QCheckBox)
    line.set_planning(planning)
    assert not anyway.isVisibleTo(line)
    line.set_planning(replace(planning, verdict=Verdict.DOES_NOT_FIT, reason="Too large."))
    assert anyway.isVisibleTo(line)
    with qtbot.waitSignal(line.run_anyway_toggled) as heard:
        anyway.click()
    assert heard.args == [True]
    assert line.runs_anyway
    with qtbot.waitSignal(line.run_anyway_toggled):
        line.set_planning(planning)
    assert not line.runs_anyway


def test_choices_are_told(line: FitLine, qtbot: QtBot) -> None:
    steps = next(action for action in button(line, "Final").menu().actions() if action.text().startswith("Draft"))
    with qtbot.waitSignal(line.steps_chosen) as heard:
        steps.trigger()
    assert heard.args == [8]
    mode = next(action for action in button(line, "Best").menu().actions() if "GGUF" in action.text())
    with qtbot.waitSignal(line.mode_chosen) as heard:
        mode.trigger()
    assert heard.args == ["gguf"]


def test_the_song_s_choices_are_shown(line: FitLine) -> None:
    line.set_choices(RenderSettings(mode="offload-ar", ode_steps=12))
    assert button(line, "12 steps").isVisibleTo(line)
    assert button(line, "offload-ar").isVisibleTo(line)


def test_why_opens_and_closes(line: FitLine, planning: Planning, qtbot: QtBot, qapp: QApplication) -> None:
    line.set_planning(planning)
    button(line, "Why").click()
    popover = line.findChild(WhyPopover)
    texts = " ".join(label.text() for label in popover.findChildren(QLabel))
    assert planning.reason in texts
    assert "Sound" in texts
    assert all(found.reason in texts for found in planning.rejected)
    with qtbot.waitSignal(popover.destroyed):
        qtbot.keyClick(popover, Qt.Key.Key_Escape)


def test_a_long_reason_is_cut_and_whole_in_the_tip(line: FitLine, planning: Planning) -> None:
    reason = "Nothing fits: " + "this and that " * 40
    line.set_planning(replace(planning, verdict=Verdict.DOES_NOT_FIT, reason=reason))
    line.resize(SMALLEST[0], 40)
    cut = next(label for label in line.findChildren(QLabel) if label.toolTip() == reason)
    assert cut.text().endswith("…")
    assert line.width() == SMALLEST[0]


def test_the_line_speaks_of_the_window(line: FitLine, planning: Planning, qapp: QApplication) -> None:
    """Not of options of the command line, nor does what is behind "why?"."""
    line.set_planning(None, "Too much. 'yue2-desktop fit' shows it stage by stage; --run-anyway tries all the same.")
    tips = [label.toolTip() for label in line.findChildren(QLabel)]
    assert "Too much. “Why?” shows it stage by stage; “Run anyway” tries all the same." in tips
    line.set_planning(replace(planning, notices=("There is no int4 kernel for 'cuda'. Use --device cpu.",)))
    line.explain()
    popover = line.findChild(WhyPopover)
    texts = [label.text() for label in popover.findChildren(QLabel)]
    assert "There is no int4 kernel for 'cuda'." in texts
    assert "--device" not in popover.accessibleDescription()
    popover.close()
