"""The scores that the model wrote for a song: found in the folders of its takes, each once."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from yue2_desktop.library.names import PLAN_MANIFEST
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.take_summary import TakeSummary
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.wording import path_text

_log = logging.getLogger(__name__)


def written_score(folder: Path) -> PlannedScore | None:
    """The score that the model wrote in a take's folder; None where there is none, or it was given.

    Raises Problem(BAD_FILE) where the plan was edited or is damaged.
    """
    plan = load_plan(folder)
    if plan.abc is None or plan.supplied:
        return None
    request = plan.request
    asked = SongDocument(style=request.style, lyrics=request.lyrics, cot=request.cot).asked
    return PlannedScore(path_text(folder.resolve()), plan.abc, asked, request.seed, plan.truncated)


class SongPlans:
    """What was read of plans, so that each is read once. For one thread."""

    def __init__(self) -> None:
        self._read: dict[tuple[Path, int], PlannedScore | None] = {}

    def of(self, takes: Iterable[TakeSummary]) -> tuple[PlannedScore, ...]:
        """The plans of these takes, oldest first. Several takes that sing one score have one plan: the first one's."""
        found: dict[tuple[str, str], PlannedScore] = {}
        for take in sorted(takes, key=lambda one: (one.created, str(one.folder))):
            plan = self._plan(take) if take.has_score else None
            if plan is not None:
                found.setdefault((plan.text, plan.asked), plan)
        return tuple(found.values())

    def _plan(self, take: TakeSummary) -> PlannedScore | None:
        try:
            key = take.folder, (take.folder / PLAN_MANIFEST).stat().st_mtime_ns
        except OSError:
            return None
        if key not in self._read:
            try:
                self._read[key] = written_score(take.folder)
            except Problem as problem:
                _log.info("no plan to choose in %s: %s", take.folder, problem.sentence)
                self._read[key] = None
        return self._read[key]
