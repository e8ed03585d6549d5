"""What a folder holds: whole, unfinished, edited, foreign and damaged takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.arrays import latents_bytes
from yue2_desktop.library.describe import describe, is_take
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.record import StageNote
from yue2_desktop.song.errors import Problem, ProblemKind


def test_a_finished_take(song, tmp_path: Path) -> None:
    writer = song.finish(tmp_path)
    found = describe(tmp_path, hashes=True)
    assert found.request == song.request
    assert set(found.stages.values()) == {StageState.COMPLETE}
    assert (found.abc_tokens, found.abc_truncated) == (4, True)
    assert (found.frames, found.semantic_truncated) == (7, True)
    assert (found.samples, found.sample_rate, found.seconds) == (7 * 1920, 48_000, 0.28)
    assert found.identity == writer.record.identity
    assert found.made_with is not None
    assert found.made_with["device"] == "CPU of test"
    assert found.problems == ()
    assert {fact.name: fact.sha256 for fact in found.files}["latent.npy"] == writer.record.files["latent.npy"].sha256
    assert not found.journal
    json.dumps(found.to_json(), allow_nan=False)


def test_without_hashes_nothing_is_hashed(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    assert {fact.sha256 for fact in describe(tmp_path).files} == {None}


def test_an_unfinished_take(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, StageNote(1.0))
    writer.begin(TakeStage.SEMANTIC)
    (tmp_path / "journal").mkdir()
    found = describe(tmp_path)
    assert found.stages == {
        TakeStage.PLAN: StageState.COMPLETE,
        TakeStage.SEMANTIC: StageState.RUNNING,
        TakeStage.LATENTS: StageState.WAITING,
        TakeStage.AUDIO: StageState.WAITING,
    }
    assert found.frames is None
    assert found.seconds is None
    assert found.journal
    assert is_take(tmp_path)


def test_the_length_comes_from_the_frames_before_there_is_sound(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, StageNote(1.0))
    writer.semantic(song.tokens, StageNote(1.0))
    assert describe(tmp_path).seconds == 7 / 25


def test_changes_are_found(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "score.abc").write_bytes(b"X:1\n")
    (tmp_path / "latent.npy").write_bytes(latents_bytes(np.zeros((7, 64), np.float32)))
    (tmp_path / "audio.flac").unlink()
    quick, thorough = describe(tmp_path), describe(tmp_path, hashes=True)
    for found in (quick, thorough):
        text = "\n".join(found.problems)
        assert "--abc-file" in text
        assert "audio.flac is missing." in text
    assert "latent.npy was changed after it was made." in thorough.problems
    assert "latent.npy was changed after it was made." not in quick.problems


def test_another_size_is_found_without_hashing(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    with (tmp_path / "config.json").open("ab") as file:
        file.write(b"\n")
    with (tmp_path / "audio.flac").open("ab") as file:
        file.write(b"\n")
    changed = {f"{name} was changed after it was made." for name in ("audio.flac", "config.json")}
    assert set(describe(tmp_path).problems) == changed


def test_tokens_and_latents_of_two_songs(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "take.json").unlink()
    (tmp_path / "latent.npy").write_bytes(latents_bytes(np.zeros((9, 64), np.float32)))
    assert "latent.npy has 9 frames, but semantic.npy has 7." in describe(tmp_path).problems


def test_a_take_of_the_reference(make_song: Callable, tmp_path: Path) -> None:
    writer = make_song(cot="off").finish(tmp_path)
    (tmp_path / "take.json").unlink()
    found = describe(tmp_path)
    assert set(found.stages.values()) == {StageState.COMPLETE}
    assert found.identity == writer.record.identity
    assert found.semantic_truncated is True
    assert found.made_with is None
    assert found.problems == ()


def test_damage_becomes_sentences(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    for name in ("take.json", "request.json", "semantic.npy", "latent.npy", "audio.flac"):
        (tmp_path / name).write_bytes(b"rubbish")
    found = describe(tmp_path)
    assert len([sentence for sentence in found.problems if "changed" not in sentence]) == 5
    assert found.request == song.request


def test_a_folder_that_is_no_take(tmp_path: Path) -> None:
    assert not is_take(tmp_path)
    found = describe(tmp_path)
    assert set(found.stages.values()) == {StageState.WAITING}
    assert found.files == ()
    assert not is_take(tmp_path / "none")
    with pytest.raises(Problem, match="is not a readable folder") as caught:
        describe(tmp_path / "none")
    assert caught.value.kind is ProblemKind.BAD_FILE
