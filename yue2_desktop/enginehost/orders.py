"""From the JSON values of a `Make` (runtime/orders.py) to the order for a take; everything in it is checked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from yue2_desktop.cli.options import Machine, RequestOptions
from yue2_desktop.cli.order import Order
from yue2_desktop.cli.orders import Course, continued, ordered, resumed
from yue2_desktop.cli.report import Report
from yue2_desktop.cli.song_request import Song
from yue2_desktop.library.names import TakeStage
from yue2_desktop.plan.options import options_from
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged
from yue2_desktop.song.wording import shown

VERSION: Final = 1
_LAST: Final = {"score": TakeStage.PLAN, "take": TakeStage.AUDIO}
_REUSE: Final = {"plan": TakeStage.PLAN, "semantic": TakeStage.SEMANTIC, "latents": TakeStage.LATENTS}
_DTYPES: Final = ("auto", "bfloat16", "float32")
_MAX_THREADS: Final = 512


@dataclass(frozen=True)
class _Members:
    """The members of an order; each reading raises Problem(BAD_REQUEST) that names the member."""

    values: Mapping[str, object]

    def text(self, name: str, usual: str | None = None) -> str:
        value = self.values.get(name, usual)
        if not isinstance(value, str) or not value:
            raise _bad(name, "text", value)
        return value

    def flag(self, name: str) -> bool:
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise _bad(name, "true or false", value)
        return value

    def object(self, name: str) -> Mapping[str, object]:
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise _bad(name, "an object", value)
        return value

    def path(self, name: str) -> Path:
        # The letters of a path cross the line as UTF-8, whatever the code page (song/wording.py).
        text = self.text(name)
        try:
            return Path(os.fsdecode(text.encode("utf-8")))
        except UnicodeEncodeError as error:
            raise _bad(name, "a path", text) from error


def order_from_json(values: Mapping[str, object], report: Report, *, cores: int | None = None) -> Order:
    """The order. `cores` is how many the process may use, by default those it has.

    Raises Problem for whatever can be seen without opening the model.
    """
    return replace(_order(values, report, cores), song=_song_of(values))


def _order(values: Mapping[str, object], report: Report, cores: int | None) -> Order:
    members = _Members(values)
    if values.get("version") != VERSION:
        raise _bad("version", str(VERSION), values.get("version"))
    if members.flag("resume"):
        return _threaded(resumed(members.path("folder"), _course(members, RenderSettings()), report), cores)
    render = RenderSettings.validated(members.object("render"))
    course = _course(members, render)
    request = request_from_json(dict(members.object("request"))).request
    abc = merged(ABC_SAMPLING, members.object("abc_sampling"), where="abc_sampling")
    semantic = merged(SEMANTIC_SAMPLING, members.object("semantic_sampling"), where="semantic_sampling")
    if values.get("from_take") is None:
        return _threaded(ordered(Song(request, abc, semantic), course, report), cores)
    reuse = _choice("reuse", members.text("reuse", "plan"), _REUSE)
    changed = _changes(request, semantic) if reuse is TakeStage.PLAN else RequestOptions()
    return _threaded(continued(members.path("from_take"), reuse, changed, course, report), cores)


def _song_of(values: Mapping[str, object]) -> SongOfTake | None:
    """Which song of the window the take is one of; None where nothing is said."""
    song = values.get("song")
    if song is None:
        return None
    if not isinstance(song, dict):
        raise _bad("song", "an object", song)
    identity, title, take = song.get("id"), song.get("title"), song.get("take")
    numbered = take is None or (type(take) is int and take >= 1)
    if not isinstance(identity, str) or not identity or not isinstance(title, str) or not numbered:
        raise _bad("song", "an id, a title and, for a take, a number from 1", song)
    return SongOfTake(identity, title, take)


def _course(members: _Members, render: RenderSettings) -> Course:
    options = options_from(
        mode=render.mode,
        ar_precision=render.ar_precision,
        nar_residency=render.nar_residency,
        vae_core="auto" if render.vae_core is None else render.vae_core,
    )
    return Course(
        output=members.path("folder"),
        last=_choice("part", members.text("part", "take"), _LAST),
        model=members.path("model"),
        vae=members.path("vae"),
        machine=_machine(members),
        ode_steps=render.ode_steps,
        ode_method=render.ode_method,
        vae_core=render.vae_core,
        options=options,
        run_anyway=members.flag("run_anyway"),
        allow_bad_score=members.flag("allow_bad_score"),
    )


def _machine(members: _Members) -> Machine:
    dtype = members.text("dtype", "auto")
    if dtype not in _DTYPES:
        raise _bad("dtype", f"one of {', '.join(_DTYPES)}", dtype)
    threads = members.values.get("threads")
    if threads is not None and (type(threads) is not int or not 1 <= threads <= _MAX_THREADS):
        raise _bad("threads", f"a whole number from 1 to {_MAX_THREADS}", threads)
    return Machine(members.text("device", "auto"), dtype, threads)


def _changes(request: SongRequest, semantic: Sampling) -> RequestOptions:
    """What may be new when a score is kept: seed, guidance, and how the song is drawn."""
    scale = request.cfg_scale
    return RequestOptions(
        seed=str(request.seed),
        cfg_scale=None if scale is None else repr(scale),
        semantic_sampling=json.dumps(semantic.to_json()),
    )


def _threaded(order: Order, cores: int | None) -> Order:
    """With the usual number of threads where none is asked for: one core is the window's."""
    if order.invocation.threads is not None:
        return order
    available = cores if cores is not None else _cores()
    return replace(order, invocation=replace(order.invocation, threads=max(1, available - 1)))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _choice(name: str, value: str, choices: Mapping[str, TakeStage]) -> TakeStage:
    if value not in choices:
        raise _bad(name, f"one of {', '.join(choices)}", value)
    return choices[value]


def _bad(name: str, what: str, value: object) -> Problem:
    return Problem(
        ProblemKind.BAD_REQUEST,
        f"The render order's '{name}' must be {what}, but is {shown(value)}; render the song again.",
        field=name,
    )
