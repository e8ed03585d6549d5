"""What was changed in a score since the model wrote it, in one line."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.model import Score
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.writer import write_bar
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.request import COTS
from yue2_desktop.ui.score.score_menus import shown_key

_CONTEXT = "ScoreChanges"


def changes_line(document: SongDocument, parsed: Parsed) -> str:
    """Return how the score stands to its plan and to the words; empty where there is nothing to say."""
    score = document.score
    if score is None:
        return ""
    said = [_tr("Not sung: the song is to be sung without a score")] if document.cot == "off" else []
    if score.plan is None:
        return " · ".join([*said, *([_tr("From {source}").format(source=score.source)] if score.source else [])])
    if not score.is_unchanged_plan:
        said.append(_differences(_parsed_plan(score.plan.text).score, parsed.score))
    elif score.plan.truncated:
        said.append(_tr("As the model wrote it; it stopped before its end"))
    if document.plan_is_stale:
        said.extend(_staleness(document, score.plan))
    return " · ".join(said)


def _staleness(document: SongDocument, plan: PlannedScore) -> list[str]:
    """What the plan was made for and is so no longer: the words, or only how the score is to be sung."""
    if plan.asked not in {replace(document, cot=cot).asked for cot in COTS}:
        return [_tr("The words were changed since it was written")]
    return [] if document.cot == "off" else [_tr("Score was set otherwise when it was written")]


def _differences(plan: Score, now: Score) -> str:
    found = []
    if plan.header.key != now.header.key:
        found.append(_tr("key {old} to {new}").format(old=shown_key(plan.header.key), new=shown_key(now.header.key)))
    if plan.header.tempo != now.header.tempo:
        found.append(_tr("tempo {old} to {new}").format(old=plan.header.tempo, new=now.header.tempo))
    bars = _changed_bars(plan, now)
    if plan.bar_count != now.bar_count:
        found.append(_tr("{old} to {new} bars").format(old=plan.bar_count, new=now.bar_count))
    elif bars:
        found.append(_tr("1 bar") if bars == 1 else _tr("{count} bars").format(count=bars))
    return _tr("Changed since the plan: {what}").format(what=", ".join(found) or _tr("the text only"))


def _changed_bars(plan: Score, now: Score) -> int:
    changed: set[int] = set()
    for voice in VOICES:
        old = {bar.index: write_bar(bar) for bar in plan.bars(voice)}
        new = {bar.index: write_bar(bar) for bar in now.bars(voice)}
        changed |= {index for index in old.keys() | new.keys() if old.get(index) != new.get(index)}
    return len(changed)


@lru_cache(maxsize=4)
def _parsed_plan(text: str) -> Parsed:
    return parse(text)


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)
