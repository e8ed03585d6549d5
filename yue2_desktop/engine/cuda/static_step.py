"""One decode step over memory that stays where it is: nothing in it depends on how long the song is by then.

Such a step can be recorded once as a CUDA graph and replayed for each token. Attention looks at a window of rows that
is as long as the longest song so far needs, in steps, and a mask hides the rows that are not written yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.ar import ArWeights
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights, add_attention_, add_feed_forward_, queries
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable

#: attend(q [kv_heads, group, d], k, v [kv_heads, t, d], mask float32 [t], 0 or -inf) -> [kv_heads, group, d].
MaskedAttention = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
#: product(a [b, n, k], b [b, k, m]) -> [b, n, m] in float32, whatever the dtype of a and b.
WideProduct = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class StepState:
    """In- and outputs of the step. row [1, hidden]: the embedded token, the same for all branches; positions int64
    [branches]: where it goes in each; logits [branches, c]."""

    row: torch.Tensor
    positions: torch.Tensor
    logits: torch.Tensor


def step_state(weights: ArWeights, branches: int) -> StepState:
    """Memory for the state, all zeros."""
    dtype, device = weights.dtype, weights.device
    return StepState(
        row=torch.zeros(1, weights.config.hidden_size, dtype=dtype, device=device),
        positions=torch.zeros(branches, dtype=torch.int64, device=device),
        logits=torch.zeros(branches, weights.head.vocabulary.size, dtype=dtype, device=device),
    )


def static_step(
    weights: ArWeights,
    caches: Sequence[KVCache],
    positions: RopeTable,
    state: StepState,
    window: int,
    attend: MaskedAttention,
) -> None:
    """Logits after `state.row` at `state.positions`; its keys and values go into the caches there.

    `positions` covers all places from 0 on. `window` is more than any of the positions; the rows of the caches below it
    must hold finite numbers, written or not. Doing it again with the same state changes nothing. Weights are read once
    for all branches.
    """
    config = weights.config
    h = state.row.expand(len(caches), -1).clone()
    places = RopeTable(positions.cos[state.positions], positions.sin[state.positions], 0)
    masks = [_hidden_rows(state.positions[b], min(window, cache.capacity)) for b, cache in enumerate(caches)]
    for index, layer in enumerate(weights.layers):
        add_attention_(h, layer, _attended(h, index, layer, weights, caches, places, state, masks, attend))
        add_feed_forward_(h, layer, config)
    state.logits.copy_(weights.head(rms_norm(h, weights.final_norm, config.rms_eps)))


def _attended(
    h: torch.Tensor,
    index: int,
    layer: LayerWeights,
    weights: ArWeights,
    caches: Sequence[KVCache],
    places: RopeTable,
    state: StepState,
    masks: Sequence[torch.Tensor],
    attend: MaskedAttention,
) -> torch.Tensor:
    """What the row of each branch sees in one layer, [heads, branches, d]."""
    config = weights.config
    new = h.new_empty(2, config.kv_heads, len(caches), config.head_dim)
    q = queries(h, layer, config, places, new[0], new[1])
    out = torch.empty_like(q)
    for b, (cache, mask) in enumerate(zip(caches, masks, strict=True)):
        here = state.positions[b : b + 1]
        keys, values = cache.keys[index, :, : len(mask)], cache.values[index, :, : len(mask)]
        keys.index_copy_(1, here, new[0, :, b : b + 1])
        values.index_copy_(1, here, new[1, :, b : b + 1])
        grouped = q[:, b].view(config.kv_heads, config.group, config.head_dim)
        out[:, b] = attend(grouped, keys, values, mask).view(config.heads, config.head_dim)
    return out


def _hidden_rows(position: torch.Tensor, rows: int) -> torch.Tensor:
    """float32 [rows]: 0 up to `position` (int64 []), -inf behind it."""
    behind = torch.arange(rows, device=position.device) > position
    return torch.zeros(rows, device=position.device).masked_fill_(behind, float("-inf"))


def masked_products(product: WideProduct) -> MaskedAttention:
    """Attention by two batched matrix products; scores and their softmax are float32."""

    def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        scores = product(q, k.transpose(1, 2)).mul_(q.shape[-1] ** -0.5).add_(mask)
        return torch.bmm(scores.softmax(-1).to(v.dtype), v)

    return attend


def masked_sdpa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Attention by torch's own kernel with the mask; which kernel that is, and whether a good one, a probe must say."""
    wide = mask.to(q.dtype).expand(1, k.shape[0], q.shape[1], -1)
    return F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=wide)[0]


def wide_product(device: torch.device, dtype: torch.dtype) -> WideProduct:
    """The product with float32 results that suits a device: one pass over the keys on a card."""
    if dtype == torch.float32:
        return torch.bmm
    if device.type == "cuda":
        return lambda a, b: torch.bmm(a, b, out_dtype=torch.float32)
    return lambda a, b: torch.bmm(a.float(), b.float())
