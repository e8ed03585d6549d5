"""What the user can mend: a clear sentence on stderr, exit status 2, and not one file or folder written."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from yue2_desktop.engine.weights.testmodel import TestModel

Cli = Callable[..., Any]
SONG = ("--style", "folk", "--lyrics", "la")
GOOD = {"style": "folk", "lyrics": "la"}


@pytest.fixture
def refused(cli: Cli, tmp_path: Path) -> Callable[..., str]:
    """Runs a command that must be refused; its sentence, after what must always hold was checked."""

    def run(*argv: object) -> str:
        before = sorted(tmp_path.rglob("*"))
        ended = cli(*argv)
        assert ended.status == 2, ended.err
        assert ended.out == ""
        assert sorted(tmp_path.rglob("*")) == before
        lines = ended.err.splitlines()
        assert len(lines) == 1, ended.err
        assert lines[0].endswith(".")
        assert "Traceback" not in ended.err
        return lines[0]

    return run


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"lyrics": 5}, "lyrics must be text, but is 5"),
        ({"lyrics": None}, "lyrics are missing"),
        ({"cot": "half"}, "cot must be full, melody or off, but is 'half'"),
        ({"cot": "off", "abc": "X:1\nK:C\n"}, "cannot be used with cot off; choose cot full or melody"),
        ({"abc": " \n"}, "blank; leave it out"),
        ({"seed": -1}, "seed must lie between 0 and 9223372036854775807"),
        ({"seed": 2**63}, "seed must lie between 0 and 9223372036854775807"),
        ({"seed": "12"}, "no quotation marks"),
        ({"seed": 1.0}, "seed must be a whole number"),
        ({"cfg_scale": 21}, "cfg_scale must lie between 0 and 20, but is 21"),
        ({"semantic_sampling": {"temperature": 6}}, "semantic_sampling.temperature must lie between 0 and 5"),
        ({"semantic_sampling": {"min_tokens": 9, "max_tokens": 5}}, "min_tokens is 9, more than max_tokens 5"),
        ({"semantic_sampling": {"heat": 1}}, "semantic_sampling.heat is not a setting"),
        ({"abc_sampling": []}, "abc_sampling must be an object"),
        ({"duration": 30}, "unknown field 'duration'"),
        ({"abc": "X:1\n", "abc_path": "a.abc"}, "keep one of them"),
        ({"abc_path": "not-there.abc"}, "not-there.abc does not exist"),
        ({"style": "a", "tags": "b"}, "give only style"),
        ({"id": "../x"}, "id must begin with a letter or digit"),
        ({"lyrics": "la\n" * 500}, "500 lines and the limit is 499; nothing was cut"),
        ({"lyrics": "x" * 20_001}, "20,001 characters long and the limit is 20,000; nothing was cut"),
    ],
)
def test_fields_of_a_request(
    fields: dict[str, object], sentence: str, refused: Callable[..., str], models: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "song.json"
    file.write_text(json.dumps({**GOOD, **fields}), encoding="utf-8")
    assert sentence in refused("render", "--request", file, *models, "--output", tmp_path / "new" / "take")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'{"style": "a",\n "lyrics": la}', "not valid JSON: Expecting value at line 2, column 12"),
        (b'{"style": "a", "lyrics": "la", "cfg_scale": NaN}', "holds NaN, which is not JSON"),
        (b'{"style": "a", "lyrics": "la", "semantic_sampling": {"temperature": NaN}}', "holds NaN"),
        (b'{"style": "a", "style": "b"}', "gives 'style' twice"),
        (b'["a"]', "must be a JSON object in braces"),
        (b'{"style": "a", "lyrics": "\xe9"}', "is not UTF-8: byte 26 (line 1) is 0xE9"),
        (b"\xff\xfe{\x00", "UTF-16"),
        (b"", "Expecting value at line 1, column 1"),
    ],
)
def test_request_files_that_cannot_be_read(
    text: bytes, sentence: str, refused: Callable[..., str], models: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "song.json"
    file.write_bytes(text)
    found = refused("render", "--request", file, *models, "--output", tmp_path / "take")
    assert sentence in found


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--seed", "-1"), "--seed must be between 0 and 9223372036854775807"),
        (("--seed", str(2**63)), "--seed must be between 0 and 9223372036854775807"),
        (("--seed", "twelve"), "--seed must be a whole number"),
        (("--seed", "1" * 5000), "--seed must be between 0"),
        (("--seed", "\u0661"), "--seed must be a whole number"),
        (("--cfg-scale", "21"), "cfg_scale must lie between 0 and 20"),
        (("--cfg-scale", "nan"), "cfg_scale must lie between 0 and 20"),
        (("--cfg-scale", "much"), "--cfg-scale must be a number"),
        (("--abc-sampling", '{"temperature": NaN}'), "Option --abc-sampling holds NaN"),
        (("--abc-sampling", '{"temperature": "hot"}'), "abc_sampling.temperature must be a number"),
        (("--abc-sampling", "{temperature: 1}"), "Option --abc-sampling is not valid JSON"),
        (("--semantic-sampling", "7"), "--semantic-sampling must be an object"),
        (("--semantic-sampling", '{"min_tokens": 300}', "--max-frames", "250"), "min_tokens is 300, more than"),
        (("--semantic-sampling", '{"max_tokens": 300}', "--max-frames", "250"), "say different lengths"),
        (("--max-frames", "0"), "--max-frames must be 1 or more"),
        (("--max-frames", "9" * 40), "--max-frames must be between 1 and 1000000000, but is"),
        (("--max-frames", "2.5"), "--max-frames must be a whole number"),
        (("--max-frames", "24570"), "tokens more than the model's 24,576; the longest song that fits has"),
        (("--ode-steps", "65"), "--ode-steps must be between 1 and 64"),
        (("--ode-steps", "0"), "--ode-steps must be between 1 and 64"),
        (("--vae-core", "0"), "--vae-core cannot be '0'"),
        (("--threads", "0"), "--threads must be between 1 and 512"),
        (("--device", "tpu"), "--device is 'tpu'; it can be auto, cpu, cuda or cuda:N"),
        (("--abc-file", "not-there.abc"), "Score file not-there.abc does not exist"),
        (("--reuse", "plan"), "--reuse needs the take to reuse"),
        (("--model", "no-model"), "The model folder no-model does not exist"),
        (("--vae", "no-vae"), "The audio decoder folder no-vae does not exist"),
    ],
)
def test_options(
    options: tuple[str, ...], sentence: str, refused: Callable[..., str], models: tuple[str, ...], tmp_path: Path
) -> None:
    assert sentence in refused("render", *SONG, *models, *options, "--output", tmp_path / "new" / "take")


@pytest.mark.parametrize(
    "options",
    [
        ("--cot", "half"),
        ("--dtype", "float16"),
        ("--stop-after", "audio"),
        ("--lyrics-file", "a.txt"),  # beside --lyrics
        ("--sed", "5"),
        ("--max", "5"),
        ("more",),
    ],
)
def test_what_argparse_refuses(options: tuple[str, ...], cli: Cli, models: tuple[str, ...], tmp_path: Path) -> None:
    ended = cli("render", *SONG, *models, *options, "--output", tmp_path / "take")
    assert ended.status == 2
    assert ended.out == ""
    assert len(ended.err.splitlines()) == 1
    assert "see 'yue2-desktop render --help'." in ended.err
    assert not (tmp_path / "take").exists()


def test_a_song_needs_style_and_lyrics(refused: Callable[..., str], models: tuple[str, ...]) -> None:
    assert "--style" in refused("render", "--lyrics", "la", *models)
    assert "--lyrics-file" in refused("render", "--style", "folk", *models)


def test_lyrics_files(refused: Callable[..., str], models: tuple[str, ...], tmp_path: Path) -> None:
    lyrics = tmp_path / "words.txt"
    lyrics.write_bytes("[Verse]\nсон\nм\xe9".encode("cp1251", "ignore") + b"\xe9")
    found = refused("render", "--style", "a", "--lyrics-file", lyrics, *models, "--output", tmp_path / "take")
    assert "is not UTF-8: byte 8 (line 2) is 0xF1" in found
    assert "save it as UTF-8" in found
    found = refused("render", "--style", "a", "--lyrics-file", tmp_path, *models, "--output", tmp_path / "take")
    assert "is a folder" in found


def test_a_prefix_and_a_budget_over_the_context(
    refused: Callable[..., str], models: tuple[str, ...], tmp_path: Path
) -> None:
    """Row 78: 960 s and long lyrics; how many tokens too many, and the longest length that fits."""
    lyrics = "".join(f"{number} bottles of beer on the wall\n" for number in range(400))
    found = refused(
        "render",
        "--style",
        "folk",
        "--lyrics",
        lyrics,
        "--max-frames",
        960 * 25,
        *models,
        "--output",
        tmp_path / "take",
    )
    assert re.search(r"are [\d,]+ tokens more than the model's 24,576", found)
    assert "the longest song that fits has" in found


def test_output_folders(refused: Callable[..., str], cli: Cli, models: tuple[str, ...], tmp_path: Path) -> None:
    full, file = tmp_path / "full", tmp_path / "file"
    full.mkdir()
    (full / "диктофон.txt").write_text("mine", encoding="utf-8")
    file.write_text("mine", encoding="utf-8")
    for place, sentence in ((full, "is not empty (it holds диктофон.txt)"), (file, "is or lies in a file"),
                            (file / "take", "is or lies in a file")):  # fmt: skip
        for command in ("render", "plan"):
            rest = models if command == "render" else (*models[:2], *models[4:])
            assert sentence in refused(command, *SONG, *rest, "--output", place)


def test_no_model_anywhere(refused: Callable[..., str], tmp_path: Path) -> None:
    found = refused("render", *SONG, "--output", tmp_path / "take")
    assert "There is no model (config.json, model.safetensors, qwen.tiktoken) at" in found
    assert "--model" in found
    assert "test-model" in found


@pytest.fixture
def model_copy(test_model: TestModel, tmp_path: Path) -> Path:
    """A model folder whose files can be replaced; they share the bytes of the test model until then."""
    folder = tmp_path / "model"
    shutil.copytree(test_model.model_dir, folder, copy_function=os.link)
    return folder


def _replaced(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def test_model_folders(
    refused: Callable[..., str], models: tuple[str, ...], model_copy: Path, test_model: TestModel, tmp_path: Path
) -> None:
    """What is wrong with a model is named: the file, the tensor, the shapes; one copy is broken step after step."""
    command = ("render", *SONG, *models, "--model", model_copy, "--output", tmp_path / "take")
    weights, config = model_copy / "model.safetensors", model_copy / "config.json"
    tensors = load_file(test_model.model_dir / "model.safetensors")
    name = "model.layers.1.nar_mlp.up_proj.weight"

    weights.unlink()
    save_file({**tensors, name: tensors[name][:-1].clone()}, weights)
    assert f"tensor '{name}' is [255, 128], its config.json asks for [256, 128]" in refused(*command)
    weights.unlink()
    save_file({key: tensor for key, tensor in tensors.items() if key != name}, weights)
    assert f"tensor '{name}' is missing" in refused(*command)
    whole = (test_model.model_dir / "model.safetensors").read_bytes()
    _replaced(weights, whole[:-1000])
    assert "bytes long, its header says" in refused(*command)
    _replaced(weights, b"PK\x03\x04 not weights")
    assert "is damaged" in refused(*command)
    _replaced(weights, b"")
    assert "is damaged" in refused(*command)

    values = json.loads(config.read_text(encoding="utf-8"))
    _replaced(config, json.dumps({**values, "model_type": "llama"}).encode())
    assert "'model_type' must be 'yue2'" in refused(*command)
    (model_copy / "qwen.tiktoken").unlink()
    weights.unlink()
    assert "lacks qwen.tiktoken, model.safetensors" in refused(*command)


def test_a_broken_tokenizer(
    refused: Callable[..., str], models: tuple[str, ...], model_copy: Path, tmp_path: Path
) -> None:
    _replaced(model_copy / "qwen.tiktoken", b"AA== 0\nhello\n")
    found = refused("render", *SONG, *models, "--model", model_copy, "--output", tmp_path / "take")
    assert "qwen.tiktoken, line 2" in found


def test_decoder_folders(
    refused: Callable[..., str], models: tuple[str, ...], test_model: TestModel, tmp_path: Path
) -> None:
    """A decoder of another layout, or in another number format, is refused by the tensor's name."""
    folder = tmp_path / "vae"
    shutil.copytree(test_model.vae_dir, folder)
    command = ("render", *SONG, *models, "--vae", folder, "--output", tmp_path / "take")
    tensors = load_file(test_model.vae_dir / "model.safetensors")
    name = "decoder.layers.3.layers.1.weight_v"
    save_file({key: tensor for key, tensor in tensors.items() if key != name}, folder / "model.safetensors")
    assert f"is not a YuE2 audio decoder: tensor '{name}' is missing" in refused(*command)
    save_file({**tensors, name: tensors[name].half()}, folder / "model.safetensors")
    assert f"tensor '{name}' is F16, the audio decoder is F32" in refused(*command)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["decoder_config"]["strides"][0] = 4
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert "'downsampling_ratio' must be the product of the strides" in refused(*command)
    assert "'model_type' must be 'yue2_vae'" in refused(*command, "--vae", test_model.model_dir)


def test_latents_that_are_none(refused: Callable[..., str], models: tuple[str, ...], tmp_path: Path) -> None:
    file, vae = tmp_path / "latent.npy", models[2:4]
    for array, sentence in (
        (np.zeros((5, 64), np.float64), "holds float64, but must hold float32"),
        (np.zeros((0, 64), np.float32), "has shape [0, 64]"),
        (np.zeros((5, 63), np.float32), "has shape [5, 63]"),
    ):
        np.save(file, array)
        assert sentence in refused("decode", file, *vae, "--output", tmp_path / "a.flac")
    file.write_bytes(file.read_bytes()[:-9])
    assert "is cut short" in refused("decode", file, *vae, "--output", tmp_path / "a.flac")
    file.write_bytes(b"RIFF")
    assert "is not a readable npy file" in refused("decode", file, *vae, "--output", tmp_path / "a.flac")


def test_latents_that_are_no_numbers_fail_loudly(cli: Cli, models: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "latent.npy"
    np.save(file, np.full((4, 64), np.nan, np.float32))
    ended = cli("decode", file, *models[2:4], "--output", tmp_path / "a.flac")
    assert ended.status == 1
    assert "not numbers" in ended.err
    assert not (tmp_path / "a.flac").exists()


def test_names_of_audio_files(
    refused: Callable[..., str], models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    vae = models[2:4]
    there = tmp_path / "there.wav"
    there.write_bytes(b"mine")
    assert "must end in .flac" in refused("decode", finished, *vae, "--output", tmp_path / "a.mp3")
    assert "exists already" in refused("decode", finished, *vae, "--output", there)
    assert there.read_bytes() == b"mine"


def test_takes_that_cannot_be_gone_on_from(
    refused: Callable[..., str], models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    take, out = tmp_path / "take", tmp_path / "out"
    shutil.copytree(finished, take)
    again = ("render", "--from-take", take, *models, "--output", out)
    assert "--style cannot be changed" in refused(*again, "--style", "jazz")
    assert "--seed cannot be changed when the latents" in refused(*again, "--seed", 8)
    assert "--max-frames cannot be changed" in refused(*again, "--reuse", "semantic", "--max-frames", 5)
    assert "leaves nothing to do" in refused(*again, "--stop-after", "plan")
    assert "is finished already" in refused("render", "--resume", take, *models[:4])
    refused_with_resume = refused("render", "--resume", take, "--seed", 8, "--ode-steps", 3)
    assert "--seed, --ode-steps cannot be given with --resume" in refused_with_resume
    assert "is not the folder of a take" in refused("render", "--from-take", tmp_path, *models, "--output", out)
    assert "holds no take" in refused("render", "--resume", tmp_path)

    score = take / "score.abc"
    score.write_text(score.read_text(encoding="utf-8") + "K:D\n", encoding="utf-8")
    found = refused(*again, "--reuse", "plan")
    assert "was edited" in found
    assert f"--abc-file {score}" in found
    (take / "latent.npy").write_bytes((take / "latent.npy").read_bytes() + b"\0")
    shutil.copy(finished / "score.abc", score)
    assert "was changed after it was made" in refused(*again)
    (take / "semantic.npy").unlink()
    assert "semantic.npy is missing" in refused(*again, "--reuse", "semantic")


def test_a_plan_of_another_tokenizer(
    refused: Callable[..., str], models: tuple[str, ...], finished: Path, model_copy: Path, tmp_path: Path
) -> None:
    lines = (model_copy / "qwen.tiktoken").read_bytes().splitlines(keepends=True)
    # Two merges change places: other ids for the same words.
    first, second = (line.split()[0] for line in lines[300:302])
    lines[300:302] = [second + b" 300\n", first + b" 301\n"]
    merged = dict(line.split() for line in lines)
    letter = next(token for token, rank in merged.items() if rank == b"104")  # h
    other = next(token for token, rank in merged.items() if rank == b"105")
    lines[104], lines[105] = other + b" 104\n", letter + b" 105\n"
    _replaced(model_copy / "qwen.tiktoken", b"".join(lines))
    found = refused(
        "render",
        "--from-take",
        finished,
        "--reuse",
        "plan",
        *models,
        "--model",
        model_copy,
        "--output",
        tmp_path / "out",
    )
    assert "Plan again with this model" in found


def test_the_test_model_spares_another_model(refused: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text('{"model_type": "yue2"}', encoding="utf-8")
    assert "holds another model" in refused("test-model", tmp_path)
