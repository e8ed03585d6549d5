"""Generating the tokens of a phase: prefill, decode, choose, until the end token or the ceiling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.ar import forward
from yue2_desktop.engine.model.head import PhaseHead
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable, rope_table
from yue2_desktop.engine.progress import CancelToken, ProgressReporter
from yue2_desktop.engine.sampling.choose import Chooser
from yue2_desktop.song.limits import require_context

Embed = Callable[[Sequence[int]], torch.Tensor]


@dataclass(frozen=True)
class ArWeights:
    """What a token phase computes with. `embed` gives rows [n, hidden] on the model's device."""

    config: ModelConfig
    layers: Sequence[LayerWeights]
    final_norm: torch.Tensor
    head: PhaseHead
    embed: Embed
    dtype: torch.dtype
    device: torch.device


@dataclass(frozen=True)
class PhaseRequest:
    """One phase: the prefix it continues, behind it that of the unconditional branch if there is one; its ceiling."""

    prefixes: tuple[tuple[int, ...], ...]
    max_tokens: int


@dataclass(frozen=True)
class PhaseTokens:
    """Ids in the whole vocabulary, end token left out; `truncated` when the ceiling came first."""

    ids: tuple[int, ...]
    truncated: bool


class TokenSequence:
    """One growing token sequence with its own positions and cache."""

    def __init__(self, weights: ArWeights, capacity: int) -> None:
        config = weights.config
        self._weights = weights
        self.cache = KVCache(config, capacity, weights.dtype, weights.device)
        self.positions: RopeTable = rope_table(
            0, capacity, config.head_dim, config.rope_theta, weights.dtype, weights.device
        )

    def extend(self, ids: Sequence[int], cancel: CancelToken) -> torch.Tensor:
        """Appends ids and returns the phase's logits [c] after the last of them."""
        weights = self._weights
        x = weights.embed(ids)
        h = forward(x, weights.layers, self.cache, self.positions, weights.config, cancel)
        return weights.head(rms_norm(h[-1:], weights.final_norm, weights.config.rms_eps))[0]


#: step(token): appends a token to each sequence and gives the logits of each.
Step = Callable[[int], Sequence[torch.Tensor]]
#: decoding(weights, sequences, cancel): how the tokens behind the prefill are computed.
Decoding = Callable[[ArWeights, Sequence[TokenSequence], CancelToken], Step]


def eagerly(_weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> Step:
    """Decoding by the model's own forward pass, one sequence after the other: the plain way, everywhere."""
    return lambda token: [sequence.extend((token,), cancel) for sequence in sequences]


def generate(
    weights: ArWeights,
    request: PhaseRequest,
    choose: Chooser,
    reporter: ProgressReporter,
    cancel: CancelToken,
    *,
    decoding: Decoding = eagerly,
    resumed: Sequence[int] = (),
    on_token: Callable[[int], None] | None = None,
) -> PhaseTokens:
    """Samples one phase (spec yue2, section 8).

    `resumed` are ids of this phase that a broken run had drawn already; the generator behind `choose` must stand where
    that run left it. `on_token` gets each new id, end token left out. Raises Problem(CONTEXT_OVERFLOW) before any work,
    Problem(CANCELLED) within one token.
    """
    vocabulary, ceiling = weights.head.vocabulary, request.max_tokens
    for prefix in request.prefixes:
        require_context(vocabulary.makes, len(prefix), ceiling, context=weights.config.context)
    sequences = [TokenSequence(weights, len(prefix) + ceiling) for prefix in request.prefixes]
    ids = list(resumed)
    history = [vocabulary.place(token) for token in ids]
    end_place = vocabulary.place(vocabulary.end_id)
    rows = [
        sequence.extend((*prefix, *ids), cancel) for sequence, prefix in zip(sequences, request.prefixes, strict=True)
    ]
    step = decoding(weights, sequences, cancel)
    while len(ids) < ceiling:
        cancel.check()
        place = choose(rows, history)
        if place == end_place:
            reporter.at(len(ids), last=True)
            return PhaseTokens(tuple(ids), truncated=False)
        token = vocabulary.id_at(place)
        ids.append(token)
        history.append(place)
        if on_token is not None:
            on_token(token)
        reporter.at(len(ids))
        if len(ids) < ceiling:
            rows = list(step(token))
    return PhaseTokens(tuple(ids), truncated=True)
