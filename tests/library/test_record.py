"""take.json read back: every damage is named by its member."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yue2_desktop.library.record import StageNote, read_record
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind


def damage(folder: Path, *place: str, value: object) -> None:
    path = folder / "take.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    target = whole
    for name in place[:-1]:
        target = target[name]
    if value is ...:
        del target[place[-1]]
    else:
        target[place[-1]] = value
    path.write_text(json.dumps(whole), encoding="utf-8")


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("schema",), 2, "is of version 2, this program reads 1; update the program"),
        (("schema",), "1", "schema must be a whole number"),
        (("identity",), ..., "identity is missing"),
        (("identity",), 5, "identity must be text, but is 5"),
        (("audio_file",), "../x.flac", "audio_file must be audio.flac or audio.wav"),
        (("stages", "plan"), ..., "stages.plan is missing"),
        (("stages", "plan", "state"), "done", "stages.plan.state must be one of waiting, running"),
        (("stages", "plan", "seconds"), "1", "stages.plan.seconds must be a number"),
        (("stages", "plan", "seconds"), -1, "stages.plan.seconds must be 0 or more"),
        (("stages", "plan", "truncated"), "no", "stages.plan.truncated must be true or false"),
        (("stages", "plan", "files", "plan.json"), 1, "stages.plan.files.plan.json must be an object"),
        (("stages", "plan", "files", "plan.json", "bytes"), -1, "bytes must be a whole number, 0 or more"),
        (("weights",), [], "weights must be an object"),
    ],
)
def test_damage_is_named(song, tmp_path: Path, place: tuple[str, ...], value: object, words: str) -> None:
    song.finish(tmp_path)
    damage(tmp_path, *place, value=value)
    with pytest.raises(Problem) as caught:
        read_record(tmp_path)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert words in caught.value.sentence
    assert str(tmp_path / "take.json") in caught.value.sentence


def test_a_cut_file_has_its_place(song, tmp_path: Path) -> None:
    song.create(tmp_path)
    path = tmp_path / "take.json"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(Problem, match=r"is not valid JSON: .* at line "):
        read_record(tmp_path)


def test_the_song_is_kept_through_every_stage(song, tmp_path: Path) -> None:
    belongs = SongOfTake("a1", "Дождь ☃", 3)
    writer = song.create(tmp_path, song=belongs)
    assert json.loads((tmp_path / "take.json").read_text(encoding="utf-8"))["song"] == {
        "id": "a1", "title": "Дождь ☃", "take": 3,
    }  # fmt: skip
    writer.plan(song.plan, StageNote(1.0))
    assert read_record(tmp_path).song == belongs
    assert TakeWriter.reopen(tmp_path).record.song == belongs


def test_a_score_of_a_song_is_kept_without_a_number(song, tmp_path: Path) -> None:
    song.create(tmp_path, song=SongOfTake("a1", "Дождь ☃"))
    assert "take" not in json.loads((tmp_path / "take.json").read_text(encoding="utf-8"))["song"]
    assert read_record(tmp_path).song == SongOfTake("a1", "Дождь ☃")


def test_a_take_without_a_song_names_none_and_has_the_same_identity(song, tmp_path: Path) -> None:
    plain = song.create(tmp_path / "a").record
    assert plain.song is None
    assert "song" not in json.loads((tmp_path / "a" / "take.json").read_text(encoding="utf-8"))
    assert song.create(tmp_path / "b", song=SongOfTake("x", "y", 1)).record.identity == plain.identity


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (5, "song must be an object"),
        ({"id": "", "title": "", "take": 1}, "song.id must be text that is not empty"),
        ({"id": "a", "title": 1, "take": 1}, "song.title must be text"),
        ({"id": "a", "title": "", "take": 0}, "song.take must be 1 or more"),
    ],
)
def test_a_damaged_song_is_named(song, tmp_path: Path, value: object, words: str) -> None:
    song.create(tmp_path)
    damage(tmp_path, "song", value=value)
    with pytest.raises(Problem, match=words):
        read_record(tmp_path)
