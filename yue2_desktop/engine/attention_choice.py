"""Which way the frames of a song attend on the processor: the faster one there, and what it is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.cuda.verdicts import VerdictStore
from yue2_desktop.engine.model.attention import CPU_QUERY_TILE, OpenAttention, open_attention
from yue2_desktop.engine.model.product_attention import attention_by_products
from yue2_desktop.engine.processor import LEAST_HEAD, Timing, is_faster, timed_in_turns

#: What is timed: so many rows behind so many keys, for so many rounds or seconds.
_FRAMES, _KEYS = 256, 1_500
_ROUNDS, _PROBE_S = 5, 0.5


@dataclass(frozen=True)
class ChosenAttention:
    """How rows that all see each other attend; `name` is for take.json."""

    name: str
    attend: OpenAttention


def fused_attention(device: torch.device) -> ChosenAttention:
    """torch's fused kernel, as the reference has it."""
    tile = CPU_QUERY_TILE if device.type == "cpu" else 0
    return ChosenAttention("fused", partial(open_attention, query_tile=tile))


@cache
def time_open_attention(config: ModelConfig, dtype: torch.dtype) -> Timing:
    """Times a layer's attention both ways, once in a process: a third of a second where the machine is idle."""
    generator = torch.Generator().manual_seed(0)

    def numbers(heads: int, rows: int) -> torch.Tensor:
        return torch.randn(heads, rows, config.head_dim, generator=generator).to(dtype)

    q, k, v = numbers(config.heads, _FRAMES), numbers(config.kv_heads, _KEYS), numbers(config.kv_heads, _KEYS)
    fused = fused_attention(torch.device("cpu")).attend
    return timed_in_turns(
        lambda: attention_by_products(q.clone(), k, v),
        lambda: fused(q.clone(), k, v),
        rounds=_ROUNDS,
        patience_s=_PROBE_S,
    )


def processor_attention(
    config: ModelConfig,
    dtype: torch.dtype,
    *,
    store: VerdictStore | None = None,
    measure: Callable[[ModelConfig, torch.dtype], Timing] = time_open_attention,
) -> ChosenAttention:
    """The faster way on this processor for a model in bf16 (see `is_faster`); float32 keeps the fused kernel.

    `store` and `measure` stand in for the machine's own.
    """
    may_differ = config.head_dim >= LEAST_HEAD and dtype is torch.bfloat16
    if may_differ and is_faster("attention-by-products", dtype, partial(measure, config, dtype), store):
        return ChosenAttention("products", attention_by_products)
    return fused_attention(torch.device("cpu"))
