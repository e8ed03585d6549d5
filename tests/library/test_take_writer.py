"""A take in the making: each stage on disk at once, nothing lost to what comes later."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.audio_file import read_audio
from yue2_desktop.library.json_style import identity_of
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.record import StageNote, read_record
from yue2_desktop.library.stage_files import load_latents, load_semantic
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.library.token_journal import TokenJournal
from yue2_desktop.song.errors import Problem, ProblemKind

NOTE = StageNote(1.0)
ARTEFACTS = {
    "request.json",
    "config.json",
    "plan.json",
    "score.abc",
    "abc_tokens.npy",
    "prefix.npy",
    "plan_manifest.json",
    "semantic.npy",
    "latent.npy",
    "audio.flac",
}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def parsed(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_finished_take_has_the_references_files_and_ours(song, tmp_path: Path) -> None:
    folder = tmp_path / "Алёна" / "音乐 (новое)"
    song.finish(folder)
    assert names(folder) == ARTEFACTS | {"result.json", "take.json"}
    assert load_plan(folder) == song.plan
    assert load_semantic(folder) == song.tokens
    assert load_latents(folder).tobytes() == song.latents.tobytes()
    assert read_audio(folder / "audio.flac")[0].shape == song.audio.shape
    assert parsed(folder / "request.json") == song.request.to_json()
    assert parsed(folder / "config.json") == song.config


def test_result_json(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    result = parsed(tmp_path / "result.json")
    assert list(result) == [
        "status", "identity", "truncated", "sample_rate", "audio_seconds", "weights", "timing", "artifacts",
    ]  # fmt: skip
    assert result["status"] == "complete"
    assert result["identity"] == identity_of(song.request.to_json(), song.config, song.weights)
    assert result["truncated"] == {"abc": True, "semantic": True}
    assert result["sample_rate"] == 48_000
    assert result["audio_seconds"] == 7 * 1920 / 48_000
    assert result["weights"] == song.weights
    assert result["timing"] == {"plan": 1.5, "semantic": 2.0, "latents": 3.0, "audio": 0.25, "total": 6.75}
    assert set(result["artifacts"]) == ARTEFACTS
    for name, mark in result["artifacts"].items():
        data = (tmp_path / name).read_bytes()
        assert mark == {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def test_take_json_says_what_made_it(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    take = parsed(tmp_path / "take.json")
    assert take["made_with"]["app_version"] == "0.1.0"
    assert take["made_with"]["weights_licence"] == "CC BY-NC 4.0"
    assert take["made_with"]["model_files"][0]["sha256"] == "ab" * 32
    assert take["made_with"]["kernels"] == {"attention": "math"}
    assert take["seeds"] == {"score": 831001, "semantic": 831001, "noise": 831001}
    semantic = take["stages"]["semantic"]
    assert (semantic["state"], semantic["seconds"], semantic["peak_memory_bytes"]) == ("complete", 2.0, 123)
    assert (semantic["size"], semantic["truncated"], semantic["generator"]) == (7, True, "cpu mt19937")
    assert {name: entry["state"] for name, entry in take["stages"].items()} == dict.fromkeys(
        ["plan", "semantic", "latents", "audio"], "complete"
    )
    assert take["stages"]["latents"]["attention"] == "products"
    record = read_record(tmp_path)
    assert record.to_json() == take


@pytest.mark.parametrize(
    "name", ["request.json", "config.json", "plan.json", "plan_manifest.json", "result.json", "take.json"]
)
def test_json_style_on_disk(song, tmp_path: Path, name: str) -> None:
    song.finish(tmp_path)
    data = (tmp_path / name).read_bytes()
    assert data.endswith(b"}\n")
    assert b"\r" not in data.replace(b"\\r", b"")
    assert data.decode("utf-8").splitlines()[1].startswith('  "')
    assert b"\\u2603" not in data


def test_the_largest_seed_is_exact_everywhere(make_song: Callable, tmp_path: Path) -> None:
    # user-reports.md, row 116.
    make_song(seed=2**63 - 1).finish(tmp_path)
    assert parsed(tmp_path / "request.json")["seed"] == 2**63 - 1
    assert parsed(tmp_path / "plan.json")["request"]["seed"] == 2**63 - 1
    assert parsed(tmp_path / "take.json")["seeds"]["noise"] == 2**63 - 1
    assert load_plan(tmp_path).request.seed == 2**63 - 1


def test_the_same_song_gives_the_same_bytes(song, tmp_path: Path) -> None:
    # user-reports.md, row 117, as far as the files are concerned.
    song.finish(tmp_path / "one")
    song.finish(tmp_path / "two")
    for name in ARTEFACTS - {"audio.flac"}:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    one, two = (parsed(tmp_path / folder / "result.json")["identity"] for folder in ("one", "two"))
    assert one == two


def test_another_request_config_or_weights_is_another_identity(make_song: Callable, song, tmp_path: Path) -> None:
    songs = [
        song,
        make_song(seed=1),
        replace(song, config={**song.config, "ode_steps": 8}),
        replace(song, weights={"mot": "00" * 32}),
    ]
    identities = {each.create(tmp_path / str(n)).record.identity for n, each in enumerate(songs)}
    assert len(identities) == 4


def test_each_stage_is_on_disk_before_the_next_begins(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    assert names(tmp_path) == {"request.json", "config.json", "take.json"}
    writer.begin(TakeStage.PLAN)
    assert read_record(tmp_path).stages[TakeStage.PLAN].state is StageState.RUNNING
    writer.plan(song.plan, NOTE)
    assert load_plan(tmp_path) == song.plan
    writer.semantic(song.tokens, NOTE)
    assert load_semantic(tmp_path) == song.tokens
    writer.latents(song.latents, NOTE)
    assert np.array_equal(load_latents(tmp_path), song.latents)
    assert "result.json" not in names(tmp_path)


def test_an_occupied_folder_is_refused_and_untouched(song, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"x")
    with pytest.raises(Problem) as caught:
        song.create(tmp_path)
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS
    assert names(tmp_path) == {"mine.txt"}


def test_a_bad_audio_name_is_refused_before_anything_is_made(song, tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"audio\.flac or audio\.wav, not audio\.mp3"):
        TakeWriter.create(
            tmp_path / "new",
            request=song.request,
            config=song.config,
            weights=song.weights,
            made_with=song.made_with,
            audio_name="audio.mp3",
        )
    assert names(tmp_path) == set()


def test_a_configuration_that_is_no_json_is_refused_before_anything_is_made(song, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(song, config={"x": float("nan")}).create(tmp_path / "new")
    assert names(tmp_path) == set()


def test_wav_on_request(song, tmp_path: Path) -> None:
    writer = TakeWriter.create(
        tmp_path,
        request=song.request,
        config=song.config,
        weights=song.weights,
        made_with=song.made_with,
        audio_name="audio.wav",
    )
    writer.plan(song.plan, NOTE)
    writer.semantic(song.tokens, NOTE)
    writer.latents(song.latents, NOTE)
    writer.audio(song.audio, NOTE)
    assert "audio.wav" in writer.finish().artifacts
    assert np.array_equal(read_audio(tmp_path / "audio.wav")[0], song.audio)


@pytest.mark.parametrize("stage", ["latents", "audio"])
def test_values_that_are_no_numbers_fail_loudly_and_keep_the_tokens(song, tmp_path: Path, stage: str) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, NOTE)
    writer.semantic(song.tokens, NOTE)
    if stage == "audio":
        writer.latents(song.latents, NOTE)
    values = (song.latents if stage == "latents" else song.audio).copy()
    values[3, 1] = np.nan
    before = names(tmp_path)
    save = writer.latents if stage == "latents" else writer.audio
    with pytest.raises(Problem) as caught:
        save(values, NOTE)
    assert caught.value.kind is ProblemKind.NON_FINITE
    writer.failed(TakeStage(stage), caught.value)
    assert names(tmp_path) == before
    assert load_semantic(tmp_path) == song.tokens
    entry = read_record(tmp_path).stages[TakeStage(stage)]
    assert (entry.state, entry.problem) == (StageState.FAILED, caught.value.sentence)


def test_a_full_disk_keeps_the_stages_before(
    song, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, NOTE)
    writer.semantic(song.tokens, NOTE)
    before = names(tmp_path)

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(Problem) as caught:
            writer.latents(song.latents, NOTE)
        writer.failed(TakeStage.LATENTS, caught.value)
    assert caught.value.kind is ProblemKind.DISK_FULL
    assert "latent.npy could not be written; kept are plan.json," in caught.value.sentence
    assert "semantic.npy" in caught.value.sentence
    assert "could not be noted" in caplog.text
    assert names(tmp_path) == before
    assert load_semantic(tmp_path) == song.tokens
    writer.latents(song.latents, NOTE)
    assert np.array_equal(load_latents(tmp_path), song.latents)


def test_stages_come_in_order_and_once(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    with pytest.raises(RuntimeError, match="semantic cannot be saved before plan"):
        writer.semantic(song.tokens, NOTE)
    with pytest.raises(RuntimeError, match="audio cannot be saved before plan"):
        writer.begin(TakeStage.AUDIO)
    with pytest.raises(RuntimeError, match="not finished: plan, semantic, latents, audio"):
        writer.finish()
    writer.plan(song.plan, NOTE)
    with pytest.raises(RuntimeError, match="plan was saved already"):
        writer.plan(song.plan, NOTE)


def test_the_plan_must_be_of_the_takes_request(make_song: Callable, song, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="another request"):
        song.create(tmp_path).plan(make_song(seed=1).plan, NOTE)


@pytest.mark.parametrize("codec", [(), (-1,), (32_768,)])
def test_only_codec_values_are_saved(song, tmp_path: Path, codec: tuple[int, ...]) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, NOTE)
    with pytest.raises(ValueError, match="semantic tokens must be one or more values"):
        writer.semantic(replace(song.tokens, codec=codec), NOTE)


def test_the_journal_lives_until_the_take_is_done(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    with TokenJournal.create(writer.journal / "score.tokens", "key") as journal:
        journal.append([1], b"state")
    writer.plan(song.plan, NOTE)
    writer.failed(TakeStage.SEMANTIC, Problem(ProblemKind.CANCELLED, "Cancelled."))
    assert read_record(tmp_path).stages[TakeStage.SEMANTIC].state is StageState.CANCELLED
    assert (tmp_path / "journal" / "score.tokens").exists()
    (tmp_path / "journal" / ".yue2-00.part").write_bytes(b"")
    writer.semantic(song.tokens, NOTE)
    writer.latents(song.latents, NOTE)
    writer.audio(song.audio, NOTE)
    writer.finish()
    assert not (tmp_path / "journal").exists()


def test_stopping_where_asked_removes_the_journal_but_not_what_is_not_ours(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    TokenJournal.create(writer.journal / "score.tokens", "key").close()
    (writer.journal / "mine.txt").write_bytes(b"x")
    writer.plan(song.plan, NOTE)
    writer.stop_here()
    assert names(tmp_path / "journal") == {"mine.txt"}
    writer.stop_here()


def test_going_on_after_a_crash(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, StageNote(1.5, generator="cpu mt19937"))
    writer.begin(TakeStage.SEMANTIC)
    (tmp_path / ".yue2-deadbeef.part").write_bytes(b"half")
    again = TakeWriter.reopen(tmp_path)
    assert again.record == writer.record
    again.semantic(song.tokens, NOTE)
    again.latents(song.latents, NOTE)
    again.audio(song.audio, NOTE)
    assert again.finish().timing["plan"] == 1.5
    assert names(tmp_path) == ARTEFACTS | {"result.json", "take.json"}
    with pytest.raises(Problem, match="is finished already"):
        TakeWriter.reopen(tmp_path)


@pytest.mark.parametrize("name", ["request.json", "config.json"])
def test_an_edited_take_does_not_go_on(song, tmp_path: Path, name: str) -> None:
    song.create(tmp_path)
    values = parsed(tmp_path / name)
    first = next(iter(values))
    (tmp_path / name).write_text(json.dumps({**values, first: "edited"}), encoding="utf-8")
    with pytest.raises(Problem, match="its request or configuration was edited; start a new render"):
        TakeWriter.reopen(tmp_path)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_stage_takes_a_time(seconds: float) -> None:
    with pytest.raises(ValueError, match="a stage takes 0 seconds or more"):
        StageNote(seconds)
