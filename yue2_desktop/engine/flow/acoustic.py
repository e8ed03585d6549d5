"""The acoustic stage of a song: per chunk, tokens into the AR cache, then noise into latents (spec yue2, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.flow.chunks import chunk_ranges
from yue2_desktop.engine.flow.noise import song_noise
from yue2_desktop.engine.flow.solver import midpoint
from yue2_desktop.engine.model.ar import forward
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.nar import FlowWeights, Velocity
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken, ProgressReporter
from yue2_desktop.engine.tokens import CODEC_OFFSET, MUSIC_END
from yue2_desktop.song.errors import Problem, ProblemKind


@dataclass(frozen=True)
class AcousticWeights:
    """Where the stage takes its weights from. The two branches are never needed together.

    `ar_layers` and `nar_layers` give the layers afresh at every call: resident ones, or streamed. `flow(rows)` gives
    the parts outside the layers, `embed(ids)` rows on the model's device.
    """

    config: ModelConfig
    ar_layers: Callable[[], Iterable[LayerWeights]]
    nar_layers: Callable[[], Iterable[LayerWeights]]
    flow: Callable[[int], FlowWeights]
    embed: Callable[[Sequence[int]], torch.Tensor]
    dtype: torch.dtype
    device: torch.device


@dataclass(frozen=True)
class AcousticRequest:
    """What is to be sounded: prefix ids, codec values, the seed of the noise, the steps of the solver."""

    prefix: tuple[int, ...]
    codec: tuple[int, ...]
    seed: int
    steps: int


@dataclass(frozen=True)
class SolverState:
    """A point that the stage can go on from: finished latents [a, latent] and the state of the chunk behind them."""

    finished: torch.Tensor
    chunk: int
    step: int
    x: torch.Tensor


def chunk_tokens(prefix: Sequence[int], codec: Sequence[int]) -> tuple[int, ...]:
    """AR tokens of a chunk: the whole prefix, its own codec tokens, the end mark."""
    return (*prefix, *(CODEC_OFFSET + value for value in codec), MUSIC_END)


def prefill(
    tokens: Sequence[int], weights: AcousticWeights, layers: Iterable[LayerWeights], cancel: CancelToken
) -> KVCache:
    """Keys and values of all tokens in every AR layer; no final norm, no logits."""
    config = weights.config
    cache = KVCache(config, len(tokens), weights.dtype, weights.device)
    positions = rope_table(0, len(tokens), config.head_dim, config.rope_theta, weights.dtype, weights.device)
    forward(weights.embed(tokens), layers, cache, positions, config, cancel)
    return cache


def synthesise(
    weights: AcousticWeights,
    request: AcousticRequest,
    reporter: ProgressReporter,
    cancel: CancelToken,
    *,
    query_tile: int = 0,
    resumed: SolverState | None = None,
    on_state: Callable[[SolverState], None] | None = None,
) -> torch.Tensor:
    """Latents [frames, latent], fp32 on the CPU.

    `on_state` gets a state after each step, `resumed` is one of an earlier run with the same request: the result is the
    same bits. Raises Problem(NON_FINITE), Problem(CANCELLED) between layers, Problem(CONTEXT_OVERFLOW).
    """
    config = weights.config
    frames = len(request.codec)
    ranges = chunk_ranges(frames, len(request.prefix), config.context, config.max_latent_frames)
    noise = song_noise(frames, config.latent_dim, request.seed)
    done = [resumed.finished[a:b] for a, b in ranges[: resumed.chunk]] if resumed else []
    flow = weights.flow(max(b - a for a, b in ranges) + 2)
    for index, (start, stop) in enumerate(ranges):
        if index < len(done):
            continue
        cancel.check()
        tokens = chunk_tokens(request.prefix, request.codec[start:stop])
        cache = prefill(tokens, weights, weights.ar_layers(), cancel)
        n = stop - start
        positions = rope_table(len(tokens), n + 2, config.head_dim, config.rope_theta, weights.dtype, weights.device)
        velocity = Velocity(config, flow, weights.nar_layers(), cache, positions, n, query_tile=query_tile)
        going_on = resumed is not None and resumed.chunk == index
        x = resumed.x if resumed is not None and going_on else noise[start:stop]
        first = resumed.step if resumed is not None and going_on else 0
        finished = torch.cat(done) if done else noise.new_empty(0, config.latent_dim)

        def after_step(step: int, x: torch.Tensor, index: int = index, finished: torch.Tensor = finished) -> None:
            reporter.at(index * request.steps + step)
            if on_state is not None:
                on_state(SolverState(finished, index, step, x.float().cpu()))

        x = midpoint(
            lambda x, raw, velocity=velocity: velocity(x, raw, cancel),  # type: ignore[misc]
            x.to(weights.dtype).to(weights.device),
            request.steps,
            after_step,
            first_step=first,
        )
        done.append(_finite(x.float().cpu(), start))
    return torch.cat(done)


def _finite(latents: torch.Tensor, start: int) -> torch.Tensor:
    bad = (~torch.isfinite(latents)).any(-1).nonzero()
    if len(bad):
        second = (start + int(bad[0])) / 25
        raise Problem(
            ProblemKind.NON_FINITE,
            f"The acoustic stage gave values that are not numbers, from second {second:.1f} on. "
            "The tokens are kept; render the sound again with --dtype float32, or check the model files.",
            frame=start + int(bad[0]),
        )
    return latents
