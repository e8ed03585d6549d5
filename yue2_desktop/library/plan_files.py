"""The planned score on disk: the reference's five files, written from a plan and read back only if untouched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from yue2_desktop.library.arrays import INT32_LIMIT, ids_bytes, read_ids
from yue2_desktop.library.json_style import json_bytes, sha256_of
from yue2_desktop.library.members import Members, parse_members
from yue2_desktop.library.names import ABC_TOKENS, PLAN, PLAN_MANIFEST, PREFIX, SCORE
from yue2_desktop.library.reading import bad_file, read_file
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.stages import TEXT_SIZE, ScorePlan
from yue2_desktop.song.wording import path_text


def plan_files(plan: ScorePlan, timing: Mapping[str, float]) -> dict[str, bytes]:
    """The files of `plan` by name, in the order to write them: the manifest of their hashes comes last.

    `timing` gives seconds by name. `score.abc` is there only if the plan has a score (spec/yue2.md, section 9).
    """
    files = {
        PLAN: json_bytes({
            "request": plan.request.to_json(),
            "timing": dict(timing),
            "truncated": plan.truncated,
            "prefix": list(plan.prefix),
            "abc_ids": list(plan.abc_ids),
            "abc": plan.abc,
        }),
        ABC_TOKENS: ids_bytes(plan.abc_ids),
        PREFIX: ids_bytes(plan.prefix),
    }
    if plan.abc is not None:
        files[SCORE] = plan.abc.encode("utf-8")
    files[PLAN_MANIFEST] = json_bytes({name: sha256_of(data) for name, data in files.items()})
    return files


def load_plan(folder: Path) -> ScorePlan:
    """The plan in a take's folder, with the exact token ids that were sampled.

    Every file that the manifest names is hashed and the parts must agree with each other. Raises
    Problem(BAD_FILE) for a missing, linked, edited or damaged file; for an edited score the sentence says how
    to supply it instead.
    """
    contents = _verified(folder)
    plan = _parsed(contents[PLAN], folder / PLAN)
    if read_ids(contents[ABC_TOKENS], folder / ABC_TOKENS) != plan.abc_ids:
        raise _disagrees(folder / ABC_TOKENS)
    if read_ids(contents[PREFIX], folder / PREFIX) != plan.prefix:
        raise _disagrees(folder / PREFIX)
    score = None if plan.abc is None else plan.abc.encode("utf-8")
    if contents.get(SCORE) != score:
        raise _edited_score(folder) if SCORE in contents else _disagrees(folder / PLAN)
    return plan


def _verified(folder: Path) -> dict[str, bytes]:
    manifest_path = folder / PLAN_MANIFEST
    manifest = parse_members(read_file(manifest_path), manifest_path)
    needed = (PLAN, ABC_TOKENS, PREFIX)
    for name in needed:
        if name not in manifest.values:
            raise bad_file(manifest_path, f"does not name {name}, so the plan cannot be trusted; plan the song again")
    contents = {}
    for name in manifest.values:
        if not _plain_name(name):
            raise bad_file(manifest_path, f"names {name!r}, which is not a file of this folder; use another take")
        data = read_file(folder / name)
        if sha256_of(data) != manifest.text(name).lower():
            raise _edited_score(folder) if name == SCORE else _edited(folder / name)
        contents[name] = data
    if SCORE not in contents and (folder / SCORE).exists():
        raise _edited_score(folder)
    return contents


def _plain_name(name: str) -> bool:
    return name not in {"", ".", ".."} and PurePosixPath(name).name == name == PureWindowsPath(name).name


def _parsed(data: bytes, path: Path) -> ScorePlan:
    members = parse_members(data, path)
    request = _request(members, path)
    abc = members.optional_text("abc")
    plan = ScorePlan(
        request=request,
        abc_ids=members.ids("abc_ids", limit=TEXT_SIZE),
        abc=abc,
        prefix=members.ids("prefix", limit=INT32_LIMIT),
        truncated=members.flag("truncated"),
        supplied=request.abc is not None,
    )
    if not plan.prefix:
        raise members.problem("prefix", "a list of at least one token id", [])
    if request.cot == "off" and (plan.abc_ids or abc is not None):
        raise bad_file(path, "has a score although its request says cot off; plan the song again")
    if request.cot != "off" and abc is None:
        raise bad_file(path, f"has no score although its request says cot {request.cot}; plan the song again")
    if plan.supplied and abc != request.abc:
        raise bad_file(path, "holds another score than its request supplied; plan the song again")
    return plan


def _request(members: Members, path: Path) -> SongRequest:
    try:
        return request_from_json(members.section("request").values).request
    except Problem as problem:
        raise bad_file(path, f"holds a request that is not valid ({problem.sentence.rstrip('.')})") from problem


def _edited(path: Path) -> Problem:
    return bad_file(path, "was changed after the plan was made; plan the song again or restore the file")


def _disagrees(path: Path) -> Problem:
    return bad_file(path, "does not belong to the plan beside it; plan the song again or restore the file")


def _edited_score(folder: Path) -> Problem:
    score = folder / SCORE
    return bad_file(
        score,
        "was edited, but a saved plan is sung from the model's own tokens; to sing the edited score start a "
        f"new render with --abc-file {path_text(score)}",
        edited="score",
    )
