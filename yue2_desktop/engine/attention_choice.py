"""Which way the frames of a song attend on the processor: timed once on a machine, kept, and said."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore, verdict_name
from yue2_desktop.engine.model.attention import CPU_QUERY_TILE, OpenAttention, open_attention
from yue2_desktop.engine.model.product_attention import attention_by_products
from yue2_desktop.engine.processor import processor_verdicts

_log = logging.getLogger(__name__)
#: Two products are not bit-equal to the fused kernel: what they gain must be more than what a timing errs by.
_WORTHWHILE = 1.1
#: Heads narrower than this are those of toy models, for which the time of either way is that of the calls.
_LEAST_HEAD = 64
#: What is timed: so many rows behind so many keys, in turns, for so many rounds or seconds.
_FRAMES, _KEYS = 256, 1_500
_ROUNDS = 5
_PROBE_S = 0.5


@dataclass(frozen=True)
class ChosenAttention:
    """How rows that all see each other attend; `name` is for take.json."""

    name: str
    attend: OpenAttention


@dataclass(frozen=True)
class OpenAttentionTimes:
    """Milliseconds for the attention of one layer."""

    products: float
    fused: float


def fused_attention(device: torch.device) -> ChosenAttention:
    """torch's fused kernel, as the reference has it."""
    tile = CPU_QUERY_TILE if device.type == "cpu" else 0
    return ChosenAttention("fused", partial(open_attention, query_tile=tile))


def processor_attention(
    config: ModelConfig,
    dtype: torch.dtype,
    *,
    store: VerdictStore | None = None,
    measure: Callable[[ModelConfig, torch.dtype], OpenAttentionTimes] | None = None,
) -> ChosenAttention:
    """The faster way on this processor for a model in bf16; float32 keeps the fused kernel.

    The verdict is kept for each machine and torch build, so that equal seeds give equal songs from one start of the
    program to the next. `store` and `measure` stand in for the machine's own.
    """
    fused = fused_attention(torch.device("cpu"))
    if config.head_dim < _LEAST_HEAD or dtype is not torch.bfloat16:
        return fused
    store = store or processor_verdicts()
    name = verdict_name("attention-by-products", str(dtype).removeprefix("torch."))
    verdict = store.get(name)
    if verdict is None:
        verdict = _judged((measure or time_open_attention)(config, dtype))
        store.put(name, verdict)
        _log.info("attention by products %s: %s", "accepted" if verdict.ok else "not used", verdict.reason)
    return ChosenAttention("products", attention_by_products) if verdict.ok else fused


def _judged(times: OpenAttentionTimes) -> Verdict:
    speed = times.fused / times.products
    reason = f"a layer's attention takes {times.products:.1f} ms, the fused kernel's {times.fused:.1f} ms"
    return Verdict(speed >= _WORTHWHILE, reason, speed=speed)


@cache
def time_open_attention(config: ModelConfig, dtype: torch.dtype) -> OpenAttentionTimes:
    """Times both ways on this machine, in turns, once in a process: a third of a second where it is idle."""
    generator = torch.Generator().manual_seed(0)

    def numbers(heads: int, rows: int) -> torch.Tensor:
        return torch.randn(heads, rows, config.head_dim, generator=generator).to(dtype)

    q, k, v = numbers(config.heads, _FRAMES), numbers(config.kv_heads, _KEYS), numbers(config.kv_heads, _KEYS)
    fused = fused_attention(torch.device("cpu")).attend

    def pair() -> tuple[float, float]:
        return _milliseconds(attention_by_products, q, k, v), _milliseconds(fused, q, k, v)

    end = time.perf_counter() + _PROBE_S
    pair()  # warms up
    pairs = [pair()]
    while len(pairs) < _ROUNDS and time.perf_counter() < end:
        pairs.append(pair())
    return OpenAttentionTimes(min(one for one, _ in pairs), min(other for _, other in pairs))


def _milliseconds(attend: OpenAttention, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> float:
    used_up = q.clone()
    start = time.perf_counter()
    attend(used_up, k, v)
    return 1e3 * (time.perf_counter() - start)
