"""The plan on disk: the exact ids come back, and whatever was touched is refused with its cure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.json_style import json_bytes, sha256_of
from yue2_desktop.library.plan_files import load_plan, plan_files
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import ScorePlan


def written(plan: ScorePlan, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in plan_files(plan, {"plan": 1.5}).items():
        (folder / name).write_bytes(data)
    return folder


def remanifest(folder: Path) -> None:
    """What somebody does who knows of the manifest."""
    path = folder / "plan_manifest.json"
    names = json.loads(path.read_text(encoding="utf-8"))
    path.write_bytes(json_bytes({name: sha256_of((folder / name).read_bytes()) for name in names}))


def change_plan(folder: Path, **members: object) -> None:
    path = folder / "plan.json"
    values = {**json.loads(path.read_text(encoding="utf-8")), **members}
    path.write_bytes(json_bytes({name: value for name, value in values.items() if value is not ...}))
    remanifest(folder)


def refused(folder: Path) -> Problem:
    with pytest.raises(Problem) as caught:
        load_plan(folder)
    assert caught.value.kind is ProblemKind.BAD_FILE
    return caught.value


def test_the_files_are_the_references(song, tmp_path: Path) -> None:
    folder = written(song.plan, tmp_path)
    names = {path.name for path in folder.iterdir()}
    assert names == {"plan.json", "score.abc", "abc_tokens.npy", "prefix.npy", "plan_manifest.json"}
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    assert list(plan) == ["request", "timing", "truncated", "prefix", "abc_ids", "abc"]
    assert plan["request"] == song.request.to_json()
    assert plan["timing"] == {"plan": 1.5}
    assert (folder / "score.abc").read_bytes() == song.plan.abc.encode("utf-8")
    for name, ids in (("abc_tokens.npy", song.plan.abc_ids), ("prefix.npy", song.plan.prefix)):
        array = np.load(folder / name, allow_pickle=False)
        assert array.dtype == np.int32
        assert tuple(array.tolist()) == ids
    manifest = json.loads((folder / "plan_manifest.json").read_text(encoding="utf-8"))
    assert set(manifest) == names - {"plan_manifest.json"}
    for name, digest in manifest.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"cot": "off"},
        {"cot": "melody", "seed": 2**63 - 1},
        {"abc": "X:1\r\nK:C\r\nдождь\n", "cfg_scale": 1.5, "id": "a.b"},
    ],
)
def test_a_plan_comes_back_whole(make_song: Callable, tmp_path: Path, fields: dict[str, object]) -> None:
    plan = make_song(**fields).plan
    assert load_plan(written(plan, tmp_path / "音乐 (новое)")) == plan


def test_off_has_no_score_file(make_song: Callable, tmp_path: Path) -> None:
    folder = written(make_song(cot="off").plan, tmp_path)
    assert not (folder / "score.abc").exists()
    assert np.load(folder / "abc_tokens.npy", allow_pickle=False).shape == (0,)


def test_an_edited_score_is_told_how_to_be_supplied(song, tmp_path: Path) -> None:
    folder = written(song.plan, tmp_path)
    score = folder / "score.abc"
    score.write_bytes(score.read_bytes() + b"C|")
    problem = refused(folder)
    assert f"--abc-file {score}" in problem.sentence
    assert "was edited" in problem.sentence
    remanifest(folder)
    assert "--abc-file" in refused(folder).sentence


def test_a_score_added_to_a_plan_without_one(make_song: Callable, tmp_path: Path) -> None:
    folder = written(make_song(cot="off").plan, tmp_path)
    (folder / "score.abc").write_bytes(b"X:1\n")
    assert "--abc-file" in refused(folder).sentence


@pytest.mark.parametrize("name", ["plan.json", "abc_tokens.npy", "prefix.npy"])
def test_an_edited_file_is_named(song, tmp_path: Path, name: str) -> None:
    folder = written(song.plan, tmp_path)
    data = bytearray((folder / name).read_bytes())
    data[-3] ^= 1
    (folder / name).write_bytes(bytes(data))
    problem = refused(folder)
    assert f"{folder / name} was changed after the plan was made" in problem.sentence


@pytest.mark.parametrize("name", ["abc_tokens.npy", "prefix.npy"])
def test_arrays_of_another_plan_are_refused_even_with_their_hashes(
    make_song: Callable, song, tmp_path: Path, name: str
) -> None:
    folder = written(song.plan, tmp_path)
    other = plan_files(replace(song.plan, abc_ids=(1, 2), prefix=(3, 4)), {})
    (folder / name).write_bytes(other[name])
    remanifest(folder)
    assert f"{folder / name} does not belong to the plan beside it" in refused(folder).sentence


@pytest.mark.parametrize("name", ["plan.json", "score.abc", "abc_tokens.npy", "prefix.npy", "plan_manifest.json"])
def test_a_missing_file_is_named(song, tmp_path: Path, name: str) -> None:
    folder = written(song.plan, tmp_path)
    (folder / name).unlink()
    assert f"{folder / name} is missing" in refused(folder).sentence


@pytest.mark.parametrize("name", ["plan.json", "score.abc", "prefix.npy", "plan_manifest.json"])
def test_a_link_is_refused_even_to_the_same_bytes(song, link: Callable, tmp_path: Path, name: str) -> None:
    folder = written(song.plan, tmp_path / "take")
    target = tmp_path / "elsewhere"
    (folder / name).rename(target)
    link(folder / name, target)
    assert f"{folder / name} is a link" in refused(folder).sentence


@pytest.mark.parametrize("name", ["../plan.json", "/etc/hostname", "a\\b", "C:x", ".", "", "sub/x"])
def test_a_manifest_cannot_reach_outside(song, tmp_path: Path, name: str) -> None:
    folder = written(song.plan, tmp_path)
    path = folder / "plan_manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_bytes(json_bytes({**manifest, name: "0" * 64}))
    assert "which is not a file of this folder" in refused(folder).sentence


def test_a_manifest_must_vouch_for_every_part(song, tmp_path: Path) -> None:
    folder = written(song.plan, tmp_path)
    path = folder / "plan_manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["prefix.npy"]
    path.write_bytes(json_bytes(manifest))
    assert "does not name prefix.npy" in refused(folder).sentence
    path.write_bytes(b"[]")
    assert "it must hold one object" in refused(folder).sentence
    path.write_bytes(json_bytes({**manifest, "prefix.npy": 5}))
    assert "prefix.npy must be text, but is 5" in refused(folder).sentence


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"prefix": []}, "prefix must be a list of at least one token id"),
        ({"prefix": ...}, "prefix is missing"),
        ({"prefix": [1.0]}, "prefix must be a list of token ids"),
        ({"abc_ids": [151_643]}, "abc_ids must be a list of token ids from 0 to 151642, but is 151643"),
        ({"abc_ids": [True]}, "abc_ids must be a list of token ids"),
        ({"abc_ids": "5"}, "abc_ids must be a list of token ids"),
        ({"truncated": 1}, "truncated must be true or false, but is 1"),
        ({"abc": 7}, "abc must be text, but is 7"),
        ({"abc": None}, "has no score although its request says cot full"),
        ({"request": []}, "request must be an object"),
        ({"request": {"style": "a", "lyrics": "b", "seed": -1}}, "holds a request that is not valid (seed must lie"),
        ({"request": {"style": "a", "lyrics": "b", "cot": "off"}}, "has a score although its request says cot off"),
        ({"request": {"style": "a", "lyrics": "b", "abc": "X:2"}}, "holds another score than its request supplied"),
    ],
)
def test_a_plan_that_contradicts_itself(song, tmp_path: Path, members: dict[str, object], words: str) -> None:
    folder = written(song.plan, tmp_path)
    change_plan(folder, **members)
    assert words in refused(folder).sentence


def test_a_plan_of_the_reference_with_more_beside_it_is_read(song, tmp_path: Path) -> None:
    folder = written(song.plan, tmp_path)
    change_plan(folder, version="0.1.6", timing={"plan_seconds": 3})
    assert load_plan(folder) == song.plan
