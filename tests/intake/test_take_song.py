"""Songs rebuilt from takes: the same song is asked for again, and what cannot be is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.intake.conftest import PLANNED
from yue2_desktop.intake.dropped import DroppedSong
from yue2_desktop.intake.opening import open_dropped
from yue2_desktop.intake.take_song import song_of_take
from yue2_desktop.song.document import SongDocument, new_id
from yue2_desktop.song.document_score import ScoreOrigin
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.seeds import SeedKind, SeedPolicy

SONG = SongDocument(
    title="Salt ☃",
    style="folk, 92 BPM",
    lyrics="[Verse]\nwe walk the empty street at night\n",
    cot="melody",
    seed=SeedPolicy(SeedKind.COUNTING, 7),
    abc_sampling={"temperature": 0.5},
    semantic_sampling={"top_k": 40},
    cfg_scale=1.2,
    render=RenderSettings(mode="bf16", ode_steps=8, ode_method="ab2", vae_core=256, max_frames=2000),
)

Make = Callable[..., Path]


def test_the_same_song_is_asked_for_again(make_take: Make) -> None:
    dropped = open_dropped(make_take(SONG))
    assert isinstance(dropped, DroppedSong)
    assert dropped.project is None
    assert dropped.notes == ()
    assert dropped.is_take
    document = dropped.document
    assert (document.id, document.title) == (SONG.id, SONG.title)
    assert document.seed == SeedPolicy(SeedKind.FIXED, 7)
    again, before = render_order(document, 7), render_order(SONG, 7)
    assert (again.requests, again.abc, again.semantic) == (before.requests, before.abc, before.semantic)
    assert again.render == replace(before.render, mode="auto")


def test_the_model_own_score_is_a_plan_whose_tokens_can_be_sung(make_take: Make) -> None:
    folder = make_take(SONG)
    document = song_of_take(folder).document
    assert document.score is not None
    assert document.score.origin is ScoreOrigin.PLAN
    assert document.reusable_plan is not None
    assert document.reusable_plan.take == str(folder)
    assert document.score.text == PLANNED


def test_a_supplied_score_stays_supplied(make_take: Make) -> None:
    document = song_of_take(make_take(SONG.with_score_text("X:1\nK:G\n"))).document
    assert document.score is not None
    assert document.score.origin is ScoreOrigin.IMPORTED
    assert render_order(document, 7).requests[0].abc == "X:1\nK:G\n"


def test_off_has_no_score(make_take: Make) -> None:
    assert song_of_take(make_take(replace(SONG, cot="off"))).document.score is None


def test_a_take_whose_record_is_broken_says_so_and_not_what_is_missing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "take"
    folder.mkdir()
    (folder / "take.json").write_text('{"schema": ', encoding="utf-8")
    with pytest.raises(Problem) as caught:
        open_dropped(folder)
    sentence = caught.value.sentence
    assert sentence.startswith(f"File {folder / 'take.json'} is not valid JSON")
    assert sentence.endswith("choose another take.")


def test_a_request_that_asks_for_nonsense_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "take"
    folder.mkdir()
    (folder / "take.json").write_text("{", encoding="utf-8")
    (folder / "request.json").write_text('{"style": 3}', encoding="utf-8")
    with pytest.raises(Problem) as caught:
        open_dropped(folder)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert caught.value.sentence == (
        f"Request file {folder / 'request.json'}: style must be text, but is 3; mend it, or choose another take."
    )


def test_an_automatic_ceiling_becomes_the_one_that_was_used(make_take: Make) -> None:
    automatic = replace(SONG, render=RenderSettings())
    document = song_of_take(make_take(automatic)).document
    assert document.render.max_frames == render_order(automatic, 7).semantic.max_tokens


def test_an_edited_score_in_the_folder_is_what_the_user_means(make_take: Make) -> None:
    folder = make_take(SONG)
    (folder / "score.abc").write_text("X:1\nK:D\n", encoding="utf-8")
    dropped = song_of_take(folder)
    assert dropped.document.score is not None
    assert (dropped.document.score.text, dropped.document.score.origin) == ("X:1\nK:D\n", ScoreOrigin.EDITED)
    assert any("was edited" in note for note in dropped.notes)


def test_stages_of_other_seeds_are_said(make_take: Make) -> None:
    folder = make_take(SONG, seeds={"score": 3, "semantic": 7, "noise": 7})
    assert any("other seeds" in note for note in song_of_take(folder).notes)


def test_lyrics_that_would_be_sung_otherwise_are_said(make_take: Make) -> None:
    folder = make_take(SONG)
    for name in ("plan.json", "plan_manifest.json"):
        (folder / name).unlink()
    values = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    values["lyrics"] = "# once sung\nla"
    values["style"] = "folk\n92 BPM"
    (folder / "request.json").write_text(json.dumps(values), encoding="utf-8")
    notes = song_of_take(folder).notes
    assert any("lines are remarks" in note for note in notes)
    assert any("line breaks" in note for note in notes)


@pytest.mark.parametrize("name", ["take.json", "config.json"])
def test_a_damaged_record_is_told_and_the_song_still_there(make_take: Make, name: str) -> None:
    folder = make_take(SONG)
    (folder / name).write_text('{"abc": {"top_k": 0}}', encoding="utf-8")
    dropped = song_of_take(folder)
    assert dropped.document.lyrics == SONG.lyrics
    assert any(name in note for note in dropped.notes)


def test_without_a_request_there_is_no_song(make_take: Make) -> None:
    folder = make_take(SONG)
    for name in ("plan.json", "request.json"):
        (folder / name).unlink()
    with pytest.raises(Problem, match=r"request\.json is missing"):
        song_of_take(folder)


def test_a_take_of_the_reference_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my take"
    folder.mkdir()
    request = {"style": "folk", "lyrics": "la", "cot": "full", "seed": 3, "abc": None, "cfg_scale": None, "id": "song"}
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    (folder / "result.json").write_text('{"status": "complete"}', encoding="utf-8")
    first, second = song_of_take(folder).document, song_of_take(folder).document
    assert first.title == "my take"
    assert first.id != second.id
    assert first.render == RenderSettings()


@pytest.mark.parametrize(
    ("request_id", "title"), [("salt-and_rope", "Salt and rope"), ("song", "folder"), (new_id(), "folder")]
)
def test_titles_from_ids(tmp_path: Path, request_id: str, title: str) -> None:
    path = tmp_path / "folder.json"
    path.write_text(json.dumps({"style": "", "lyrics": "", "id": request_id}), encoding="utf-8")
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedSong)
    assert dropped.document.title == title
    assert (dropped.document.id == request_id) == (len(request_id) == 32)
