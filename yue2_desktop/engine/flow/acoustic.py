"""The acoustic stage of a song: per chunk, tokens into the AR cache, then noise into latents (spec yue2, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.flow.chunks import chunk_ranges
from yue2_desktop.engine.flow.noise import song_noise
from yue2_desktop.engine.flow.solver import AfterStep, OdeMethod, OdePoint, integrate
from yue2_desktop.engine.model.ar import forward
from yue2_desktop.engine.model.attention import OpenAttention, open_attention
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.nar import FlowWeights, Velocity
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken, ProgressReporter
from yue2_desktop.engine.tokens import CODEC_OFFSET, MUSIC_END


@dataclass(frozen=True)
class AcousticWeights:
    """Where the stage takes its weights from. The two branches are never needed together.

    `ar_layers` and `nar_layers` lend the layers for a prefill or a solve: resident, or streamed. `flow(rows)` gives
    the parts outside the layers, `embed(ids)` rows on the model's device.
    """

    config: ModelConfig
    ar_layers: Callable[[], AbstractContextManager[Iterable[LayerWeights]]]
    nar_layers: Callable[[], AbstractContextManager[Iterable[LayerWeights]]]
    flow: Callable[[int], FlowWeights]
    embed: Callable[[Sequence[int]], torch.Tensor]
    dtype: torch.dtype
    device: torch.device


@dataclass(frozen=True)
class AcousticRequest:
    """What is to be sounded: prefix ids, codec values, the seed of the noise, the steps and method of the solver."""

    prefix: tuple[int, ...]
    codec: tuple[int, ...]
    seed: int
    steps: int
    method: OdeMethod = OdeMethod.MIDPOINT


@dataclass(frozen=True)
class SolverState:
    """A point that the stage can go on from: finished latents [a, latent] and the state of the chunk behind them.

    All are fp32 on the CPU, in which a bf16 state is exact. `slope` is what the two-step method looks back on.
    """

    finished: torch.Tensor
    chunk: int
    step: int
    x: torch.Tensor
    slope: torch.Tensor | None = None


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
    attend: OpenAttention = open_attention,
    resumed: SolverState | None = None,
    on_state: Callable[[SolverState], None] | None = None,
) -> torch.Tensor:
    """Latents [frames, latent], fp32 on the CPU, not checked for values that are no numbers.

    `attend` is how frames see tokens and each other. `on_state` gets a state after each step, `resumed` is one of an
    earlier run with the same request: the result is the same bits. Raises Problem(CANCELLED) between layers,
    Problem(CONTEXT_OVERFLOW).
    """
    config = weights.config
    frames = len(request.codec)
    ranges = chunk_ranges(frames, len(request.prefix), config.context, config.max_latent_frames)
    noise = song_noise(frames, config.latent_dim, request.seed)
    done = [resumed.finished[a:b] for a, b in ranges[: resumed.chunk]] if resumed else []
    for index in range(len(done), len(ranges)):
        start, stop = ranges[index]
        going_on = resumed if resumed is not None and resumed.chunk == index else None
        finished = torch.cat(done) if done else noise.new_empty(0, config.latent_dim)

        def after_step(point: OdePoint, index: int = index, finished: torch.Tensor = finished) -> None:
            if on_state is not None:  # before it is told, so that a step that was reported is also kept
                slope = point.slope.float().cpu() if point.slope is not None else None
                on_state(SolverState(finished, index, point.step, point.x.float().cpu(), slope))
            reporter.at(index * request.steps + point.step)

        if going_on is not None:
            point = OdePoint(going_on.step, _there(going_on.x, weights), _there(going_on.slope, weights))
        else:
            point = OdePoint(0, _there(noise[start:stop], weights))
        x = _solve_chunk(weights, request, (start, stop), point, after_step, cancel, attend=attend)
        done.append(x.float().cpu())
    return torch.cat(done)


def _solve_chunk(
    weights: AcousticWeights,
    request: AcousticRequest,
    frames: tuple[int, int],
    point: OdePoint,
    after_step: AfterStep,
    cancel: CancelToken,
    *,
    attend: OpenAttention,
) -> torch.Tensor:
    """x [n, latent] of one chunk from a point to the end; the chunk's cache lives as long as this call."""
    config = weights.config
    cancel.check()
    tokens = chunk_tokens(request.prefix, request.codec[slice(*frames)])
    with weights.ar_layers() as layers:
        cache = prefill(tokens, weights, layers, cancel)
    n = frames[1] - frames[0]
    positions = rope_table(len(tokens), n + 2, config.head_dim, config.rope_theta, weights.dtype, weights.device)
    with weights.nar_layers() as layers:
        velocity = Velocity(config, weights.flow(n + 2), layers, cache, positions, n, attend=attend)
        return integrate(lambda x, raw: velocity(x, raw, cancel), point, request.steps, after_step, request.method)


def _there(x: torch.Tensor | None, weights: AcousticWeights) -> Any:
    return x.to(weights.dtype).to(weights.device) if x is not None else None
