"""The song document as JSON values and back: every member checked, members of other versions kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from yue2_desktop.song.document import SongDocument, new_id
from yue2_desktop.song.document_score import DocumentScore, PlannedScore, ScoreOrigin
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.request import SEED_LIMIT, SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged
from yue2_desktop.song.seeds import SeedKind, SeedPolicy
from yue2_desktop.song.wording import path_text, shown

FORMAT: Final = "yue2song"
VERSION: Final = 1

_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_ROOT: Final = frozenset({
    "format", "version", "id", "title", "style", "lyrics", "cot", "seed", "score", "abc_sampling", "semantic_sampling",
    "cfg_scale", "render", "notes",
})  # fmt: skip
_SEED: Final = frozenset({"policy", "value"})
_SCORE: Final = frozenset({"text", "origin", "source", "plan"})
_PLAN: Final = frozenset({"take", "text", "asked", "seed", "truncated"})


def document_json(document: SongDocument) -> dict[str, object]:
    """`document` as JSON values: what a project file holds. Halves of characters become U+FFFD, so that it can be."""
    score = document.score
    values: dict[str, object] = {
        **document.kept,
        "format": FORMAT,
        "version": VERSION,
        "id": document.id,
        "title": document.title,
        "style": document.style,
        "lyrics": document.lyrics,
        "cot": document.cot,
        "seed": {**document.seed.kept, "policy": document.seed.kind.value, "value": document.seed.value},
        "score": None if score is None else _score_json(score),
        "abc_sampling": dict(document.abc_sampling),
        "semantic_sampling": dict(document.semantic_sampling),
        "cfg_scale": document.cfg_scale,
        "render": document.render.to_json(),
        "notes": document.notes,
    }
    return {name: _whole(value) for name, value in values.items()}


def document_from_json(value: object, path: Path) -> SongDocument:
    """The document that `document_json` wrote, or an older or hand-written one: a missing member has its default.

    Raises Problem(UNSUPPORTED) for a later version and Problem(BAD_FILE) for anything that cannot be, naming the
    file, the member and what it must be.
    """
    root = _Members.of(value, path, "")
    if root.values.get("format") != FORMAT:
        raise _bad(path, f"is not a song of this program: format must be {shown(FORMAT)}")
    _require_version(root.values.get("version"), path)
    cot = root.values.get("cot", "full")
    try:
        # The request's own rules, with texts that hold every one of them.
        request = SongRequest.validated(
            style="", lyrics="", cot=cot, cfg_scale=root.values.get("cfg_scale"), id=root.values.get("id", new_id())
        )
        render = RenderSettings.validated(root.section("render").values)
        abc = _sampling(root, "abc_sampling", ABC_SAMPLING)
        semantic = _sampling(root, "semantic_sampling", SEMANTIC_SAMPLING)
    except Problem as problem:
        if problem.kind is not ProblemKind.BAD_REQUEST:
            raise
        raise _bad(path, f"is damaged: {problem.sentence.rstrip('.')}", key=problem.data.get("field")) from problem
    return SongDocument(
        id=request.id,
        title=root.text("title"),
        style=root.text("style"),
        lyrics=root.text("lyrics"),
        cot=request.cot,
        seed=_seed(root.section("seed")),
        score=None if root.values.get("score") is None else _score(root.section("score")),
        abc_sampling=abc,
        semantic_sampling=semantic,
        cfg_scale=request.cfg_scale,
        render=render,
        notes=root.text("notes"),
        kept=root.others(_ROOT),
    )


def _score_json(score: DocumentScore) -> dict[str, object]:
    plan = score.plan
    return {
        **score.kept,
        "text": score.text,
        "origin": score.origin.value,
        "source": score.source,
        "plan": None
        if plan is None
        else {
            **plan.kept,
            "take": plan.take,
            "text": plan.text,
            "asked": plan.asked,
            "seed": plan.seed,
            "truncated": plan.truncated,
        },
    }


def _score(members: _Members) -> DocumentScore:
    origin = members.choice("origin", tuple(kind.value for kind in ScoreOrigin), ScoreOrigin.WRITTEN.value)
    plan = None if members.values.get("plan") is None else _plan(members.section("plan"))
    return DocumentScore(
        text=members.text("text"),
        origin=ScoreOrigin(origin),
        plan=plan,
        source=members.text("source"),
        kept=members.others(_SCORE),
    )


def _plan(members: _Members) -> PlannedScore:
    truncated = members.values.get("truncated", False)
    if not isinstance(truncated, bool):
        raise members.problem("truncated", "must be true or false", truncated)
    return PlannedScore(
        take=members.text("take"),
        text=members.text("text"),
        asked=members.text("asked"),
        seed=members.seed("seed"),
        truncated=truncated,
        kept=members.others(_PLAN),
    )


def _seed(members: _Members) -> SeedPolicy:
    kind = members.choice("policy", tuple(kind.value for kind in SeedKind), SeedKind.COUNTING.value)
    return SeedPolicy(SeedKind(kind), members.seed("value"), members.others(_SEED))


def _sampling(root: _Members, name: str, base: Sampling) -> Mapping[str, object]:
    overrides = root.section(name).values
    merged(base, overrides, where=name)
    return overrides


def _require_version(version: object, path: Path) -> None:
    if type(version) is not int or version < 1:
        raise _bad(path, f"is damaged: version must be a whole number from 1, but is {shown(version)}", key="version")
    if version > VERSION:
        place = path_text(path)
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"Song {place} was written by a later version of this program (file version {version}, this one reads "
            f"{VERSION}); update the program. The file was left as it is.",
            path=place,
            version=version,
        )


@dataclass(frozen=True)
class _Members:
    """Members of one object of the file, with their place in it."""

    values: Mapping[str, Any]
    path: Path
    place: str

    @classmethod
    def of(cls, value: object, path: Path, place: str) -> _Members:
        if not isinstance(value, dict):
            raise _bad(
                path, f"is damaged: {place or 'it'} must be an object in braces, but is {shown(value)}", key=place
            )
        return cls(value, path, place)

    def text(self, name: str) -> str:
        value = self.values.get(name, "")
        if not isinstance(value, str):
            raise self.problem(name, "must be text", value)
        found = _HALF_CHARACTER.search(value)
        if found is not None:
            raise self.problem(name, f"holds half of a character at place {found.start() + 1}", found[0])
        return value

    def section(self, name: str) -> _Members:
        return _Members.of(self.values.get(name, {}), self.path, self.name(name))

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        value = self.values.get(name, default)
        if value not in choices:
            raise self.problem(name, f"must be {', '.join(choices[:-1])} or {choices[-1]}", value)
        return str(value)

    def seed(self, name: str) -> int:
        value = self.values.get(name, SeedPolicy().value)
        if type(value) is not int or not 0 <= value < SEED_LIMIT:
            raise self.problem(name, f"must be a whole number from 0 to {SEED_LIMIT - 1}", value)
        return value

    def others(self, known: frozenset[str]) -> Mapping[str, object]:
        return {name: value for name, value in self.values.items() if name not in known}

    def name(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name

    def problem(self, name: str, must: str, found: object) -> Problem:
        return _bad(self.path, f"is damaged: {self.name(name)} {must}, but is {shown(found)}", key=self.name(name))


def _whole(value: object) -> object:
    """`value` with halves of characters replaced, which no file can hold."""
    if isinstance(value, str):
        return _HALF_CHARACTER.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {str(_whole(name)): _whole(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(member) for member in value]
    return value


def _bad(path: Path, rest: str, **data: object) -> Problem:
    place = path_text(path)
    return Problem(ProblemKind.BAD_FILE, f"Song {place} {rest}.", path=place, **data)
