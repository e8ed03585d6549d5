"""The short probe behind predicted times: what this device reads, multiplies, attends, convolves and copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
import torch.nn.functional as F

from yue2_desktop.engine.attention_choice import processor_attention
from yue2_desktop.engine.bench.machine import seconds
from yue2_desktop.engine.bench.random_weights import RandomModel
from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.model.ar import forward
from yue2_desktop.engine.model.attention import open_attention
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.blocks import from_dense
from yue2_desktop.engine.quant.kernels import Kernel, linear_map
from yue2_desktop.plan.calibration import ProbeRates
from yue2_desktop.song.errors import Problem

_ROWS = 512
_CONTEXT = 1500
#: The released shapes in small: launches cost what they cost, arithmetic next to nothing.
_TINY = replace(RELEASED_MODEL, hidden_size=64, heads=2, kv_heads=1, head_dim=32, intermediate_size=64, context=64)


def probe(device: torch.device, dtype: torch.dtype, cancel: CancelToken) -> ProbeRates:
    """Measures a device for some seconds, on random numbers. Raises Problem(CANCELLED) between measurements."""
    config = RELEASED_MODEL
    wide, hidden = 2 * config.intermediate_size, config.hidden_size
    weight = torch.randn(wide, hidden, dtype=torch.float32).mul_(0.02).to(dtype).to(device)
    one, many = (torch.ones(n, hidden, dtype=dtype, device=device) for n in (1, _ROWS))
    best = _timer(device, cancel)
    copies = 8  # more than any cache holds
    stack = [weight.clone() for _ in range(copies)]
    reading = best(lambda: [F.linear(one, matrix) for matrix in stack])
    product = 2 * _ROWS * wide * hidden / 1e12
    linear = {"dense": product / best(lambda: F.linear(many, weight))}
    if device.type == "cpu":
        try:
            packed = linear_map([from_dense(weight)], Kernel.W8A8, dtype, device)
            linear["w8a8"] = product / best(lambda: packed(many))
        except Problem:
            linear.pop("w8a8", None)  # this processor has no such product, and the planner will see none
    attend = processor_attention(config, dtype).attend if device.type == "cpu" else open_attention
    q = torch.ones(config.heads, _ROWS, config.head_dim, dtype=dtype, device=device)
    k = torch.ones(config.kv_heads, _CONTEXT, config.head_dim, dtype=dtype, device=device)
    attended = 4 * _ROWS * _CONTEXT * config.q_width / 1e12
    sound = torch.ones(1, 128, 48_000, device=device)
    kernel = torch.ones(128, 128, 7, device=device)
    convolved = 2 * 128 * 128 * 7 * 48_000 / 1e12
    return ProbeRates(
        read_gbs=copies * weight.nbytes / 1e9 / reading,
        step_ms=1000 * best(_step(device, dtype)),
        linear_tflops=linear,
        attention_tflops=attended / best(lambda: attend(q.clone(), k, k)),
        conv_tflops=convolved / best(lambda: F.conv1d(sound, kernel, padding=3)),
        copy_gbs=_copy_rate(device, best),
    )


def _timer(device: torch.device, cancel: CancelToken) -> Callable[[Callable[[], object]], float]:
    def best(call: Callable[[], object]) -> float:
        """Seconds of the quickest of some calls, once the device is done with each."""

        def whole() -> None:
            call()
            if device.type == "cuda":
                torch.cuda.synchronize(device)

        cancel.check()
        whole()
        return min(seconds(whole) for _ in range(4))

    return best


def _step(device: torch.device, dtype: torch.dtype) -> Callable[[], object]:
    """One decode step of 28 layers that are next to nothing: what is left is the price of launching it."""
    layers = RandomModel(_TINY, dtype, device=device).layers()
    table = rope_table(0, 8, _TINY.head_dim, _TINY.rope_theta, dtype, device)

    def step() -> None:
        cache = KVCache(_TINY, 2, dtype, device)
        forward(
            torch.ones(1, _TINY.hidden_size, dtype=dtype, device=device), layers, cache, table, _TINY, CancelToken()
        )

    return step


def _copy_rate(device: torch.device, best: Callable[[Callable[[], object]], float]) -> float | None:
    if device.type != "cuda":
        return None
    source = torch.empty(1 << 27, dtype=torch.uint8, pin_memory=True)
    target = torch.empty_like(source, device=device)
    return source.nbytes / 1e9 / best(lambda: target.copy_(source, non_blocking=True))
