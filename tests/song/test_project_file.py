"""Project files: what was saved comes back, what is wrong is named, and nothing good is written over."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.song.documents import DOCUMENTS
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.project_file import backup_of, document_bytes, is_changed, load_project, save_project
from yue2_desktop.song.project_json import document_from_json, document_json

SONG = SongDocument(id="song-1", title="Salt ☃", style="folk", lyrics="[Verse]\nwe walk\n")
PATH = Path("song.yue2song")


@settings(max_examples=50, deadline=None)
@given(DOCUMENTS)
def test_a_document_comes_back_with_what_this_version_does_not_know(document: SongDocument) -> None:
    assert document_from_json(json.loads(document_bytes(document)), PATH) == document


@settings(max_examples=50, deadline=None)
@given(DOCUMENTS, st.sampled_from(["title", "style", "lyrics", "cot", "seed", "score", "render", "notes", "cfg_scale"]))
def test_a_missing_member_has_its_default(document: SongDocument, missing: str) -> None:
    values = document_json(document)
    del values[missing]
    assert getattr(document_from_json(values, PATH), missing) == getattr(SongDocument(), missing)


def test_an_id_is_made_where_none_is_there() -> None:
    values = document_json(SONG)
    del values["id"]
    assert document_from_json(values, PATH).id != document_from_json(values, PATH).id


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "other"}, "is not a song of this program"),
        ({"version": None}, "version must be a whole number from 1, but is null"),
        ({"version": True}, "version must be a whole number"),
        ({"version": 0}, "version must be a whole number"),
        ({"title": 7}, "title must be text, but is 7"),
        ({"lyrics": None}, "lyrics must be text, but is null"),
        ({"notes": "\ud800"}, "notes holds half of a character at place 1"),
        ({"id": "../x"}, "id must begin with a letter or digit"),
        ({"cot": "half"}, "cot must be full, melody or off, but is 'half'"),
        ({"cfg_scale": 21}, "cfg_scale must lie between 0 and 20"),
        ({"seed": []}, "seed must be an object"),
        ({"seed": {"policy": "random"}}, r"seed\.policy must be fixed, new or counting, but is 'random'"),
        ({"seed": {"value": -1}}, r"seed\.value must be a whole number from 0"),
        ({"seed": {"value": 1.0}}, r"seed\.value must be a whole number"),
        ({"score": "X:1"}, "score must be an object"),
        ({"score": {"text": 1}}, r"score\.text must be text"),
        ({"score": {"origin": "heard"}}, r"score\.origin must be plan, edited, imported or written"),
        ({"score": {"plan": {"truncated": 1}}}, r"score\.plan\.truncated must be true or false, but is 1"),
        ({"score": {"plan": {"seed": "1"}}}, r"score\.plan\.seed must be a whole number"),
        ({"abc_sampling": {"top_k": 0}}, "abc_sampling.*top_k"),
        ({"semantic_sampling": {"speed": 1}}, "semantic_sampling.*speed"),
        ({"abc_sampling": 3}, "abc_sampling must be an object"),
        ({"render": {"mode": "turbo"}}, r"render\.mode must be auto"),
    ],
)
def test_what_cannot_be_is_named(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(Problem, match=sentence) as caught:
        document_from_json({**document_json(SONG), **change}, PATH)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "song.yue2song" in caught.value.sentence


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_what_is_no_object_is_no_song(value: object) -> None:
    with pytest.raises(Problem, match="it must be an object"):
        document_from_json(value, PATH)


def test_saving_and_opening(tmp_path: Path) -> None:
    path = tmp_path / "Lied ☃.yue2song"
    saved = save_project(SONG, path)
    assert load_project(path) == saved
    assert not is_changed(saved, SONG)
    assert is_changed(saved, replace(SONG, title="x"))
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    text = path.read_text(encoding="utf-8")
    assert "☃" in text
    assert text.endswith("}\n")


def test_the_last_good_version_stays_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    first = save_project(SONG, path)
    second = save_project(replace(SONG, title="two"), path, expected=first.mark)
    assert load_project(backup_of(path)).document == SONG
    save_project(second.document, path, expected=second.mark)
    assert load_project(backup_of(path)).document == SONG, "saving the same again keeps the earlier version"


def test_a_damaged_file_is_not_kept_as_the_good_version(tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    save_project(SONG, path)
    save_project(replace(SONG, title="two"), path)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(Problem, match=r"is not valid JSON.* The last good version is a\.yue2song\.bak") as caught:
        load_project(path)
    assert caught.value.data["backup"] == str(backup_of(path))
    save_project(replace(SONG, title="three"), path)
    assert load_project(backup_of(path)).document == SONG


def test_a_later_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    values = {**document_json(SONG), "version": 2, "title": {"new": "form"}}
    path.write_text(json.dumps(values), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(Problem, match=r"file version 2, this one reads 1\); update") as caught:
        load_project(path)
    assert caught.value.kind is ProblemKind.UNSUPPORTED
    with pytest.raises(Problem, match="later version"):
        save_project(SONG, path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_file_that_another_program_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    opened = save_project(SONG, path)
    save_project(replace(SONG, title="from elsewhere"), path)
    with pytest.raises(Problem, match="changed by another program") as caught:
        save_project(replace(SONG, title="mine"), path, expected=opened.mark)
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS
    assert load_project(path).document.title == "from elsewhere"


def test_a_save_that_fails_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yue2song"
    save_project(SONG, path)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problem) as caught:
        save_project(replace(SONG, title="two"), path)
    assert caught.value.kind is ProblemKind.DISK_FULL
    monkeypatch.undo()
    assert load_project(path).document == SONG


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "a.yue2song", tmp_path / "b.yue2song"
    save_project(SONG, real)
    try:
        link.symlink_to(real)
    except OSError as error:
        pytest.skip(f"links cannot be made here: {error}")
    save_project(replace(SONG, title="two"), link)
    assert link.is_symlink()
    assert load_project(real).document.title == "two"


def test_half_a_character_cannot_keep_a_song_from_being_saved(tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    save_project(replace(SONG, lyrics="la \ud83d la", kept={"later": ["\udc00"]}), path)
    loaded = load_project(path).document
    assert loaded.lyrics == "la \ufffd la"
    assert loaded.kept == {"later": ["\ufffd"]}


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe{", b"[1", b'{"format":"yue2song","version":1,"version":1}', b"NaN"]
)
def test_bytes_that_are_no_song_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.yue2song"
    path.write_bytes(content)
    with pytest.raises(Problem) as caught:
        load_project(path)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert path.read_bytes() == content
