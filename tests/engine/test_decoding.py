"""Row 38: a decoder that overflows gives silence; the take fails with the reason and nothing is encoded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from yue2_desktop.engine.decoding import decode_latents
from yue2_desktop.engine.progress import CancelToken, silent
from yue2_desktop.engine.vae.decoder import Decoder, load_decoder
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.song.errors import Problem, ProblemKind

LATENTS = np.full((40, 64), 0.1, dtype=np.float32)


@pytest.fixture
def decoder(vae_files: VaeFiles) -> Decoder:
    return load_decoder(vae_files.source, vae_files.config, torch.device("cpu"))


def _decoded(decoder: Decoder, latents: np.ndarray = LATENTS) -> np.ndarray:
    return decode_latents(lambda: decoder, decoder.config, latents, None, silent, CancelToken())


def test_sound_passes(decoder: Decoder) -> None:
    assert np.abs(_decoded(decoder)).max() > 0


@pytest.mark.parametrize(("value", "words"), [(0.0, "pure silence"), (float("nan"), "not numbers")])
def test_silence_and_overflow_fail_and_keep_the_latents(decoder: Decoder, value: float, words: str) -> None:
    broken = replace(decoder, last=replace(decoder.last, weight=torch.full_like(decoder.last.weight, value)))
    with pytest.raises(Problem, match=words) as caught:
        _decoded(broken)
    assert caught.value.kind is ProblemKind.NON_FINITE
    assert "The latents are kept" in caught.value.sentence


def test_latents_that_overflowed_are_not_decoded(decoder: Decoder) -> None:
    latents = LATENTS.copy()
    latents[7, 3] = np.inf
    with pytest.raises(Problem, match="not numbers") as caught:
        _decoded(decoder, latents)
    assert caught.value.kind is ProblemKind.NON_FINITE
