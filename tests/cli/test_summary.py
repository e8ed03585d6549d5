"""Levels of a sound, and the words about what was cut."""

from __future__ import annotations

import numpy as np
import pytest

from yue2_desktop.cli.sizes import in_bytes, in_parameters
from yue2_desktop.cli.summary import Levels, TakeSummary, levels_of
from yue2_desktop.library.names import TakeStage


def test_levels_of_known_sounds() -> None:
    time = np.arange(480_000 + 5) / 48_000
    sine = np.stack([np.sin(2 * np.pi * 440 * time)] * 2, axis=1).astype(np.float32)
    levels = levels_of(sine * np.float32(0.5))
    assert levels.peak_dbfs == pytest.approx(-6.02, abs=0.01)
    assert levels.rms_dbfs == pytest.approx(-9.03, abs=0.01)
    assert levels.clipped == 0
    square = np.sign(sine + np.float32(1e-3)).astype(np.float32)
    assert levels_of(square) == Levels(0.0, 0.0, 1.0)
    half = np.zeros((10, 2), np.float32)
    half[:5, 0] = -1
    assert levels_of(half).clipped == 0.25


def test_silence() -> None:
    levels = levels_of(np.zeros((10, 2), np.float32))
    assert levels == Levels(None, None, 0.0)


def _summary(**changes: object) -> TakeSummary:
    values: dict[str, object] = {
        "folder": "x", "identity": "i", "seed": 1, "last": TakeStage.AUDIO, "frames": 250, "seconds": 10.0,
        "score_truncated": False, "song_truncated": False, "levels": Levels(-1.0, -12.0, 0.0), "files": ("audio.flac",),
    }  # fmt: skip
    return TakeSummary(**{**values, **changes})  # type: ignore[arg-type]


def test_words() -> None:
    assert _summary().lines() == [
        "The song is ready: 0:10.0.",
        "Peak -1.0 dBFS, loudness (RMS) -12.0 dBFS, nothing is clipped.",
        "Files in x: audio.flac",
    ]
    lines = _summary(levels=Levels(None, None, 0.0), score_truncated=True, song_truncated=True).lines()
    assert "It is silent" in lines[1]
    assert "The score is not finished" in lines[2]
    assert "stopped at 250 frames (0:10.0)" in lines[3]
    assert _summary(levels=Levels(0.0, -9.0, 0.0072)).lines()[1].endswith("0.72 % of the samples are clipped.")


@pytest.mark.parametrize(
    ("count", "words"),
    [(512, "512 bytes"), (2000, "2 kB"), (96_700_000, "96.7 MB"), (7_261_441_640, "7.26 GB"), (2 * 10**12, "2,000 GB")],
)
def test_sizes(count: int, words: str) -> None:
    assert in_bytes(count) == words


@pytest.mark.parametrize(
    ("count", "words"), [(4096, "4,096"), (132_616_130, "132.6 million"), (3_630_684_224, "3.63 billion")]
)
def test_parameters(count: int, words: str) -> None:
    assert in_parameters(count) == words
