"""Latents to audio without a transformer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from yue2_desktop.library.audio_file import read_audio

Cli = Callable[..., Any]


def test_the_audio_of_a_take_again(cli: Cli, models: tuple[str, ...], finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "song.flac"
    ended = cli("decode", finished, *models[2:4], "--device", "cpu", "--vae-core", 8, "--output", out, "--json")
    assert ended.status == 0
    assert out.read_bytes() == (finished / "audio.flac").read_bytes()
    result = ended.events[-1]
    assert result["file"] == str(out)
    assert result["frames"] == 12
    assert result["levels"]["clipped"] > 0


def test_a_file_of_latents_with_one_tile(cli: Cli, models: tuple[str, ...], finished: Path, tmp_path: Path) -> None:
    """Tiles overlap by the whole receptive field, so their size changes rounding only (goldens: 2e-4)."""
    latents = tmp_path / "mine.npy"
    shutil.copy(finished / "latent.npy", latents)
    out = tmp_path / "song.wav"
    ended = cli("decode", latents, *models[2:4], "--output", out)
    assert ended.status == 0
    assert f"The audio is ready: 0:00.5 in {out}" in ended.out
    assert "Making the audio" in ended.err
    assert np.abs(read_audio(out)[0] - read_audio(finished / "audio.flac")[0]).max() < 2e-4


def test_a_folder_that_cannot_be_made(cli: Cli, models: tuple[str, ...], finished: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    ended = cli("decode", finished, *models[2:4], "--output", tmp_path / "file" / "song.wav")
    assert ended.status == 2
    assert "could not be written" in ended.err
