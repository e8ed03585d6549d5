"""Every letter of every language in words and paths, whatever the code page (user-reports.md, rows 61, 63-65)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library.audio_file import read_audio
from yue2_desktop.library.plan_files import load_plan

PLACE = Path("C Users", "Алёна", "音乐 (новое)", "☃ 🤣")
STYLE = "русская народная, 民谣, çà ☃"
LYRICS = "[Verse]\nсон 雨 🤣\n\n[Chorus]\nça va\r\n"


@pytest.fixture
def place(tmp_path: Path, test_model: TestModel) -> Path:
    """A folder of many scripts with the model, lyrics and a request in it."""
    folder = tmp_path / PLACE
    shutil.copytree(test_model.model_dir, folder / "модель", copy_function=os.link)
    shutil.copytree(test_model.vae_dir, folder / "декодер", copy_function=os.link)
    (folder / "слова.txt").write_text(LYRICS, encoding="utf-8", newline="")
    score = "X:1\nT:Дождь ☃\nK:C\n|\n"
    (folder / "ноты.abc").write_text(score, encoding="utf-8", newline="")
    request = {"style": STYLE, "lyrics": LYRICS, "abc_path": "ноты.abc"}
    (folder / "песня.json").write_text(json.dumps(request, ensure_ascii=False), encoding="utf-8")
    return folder


def _options(place: Path) -> tuple[object, ...]:
    return (
        "--model", place / "модель", "--vae", place / "декодер", "--device", "cpu", "--dtype", "float32",
        "--ode-steps", "1", "--max-frames", "4",
    )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="locales of this kind are POSIX's")
def test_under_an_ascii_locale(
    run_process: Callable[..., Any], cli: Callable[..., Any], ascii_locale: Mapping[str, str], place: Path
) -> None:
    """Words and paths arrive whole; files are UTF-8; nothing of ours is opened in the locale's encoding."""
    out, again = place / "выход 1", place / "выход 2"
    song = (
        "--style",
        STYLE,
        "--lyrics-file",
        place / "слова.txt",
        "--abc-file",
        place / "ноты.abc",
        "--allow-bad-score",
    )
    ended = run_process("render", *song, *_options(place), "--output", out, env=ascii_locale)
    assert ended.status == 0, ended.err
    assert not [line for line in ended.err.splitlines() if "EncodingWarning" in line and "yue2_desktop" in line]
    assert f"Files in {out}" in ended.out
    request = json.loads((out / "request.json").read_text(encoding="utf-8"))
    assert (request["style"], request["lyrics"]) == (STYLE, LYRICS)
    assert len(read_audio(out / "audio.flac")[0]) > 0
    ended = run_process("inspect", out, "--json", env=ascii_locale)
    assert ended.status == 0, ended.err
    assert ended.events[0]["place"] == str(out)
    # The same song from a request file in this process, whatever its locale is.
    assert (
        cli(
            "render", "--request", place / "песня.json", *_options(place), "--output", again, "--allow-bad-score"
        ).status
        == 0
    )
    assert load_plan(again) == load_plan(out)
    assert (again / "latent.npy").read_bytes() == (out / "latent.npy").read_bytes()


def test_export_with_such_a_name(
    cli: Callable[..., Any], models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    """Row 64."""
    for name in ("☃ 🤣 Песня.flac", "çà.WAV"):
        ended = cli("decode", finished, *models[2:4], "--vae-core", 8, "--output", tmp_path / name)
        assert ended.status == 0
        assert name in ended.out
        samples, rate = read_audio(tmp_path / name)
        assert rate == 48_000
        assert samples.shape == read_audio(finished / "audio.flac")[0].shape


def test_words_on_a_code_page(cli: Callable[..., Any], tiny: tuple[str, ...], tmp_path: Path) -> None:
    """A lyrics file with the signature of Windows' editor and its line ends is sung as written."""
    words = tmp_path / "words.txt"
    words.write_bytes(b"\xef\xbb\xbf[Verse]\r\n\xd1\x81\xd0\xbe\xd0\xbd\r\n")
    options = [option for option in tiny if option not in {"--lyrics", "[Verse]\nhello\n"}]
    out = tmp_path / "take"
    assert cli("render", *options, "--lyrics-file", words, "--stop-after", "plan", "--output", out).status == 0
    assert load_plan(out).request.lyrics == "[Verse]\r\nсон\r\n"
