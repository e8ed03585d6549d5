"""The plan of a job, in the words that its row has."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from yue2_desktop.runtime.orders import steps_of


def job_plan(label: str, order: Mapping[str, object]) -> str:
    """`BF16 with both halves resident · 16 steps`: the planner's words for its plan, and how the sound is refined.

    `label` is empty where the planner has no plan; a score has no steps.
    """
    steps = steps_of(order)
    said = "" if steps is None else QCoreApplication.translate("JobPlan", "%n steps", None, steps)
    if steps == 1:
        said = QCoreApplication.translate("JobPlan", "1 step")
    return " · ".join(part for part in (label[:1].upper() + label[1:], said) if part)
