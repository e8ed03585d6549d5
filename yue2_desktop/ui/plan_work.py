"""The work of the fit check, for the thread beside the window: the machine is read, the song planned on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from yue2_desktop import paths
from yue2_desktop.plan.calibration import load_calibration
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.held import held_by
from yue2_desktop.plan.known import EngineFacts, KnownFacts, ModelFacts, cards_key, files_key
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.probe import read_machine
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.song_demand import song_demand
from yue2_desktop.plan.weights import RELEASED_WEIGHTS
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.render_order import render_order

_CALIBRATION: Final = "calibration.json"
_KNOWN: Final = "known.json"
#: Ids around the text in what is counted: before a score that the model writes, and before the song.
_MARKS_OF_SCORE, _MARKS_OF_SONG = 2, 4

ReadMachine = Callable[[Path], MachineFacts]
#: The tokens before what the model writes for a song; None where nobody can count them now.
CountTokens = Callable[[SongDocument], int | None]


@dataclass(frozen=True)
class Knowledge:
    """What is known beside the machine: where the model lies, what the engine told, and who counts tokens.

    `engine` is the number of the engine's process, whose memory is there for the next render.
    """

    places: tuple[Path, ...] = ()
    facts: EngineFacts | None = None
    model: ModelFacts | None = None
    count: CountTokens | None = None
    engine: int | None = None


@dataclass(frozen=True)
class Planned:
    """An answer: the machine as it was read, and the planning, or why there is none."""

    machine: MachineFacts
    planning: Planning | None
    reason: str = ""


def plan_song(
    document: SongDocument, settings: Settings, read: ReadMachine | None = None, knowledge: Knowledge | None = None
) -> Planned:
    """The song planned on this machine, or on what `read` gives for the folder of takes."""
    known = knowledge or Knowledge()
    machine = (read or _machine)(settings.output_folder)
    facts = known.facts or _kept().facts(cards_key(machine))
    if facts is not None:
        machine = facts.on(machine)
    free = machine if known.engine is None else held_by(known.engine).on(machine)
    model = known.model or _kept_model(known.places)
    try:
        order = render_order(document, 0)
        render = order.render
        text_tokens, abc_tokens = _tokens(document, known.count)
        demand = song_demand(
            order.requests[0],
            order.abc,
            order.semantic,
            ode_steps=render.ode_steps,
            ode_method=render.ode_method,
            text_tokens=text_tokens,
            abc_tokens=abc_tokens,
        )
        check = Check(
            demand=demand,
            options=Options(
                mode=render.mode,
                ar_precision=render.ar_precision,
                nar_residency=render.nar_residency,
                vae_core=render.vae_core,
            ),
            remembered=settings.gpu,
            calibration=load_calibration(paths.cache_folder() / _CALIBRATION),
            inventory=RELEASED_WEIGHTS if model is None else model.inventory,
            shape=RELEASED if model is None else model.shape,
        )
        return Planned(machine, check_fit(free, check))
    except Problem as problem:
        return Planned(machine, None, problem.sentence)


def keep_knowledge(settings: Settings, knowledge: Knowledge, read: ReadMachine | None = None) -> None:
    """Keeps what the engine told, for the next start. Raises Problem where the disk does not take it."""
    facts, model = knowledge.facts, knowledge.model
    key = None if facts is None else cards_key((read or _machine)(settings.output_folder))
    _kept().keep(
        machine=None if facts is None or key is None else (key, facts),
        model=None if model is None else (files_key(*knowledge.places), model),
    )


def _kept() -> KnownFacts:
    return KnownFacts(paths.cache_folder() / _KNOWN)


def _kept_model(places: tuple[Path, ...]) -> ModelFacts | None:
    if not places:
        return None
    try:
        return _kept().model(files_key(*places))
    except OSError:
        return None  # gone; whoever renders with it says so


def _tokens(document: SongDocument, count: CountTokens | None) -> tuple[int | None, int | None]:
    """Tokens of the prompt's text, and of the score that there is; None for what was not counted or is not there."""
    score = document.score.text if document.score is not None and document.cot != "off" else ""
    bound = len(score.encode("utf-8")) if score else None
    if count is None:
        return None, bound
    bare = count(replace(document, score=None))
    if bare is None:
        return None, bound
    # Another engine may count otherwise between the two askings: a number below zero would be none.
    text = max(0, bare - (_MARKS_OF_SONG if document.cot == "off" else _MARKS_OF_SCORE))
    whole = count(document) if score else None
    return text, bound if whole is None else max(0, whole - text - _MARKS_OF_SONG)


def _machine(folder: Path) -> MachineFacts:
    return read_machine(folder).machine
