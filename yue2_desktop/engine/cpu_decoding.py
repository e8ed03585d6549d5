"""Decoding on a CPU: all branches in one pass, attention by sums of rows; and whether that is the faster way here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import torch
import torch.nn.functional as F

from yue2_desktop.engine.ar import ArWeights, Step, TokenSequence
from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.attention import open_attention
from yue2_desktop.engine.model.decode_attention import RowSumCache
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable, rotate
from yue2_desktop.engine.processor import Timing, timed_in_turns
from yue2_desktop.engine.progress import CancelToken

#: Tokens and layers of the probe: as long as a prompt with its score, and more than a cache holds.
_PROBE_TOKENS, _PROBE_LAYERS = 1024, 8
#: Rounds of the probe, and the seconds after which no other is begun.
_PROBE_ROUNDS, _PROBE_S = 40, 2.0


def by_row_sums(weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> Step:
    """A `Decoding` for the CPU that takes the sequences over: their own caches are emptied."""
    decode = RowSumDecode(weights, sequences)

    def step(token: int) -> Sequence[torch.Tensor]:
        cancel.check()
        return decode(token)

    return step


class RowSumDecode:
    """Decodes the next tokens of sequences that were filled by a prefill. Weights are read once for all branches.

    The same arithmetic as the model's forward pass but for attention, in fewer calls: on one row most of them cost more
    to make than to carry out.
    """

    def __init__(self, weights: ArWeights, sequences: Sequence[TokenSequence]) -> None:
        config = weights.config
        self._weights = weights
        self._positions = max((sequence.positions for sequence in sequences), key=lambda table: table.cos.shape[0])
        self._norms = [_norm_of_heads(layer, config) for layer in weights.layers]
        self._caches: list[RowSumCache] = []
        for sequence in sequences:
            self._caches.append(RowSumCache(sequence.cache, config.heads))
            sequence.cache = KVCache(config, 0, weights.dtype, weights.device)

    def __call__(self, token: int) -> Sequence[torch.Tensor]:
        """Appends a token to each sequence and gives the logits [c] of each."""
        weights, config = self._weights, self._weights.config
        h = weights.embed((token,)).expand(len(self._caches), -1).contiguous()
        at = torch.tensor([cache.length for cache in self._caches])
        places = RopeTable(self._positions.cos[at], self._positions.sin[at], 0)
        for cache_ in self._caches:
            cache_.make_room()
        for index, layer in enumerate(weights.layers):
            h.add_(layer.o(self._attended(layer.qkv(rms_norm(h, layer.input_norm, config.rms_eps)), index, places)))
            gate, up = layer.gate_up(rms_norm(h, layer.mlp_norm, config.rms_eps)).chunk(2, dim=-1)
            h.add_(layer.down(F.silu(gate).mul_(up)))
        for cache_ in self._caches:
            cache_.advance()
        return weights.head(rms_norm(h, weights.final_norm, config.rms_eps)).unbind()

    def _attended(self, qkv: torch.Tensor, index: int, places: RopeTable) -> torch.Tensor:
        """qkv [branches, q + k + v] of one layer -> what the rows see, [branches, heads * d]."""
        config = self._weights.config
        branches, heads = len(self._caches), config.heads
        split = qkv.view(branches, -1, config.head_dim)
        turned, values = split[:, : heads + config.kv_heads], split[:, heads + config.kv_heads :]
        # Queries and keys are normalised and rotated alike, head by head: in one go.
        turned = rotate(rms_norm(turned, self._norms[index], config.rms_eps), places)
        out = turned.new_empty(branches, heads, config.head_dim)
        for branch, cache_ in enumerate(self._caches):
            cache_.put(index, turned[branch, heads:], values[branch])
            out[branch] = cache_.attend(index, turned[branch, :heads])
        return out.view(branches, -1)


def _norm_of_heads(layer: LayerWeights, config: ModelConfig) -> torch.Tensor:
    """The norm weights of all query heads and of all key heads under one another, [heads + kv_heads, d]."""
    return torch.cat((layer.q_norm.expand(config.heads, -1), layer.k_norm.expand(config.kv_heads, -1)))


@cache
def time_attention(config: ModelConfig, dtype: torch.dtype) -> Timing:
    """Milliseconds a token for the attention of all layers at about a thousand tokens: sums of rows, and torch's.

    Timed once in a process: a fifth of a second where the machine is idle.
    """
    shape = ModelConfig(**{**vars(config), "layers": _PROBE_LAYERS})
    filled = KVCache(shape, _PROBE_TOKENS, dtype, torch.device("cpu"))
    filled.keys.fill_(0.5)
    filled.values.fill_(0.5)
    filled.advance(_PROBE_TOKENS - 1)
    table = RowSumCache(filled, config.heads)
    table.make_room()
    q = torch.ones(config.heads, 1, config.head_dim, dtype=dtype)

    def row_sums() -> None:
        for layer in range(_PROBE_LAYERS):
            table.attend(layer, q[:, 0])

    def plain() -> None:
        for layer in range(_PROBE_LAYERS):
            open_attention(q.clone(), *filled.layer(layer))

    found = timed_in_turns(row_sums, plain, rounds=_PROBE_ROUNDS, patience_s=_PROBE_S)
    scale = config.layers / _PROBE_LAYERS
    return Timing(scale * found.other, scale * found.reference)
