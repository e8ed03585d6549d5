"""A song through the command line: the reference's own, two equal ones, parts of one, and what is written beside."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from yue2_desktop import __version__, settings
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library.audio_file import read_audio
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.record import read_record
from yue2_desktop.library.stage_files import load_latents, load_semantic

GOLDENS = Path(__file__).parents[1] / "goldens"
Cli = Callable[..., Any]


def parsed(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("mode", ["full", "off"])
def test_the_references_song(mode: str, cli: Cli, models: tuple[str, ...], tmp_path: Path) -> None:
    """goldens/README.md, e2e in fp32: ids exact, latents within 1e-4, audio within 1e-3."""
    case = parsed(GOLDENS / "e2e.json")[f"fp32.{mode}"]
    vectors = load_file(GOLDENS / "e2e.safetensors")
    request = tmp_path / "request.json"
    fields = {key: value for key, value in case["request"].items() if value is not None}
    sampling = {key: case[key] for key in ("abc_sampling", "semantic_sampling")}
    request.write_text(json.dumps({**fields, **sampling}), encoding="utf-8")
    out = tmp_path / "take"
    ended = cli(
        "render", "--request", request, *models, "--ode-steps", case["ode_steps"], "--vae-core", 8, "--output", out,
        "--json",
    )  # fmt: skip
    assert ended.status == 0
    assert ended.err == ""
    tokens = load_semantic(out)
    assert list(tokens.plan.abc_ids) == case["abc_ids"]
    assert tokens.plan.abc == case["abc_text"]
    assert list(tokens.codec) == case["codec"]
    assert tokens.truncated == case["truncated"]
    latents = load_latents(out)
    wanted = vectors[f"fp32.{mode}.latent"]
    assert latents.shape == wanted.shape
    assert np.abs(latents - wanted).max() <= 1e-4
    audio, rate = read_audio(out / "audio.flac")
    assert audio.shape == (case["samples"], 2)
    assert rate == 48_000
    assert np.abs(audio[::3] - vectors[f"fp32.{mode}.wave_every3"]).max() <= 1e-3
    result = ended.events[-1]
    assert result["event"] == "result"
    assert result["song_truncated"] == case["truncated"]
    assert result["seconds"] == pytest.approx(case["seconds"])
    assert result["levels"]["peak_dbfs"] == 0.0
    assert 0 < result["levels"]["clipped"] < 1
    assert (out / "score.abc").exists() == (mode == "full")


def test_equal_runs_whatever_ran_before(
    cli: Cli, tiny: tuple[str, ...], finished: Path, tmp_path: Path, content: Callable[[Path], dict[str, bytes]]
) -> None:
    """Rows 117 and 120: two runs give equal files, and a song of a row of renders is the single one with its seed."""
    row = [tmp_path / f"{seed}" for seed in (8, 7)]
    for folder in row:
        assert cli("render", *tiny, "--seed", folder.name, "--output", folder).status == 0
    assert content(row[1]) == content(finished)
    assert parsed(row[1] / "result.json")["identity"] == parsed(finished / "result.json")["identity"]
    assert (row[0] / "semantic.npy").read_bytes() != (finished / "semantic.npy").read_bytes()


def test_what_take_json_says(finished: Path, test_model: TestModel) -> None:
    record = read_record(finished)
    assert all(stage.state is StageState.COMPLETE for stage in record.stages.values())
    made = record.made_with
    assert made["app_version"] == __version__
    assert made["dtype"] == "float32"
    assert made["device"] == "CPU"
    assert made["weights_licence"] == "unknown (not the released YuE2-3B)"
    recorded = parsed(test_model.model_dir.parent / "test-model.json")["files"]
    hashes = {(file["part"], file["name"]): file["sha256"] for file in made["model_files"]}
    # 97 MB are hashed beside the render; even where that has not ended in time, nothing wrong is written.
    assert hashes["mot", "config.json"] == recorded["model/config.json"]["sha256"]
    assert hashes["mot", "qwen.tiktoken"] == recorded["model/qwen.tiktoken"]["sha256"]
    assert hashes["vae", "model.safetensors"] == recorded["vae/model.safetensors"]["sha256"]
    assert hashes["mot", "model.safetensors"] in {None, recorded["model/model.safetensors"]["sha256"]}
    for stage in TakeStage:
        note = record.stages[stage].note
        assert note is not None
        assert note.seconds >= 0
        assert note.peak_memory_bytes is not None
        assert note.peak_memory_bytes > 50_000_000
        assert not note.resumed
        assert note.attention == ("fused" if stage is TakeStage.LATENTS else None)
    assert not (finished / "journal").exists()
    for name in ("take.json", "config.json", "result.json"):
        assert str(finished.parent) not in (finished / name).read_text(encoding="utf-8")
        assert str(test_model.model_dir.parent) not in (finished / name).read_text(encoding="utf-8")


def test_a_run_that_stops_early_goes_on_elsewhere(
    cli: Cli,
    tiny: tuple[str, ...],
    models: tuple[str, ...],
    finished: Path,
    tmp_path: Path,
    content: Callable[[Path], dict[str, bytes]],
) -> None:
    """--stop-after and --from-take: the parts make the whole, each opening only what it needs."""
    model, vae, rest = models[:2], models[2:4], models[4:]
    at = tmp_path / "plan"
    assert cli("render", *tiny[: -len(models)], *model, *rest, "--stop-after", "plan", "--output", at).status == 0
    assert not (at / "semantic.npy").exists()
    assert not (at / "journal").exists()
    for last in ("semantic", "latents"):
        following = tmp_path / last
        options = ("--stop-after", last, "--output", following, "--json", "--allow-bad-score")
        ended = cli("render", "--from-take", at, *model, *rest, *options)
        assert ended.status == 0
        assert [event["origin"] for event in ended.events if event["event"] == "stage-end"][-1] == "made"
        assert not (following / "audio.flac").exists()
        at = following
    final = tmp_path / "final"
    ended = cli("render", "--from-take", at, *vae, *rest, "--output", final, "--json")
    assert ended.status == 0
    assert [event["origin"] for event in ended.events if event["event"] == "stage-end"] == ["reused"] * 3 + ["made"]
    files, wanted = content(final), content(finished)
    assert files == wanted
    record = read_record(final)
    assert [record.stages[stage].note.reused_from for stage in TakeStage] == ["latents"] * 3 + [None]
    assert {file["part"] for file in record.made_with["model_files"]} == {"mot", "vae"}
    assert record.weights == read_record(finished).weights
    assert record.identity == read_record(finished).identity


def test_the_same_score_sung_with_another_seed(
    cli: Cli, models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "other"
    options = ("--reuse", "plan", "--seed", 8, "--stop-after", "semantic", "--max-frames", 10,
               "--allow-bad-score")  # fmt: skip
    assert cli("render", "--from-take", finished, *options, *models, "--output", out).status == 0
    plan = load_plan(finished)
    assert load_plan(out) == replace(plan, request=replace(plan.request, seed=8))
    assert load_semantic(out).codec != load_semantic(finished).codec[:10]
    assert parsed(out / "take.json")["seeds"] == {"score": 7, "semantic": 8, "noise": 8}
    config, earlier = parsed(out / "config.json"), parsed(finished / "config.json")
    assert config["semantic"] == {**earlier["semantic"], "min_tokens": 10, "max_tokens": 10}
    assert config["ode_steps"] == earlier["ode_steps"] == 2


def test_a_finer_sound_of_the_same_tokens(cli: Cli, models: tuple[str, ...], finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "final"
    options = ("--reuse", "semantic", "--ode-steps", 4, "--stop-after", "latents")
    assert cli("render", "--from-take", finished, *options, *models, "--output", out).status == 0
    assert (out / "semantic.npy").read_bytes() == (finished / "semantic.npy").read_bytes()
    assert not np.array_equal(load_latents(out), load_latents(finished))


def test_a_take_of_the_reference_can_be_gone_on_from(
    cli: Cli, models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    """It has no take.json, and a config.json of its own."""
    take, out = tmp_path / "theirs", tmp_path / "ours"
    shutil.copytree(finished, take)
    (take / "take.json").unlink()
    (take / "config.json").write_text('{"version": "yue2-native-v1", "device": "cuda"}', encoding="utf-8")
    options = ("--ode-steps", 2, "--vae-core", 8, "--reuse", "semantic")
    assert cli("render", "--from-take", take, *options, *models, "--output", out).status == 0
    assert (out / "latent.npy").read_bytes() == (finished / "latent.npy").read_bytes()
    assert parsed(out / "take.json")["seeds"] == dict.fromkeys(("score", "semantic", "noise"), 7)
    assert read_record(out).stages[TakeStage.PLAN].note.reused_from == "theirs"


def test_the_largest_seed_survives(cli: Cli, tiny: tuple[str, ...], tmp_path: Path) -> None:
    """Row 116: 2^63 - 1 through the command line, JSON events, the files of the take, and a request file."""
    seed = 2**63 - 1
    out, again = tmp_path / "a", tmp_path / "b"
    ended = cli("render", *tiny, "--seed", seed, "--stop-after", "plan", "--output", out, "--json")
    assert ended.status == 0
    assert ended.events[-1]["seed"] == seed
    assert parsed(out / "request.json")["seed"] == seed
    assert parsed(out / "plan.json")["request"]["seed"] == seed
    assert parsed(out / "take.json")["seeds"] == dict.fromkeys(("score", "semantic", "noise"), seed)
    file = tmp_path / "song.json"
    request = {key: value for key, value in parsed(out / "request.json").items() if value is not None}
    file.write_text(json.dumps(request), encoding="utf-8")
    rest = tiny[tiny.index("--ode-steps") :]
    assert cli("render", "--request", file, *rest, "--stop-after", "plan", "--output", again).status == 0
    assert load_plan(again) == load_plan(out)


def test_options_win_over_the_request_file(cli: Cli, models: tuple[str, ...], tmp_path: Path) -> None:
    file, score = tmp_path / "song.json", tmp_path / "mine.abc"
    score.write_text("X:1\nK:C\n", encoding="utf-8")
    file.write_text(
        json.dumps({
            "tags": "folk", "lyrics": "la", "seed": 3, "abc_path": "not-there.abc", "cot": "melody",
            "abc_sampling": {"top_k": 5}, "semantic_sampling": {"top_k": 6, "min_tokens": 50, "max_tokens": 60},
        }),
        encoding="utf-8",
    )  # fmt: skip
    out = tmp_path / "take"
    options = ["--seed", "4", "--style", "jazz", "--abc-file", score, "--allow-bad-score", "--max-frames", "9",
               "--semantic-sampling", '{"top_k": 7}', "--cfg-scale", "1.5"]  # fmt: skip
    ended = cli("render", "--request", file, *options, "--stop-after", "plan", *models, "--output", out, "--json")
    assert ended.status == 0
    request = parsed(out / "request.json")
    assert (request["style"], request["lyrics"], request["seed"], request["cot"]) == ("jazz", "la", 4, "melody")
    assert (request["abc"], request["cfg_scale"]) == ("X:1\nK:C\n", 1.5)
    config = parsed(out / "config.json")
    assert config["abc"]["top_k"] == 5
    assert {key: config["semantic"][key] for key in ("top_k", "min_tokens", "max_tokens")} == {
        "top_k": 7, "min_tokens": 9, "max_tokens": 9,
    }  # fmt: skip
    assert "lowered to 9" in next(event["sentence"] for event in ended.events if event["event"] == "note")


def test_the_words_at_the_end(cli: Cli, tiny: tuple[str, ...], tmp_path: Path) -> None:
    """Row 75: a song that was cut says so, with the length and the cure; the files are named."""
    out = tmp_path / "take"
    ended = cli("render", *tiny, "--output", out, "--allow-bad-score")
    assert ended.status == 0
    assert "The song is ready: 0:00.5." in ended.out
    assert "stopped at 12 frames (0:00.5)" in ended.out
    assert "--max-frames" in ended.out
    assert "dBFS" in ended.out
    assert f"Files in {out}: audio.flac, score.abc" in ended.out
    assert "Singing" in ended.err
    assert "\r" not in ended.err


def test_quiet_says_nothing(cli: Cli, tiny: tuple[str, ...], tmp_path: Path) -> None:
    ended = cli("render", *tiny, "--stop-after", "plan", "--output", tmp_path / "take", "--quiet")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_without_options_the_settings_say_where(
    cli: Cli, tiny: tuple[str, ...], test_model: TestModel, tmp_path: Path
) -> None:
    """The models folder and the folder of takes are those of the settings; a second take gets a name of its own."""
    models = tmp_path / "models"
    shutil.copytree(test_model.model_dir, models / "YuE2-3B", copy_function=os.link)
    settings.save(replace(settings.Settings(), models_folder=models, output_folder=tmp_path / "takes"))
    song = tiny[: tiny.index("--model")]
    for name in ("song", "song 2"):
        ended = cli("render", *song, "--stop-after", "plan", "--json")
        assert ended.status == 0
        assert ended.events[-1]["folder"] == str(tmp_path / "takes" / name)
        assert (tmp_path / "takes" / name / "score.abc").exists()
