"""Steps that were seen before: what they take at most is known, and is not worked out for 28 layers and 70 tiles.

A layer is as large as the one before it, and so is a tile. The first of its shape is run, and the most that was live in
it is written down; from then on that much is counted at once. A test holds whole stages that are run in full against
ones that are told this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch
from metering.storages import StorageMeter

from yue2_desktop.engine.model import ar, nar
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.rope import RopeTable
from yue2_desktop.engine.vae.decoder import Decoder

#: Functions that change nothing but the values of their arguments, where they are looked up.
_STEPS: tuple[tuple[Any, str], ...] = (
    *((branch, name) for branch in (ar, nar) for name in ("queries", "add_attention_", "add_feed_forward_")),
    (Decoder, "__call__"),
)


@dataclass(frozen=True)
class _Seen:
    """Bytes above what was live before, at the fullest moment; shape, strides and dtype of the result."""

    most: int
    result: tuple[torch.Size, tuple[int, ...], torch.dtype, torch.device] | None


@contextmanager
def told_once(meter: StorageMeter) -> Iterator[None]:
    """While it lasts, each of the steps is run once for each kind of arguments."""
    seen: dict[object, _Seen] = {}
    with ExitStack() as patches:
        for place, name in _STEPS:
            patches.enter_context(patch.object(place, name, _told(getattr(place, name), meter, seen)))
        yield


def _told(step: Callable[..., Any], meter: StorageMeter, seen: dict[object, _Seen]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        key = (step, *map(_kind, args))
        known = seen.get(key)
        if known is None:
            before, peak = meter.device.live, meter.device.peak
            meter.device.peak = 0
            out = step(*args)
            most = meter.device.peak - before
            meter.device.peak = max(peak, meter.device.peak)
            result = None if out is None else (out.shape, out.stride(), out.dtype, out.device)
            seen[key] = _Seen(most, result)
            return out
        if known.most > 0:
            meter.allocating(known.most)
            meter.device.peak = max(meter.device.peak, meter.device.live + known.most)
        if known.result is None:
            return None
        shape, strides, dtype, device = known.result
        return torch.empty_strided(shape, strides, dtype=dtype, device=device)

    return call


def _kind(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return value.shape, value.stride(), value.dtype
    if isinstance(value, LayerWeights):
        linears = (value.qkv, value.o, value.gate_up, value.down)
        return value.nbytes, *((type(linear), linear.nbytes) for linear in linears)
    if isinstance(value, RopeTable):
        return value.cos.shape
    if isinstance(value, Decoder):
        return value.config
    return value
