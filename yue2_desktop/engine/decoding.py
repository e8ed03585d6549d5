"""From latents to sound with one decoder: what goes in and comes out is checked (spec yue2, sections 5 and 9)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch

from yue2_desktop.engine.config import VaeConfig
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.progress import CancelToken, OnProgress, ProgressReporter, Stage
from yue2_desktop.engine.vae.decoder import Decoder, load_decoder
from yue2_desktop.engine.vae.tiling import decode_tiled, tile_count
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import LATENT_DIM


@torch.inference_mode()
def decode_alone(
    files: VaeFiles, device: Device, latents: np.ndarray, core: int | None, on_progress: OnProgress, cancel: CancelToken
) -> np.ndarray:
    """As `decode_latents`, with a decoder that is loaded for this song; no transformer is opened."""
    return decode_latents(
        lambda: load_decoder(files.source, files.config, device.device),
        files.config,
        latents,
        core,
        on_progress,
        cancel,
    )


def decode_latents(
    decoder: Callable[[], Decoder],
    config: VaeConfig,
    latents: np.ndarray,
    core: int | None,
    on_progress: OnProgress,
    cancel: CancelToken,
) -> np.ndarray:
    """Audio [samples, 2] float32 in [-1, 1] at 48 kHz of latents [frames, 64]; tiles of `core` frames.

    `decoder` is called once, when the latents have passed. Raises Problem for latents of another shape, for ones or
    audio that are not finite, and for audio without a sound.
    """
    core = require_core(config.core_frames if core is None else core)
    z = _checked_latents(latents)
    reporter = ProgressReporter(Stage.DECODE, tile_count(len(z), core), "tiles", on_progress)
    wave = decode_tiled(decoder(), z, core, config.halo_frames, cancel, reporter.at)
    if not bool(torch.isfinite(wave).all()):
        raise Problem(
            ProblemKind.NON_FINITE,
            "The audio decoder gave values that are not numbers. The latents are kept; check the decoder's files.",
        )
    if not bool(wave.any()):
        raise Problem(
            ProblemKind.NON_FINITE,
            "The audio decoder gave pure silence, not one sample of sound. The latents are kept; check the decoder's "
            "files, or render the sound again with --dtype float32.",
        )
    return wave.clamp_(-1.0, 1.0).numpy()


def require_core(core: int) -> int:
    """`core`, the frames of a tile, if there can be such a tile; else Problem(BAD_REQUEST)."""
    if core < 1:
        raise Problem(ProblemKind.BAD_REQUEST, f"--vae-core is {core}; a tile has 1 frame or more (1024 is usual).")
    return core


def _checked_latents(latents: np.ndarray) -> torch.Tensor:
    if latents.ndim != 2 or latents.shape[1] != LATENT_DIM or latents.shape[0] < 1:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"Latents must be [frames, {LATENT_DIM}] with one frame or more, these are {list(latents.shape)}.",
        )
    if not math.isfinite(float(np.abs(latents).max())):
        raise Problem(ProblemKind.NON_FINITE, "The latents hold values that are not numbers. Render the sound again.")
    return torch.from_numpy(np.ascontiguousarray(latents, dtype=np.float32))
