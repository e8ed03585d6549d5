"""The probes: each path of a card is held against the plain path there, on small random weights, in about a second.

They take the device as a value and run on the CPU as well, where tests and the dry run of packaging/gpu_check.py do so.
Errors of torch are the caller's to read (paths.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, Final

import torch

from yue2_desktop.engine.ar import ArWeights, Step, TokenSequence, eagerly
from yue2_desktop.engine.bench.random_weights import RandomModel
from yue2_desktop.engine.config import RELEASED_MODEL, ModelConfig
from yue2_desktop.engine.cuda.graph_decode import WINDOW_ROWS, Capture, StaticDecode
from yue2_desktop.engine.cuda.static_step import MaskedAttention
from yue2_desktop.engine.cuda.verdicts import Verdict, judged
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY, PhaseHead
from yue2_desktop.engine.model.layer import LayerWeights, add_feed_forward_
from yue2_desktop.engine.model.linear import DenseLinear, Linear
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.blocks import BLOCK_TYPES
from yue2_desktop.engine.quant.kernels import Kernel, linear_map
from yue2_desktop.engine.quant.probe import example_blocks, probe
from yue2_desktop.engine.tokens import CODEC_OFFSET
from yue2_desktop.engine.weights.layout import Branch, layer_shapes
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.source import MemorySource
from yue2_desktop.engine.weights.stream import StreamedLayers
from yue2_desktop.engine.weights.transfer import HostTransfer, Transfer

#: A few layers as they are released, 101 MB each.
HEAVY: Final = replace(RELEASED_MODEL, layers=3)
#: Layers with the released attention and the bytes of a layer in 4 bits, 31 MB: launching counts for more.
LIGHT: Final = replace(RELEASED_MODEL, layers=4, hidden_size=1024, intermediate_size=3072)
#: Tokens in the cache before a step is compared and timed: the middle of a long song. The window of the recorded step
#: grows in between.
PROMPT: Final = 5 * WINDOW_ROWS - 10
_COMPARED, _TIMED = 24, 24
#: Relative error of logits (Frobenius): in bf16 each of the many roundings (2^-9) may fall the other way. Measured
#: between the two steps on the CPU, the worst of 24 tokens: 1.1e-2 to 1.8e-2 in bf16, 7e-7 in float32.
DECODE_TOLERANCE: Final = {torch.bfloat16: 3e-2, torch.float16: 4e-3, torch.float32: 1e-4}
#: Copies of a matrix that take turns while its product is timed, so that no cache of the card holds them.
_COPIES: Final = 4
_ROWS: Final = 1024
_SEED: Final = 20260914

_RUNNING = CancelToken()


def probe_decoding(
    device: torch.device,
    dtype: torch.dtype,
    attend: MaskedAttention,
    capture: Capture,
    *,
    config: ModelConfig,
    prompt: int = PROMPT,
    faster: bool = True,
) -> Verdict:
    """Whether the recorded step gives the eager step's logits and, if `faster` is asked for, sooner."""
    weights = small_model(config, dtype, device)
    eager = eagerly(weights, [_prefilled(weights, prompt)], _RUNNING)
    recorded = StaticDecode(weights, [_prefilled(weights, prompt)], attend, capture)
    errors = (_relative(recorded(token)[0], eager(token)[0]) for token in _tokens(_COMPARED))
    found = judged(errors, DECODE_TOLERANCE[dtype])
    if not found.ok:
        return found
    speed = seconds(lambda: _run(eager), device) / seconds(lambda: _run(recorded), device)
    if faster and speed < 1:
        return Verdict(False, f"only {speed:.2f} times as fast as the plain step", found.error, speed)
    return Verdict(True, f"{found.reason}, {speed:.1f} times as fast as the plain step", found.error, speed)


def probe_kernel(
    kernel: Kernel, type_name: str, device: torch.device, *, config: ModelConfig = RELEASED_MODEL
) -> Verdict:
    """Whether a packed product gives the reference's results; `speed` is that of one row against bf16's."""
    found = probe(kernel, type_name, device)
    if not found.accepted:
        return Verdict(False, found.reason, found.error)
    generator = torch.Generator().manual_seed(_SEED)
    blocks = example_blocks(BLOCK_TYPES[type_name], 2 * config.intermediate_size, config.hidden_size, generator)
    x = torch.ones(1, config.hidden_size, dtype=torch.bfloat16, device=device)
    dense_s, packed_s = (
        _product_seconds(linear_map((blocks,), way, torch.bfloat16, device), x, device)
        for way in (Kernel.DENSE, kernel)
    )
    speed = dense_s / packed_s
    return Verdict(True, f"{found.reason}, {speed:.1f} times as fast as bf16 for one row", found.error, speed)


def probe_streaming(
    device: torch.device, dtype: torch.dtype, transfer: Transfer, *, config: ModelConfig = LIGHT
) -> Verdict:
    """Whether layers that arrive behind the computation give the bits of resident ones.

    `speed` is what that saves: copying, then computing, against both at once.
    """
    source = random_source(config, Branch.NAR, dtype)
    resident = plain_layers(config, Branch.NAR, dtype, device, source)
    x = torch.randn(_ROWS, config.hidden_size, generator=torch.Generator().manual_seed(_SEED)).to(dtype).to(device)

    def computed(layers: Iterable[LayerWeights]) -> torch.Tensor:
        h = x.clone()
        for _ in range(2):  # the second pass finds the buffers of the first
            for layer in layers:
                add_feed_forward_(h, layer, config)
        return h

    with StreamedLayers(WeightReader(source, config, dtype, device, transfer), Branch.NAR) as streamed:
        wanted, found = computed(resident), computed(streamed)
        if not torch.equal(found, wanted):
            return Verdict(False, "streamed layers gave other bits than resident ones", _relative(found, wanted))
        both = seconds(lambda: computed(streamed), device)
        copying = seconds(lambda: [layer for _ in range(2) for layer in streamed], device)
    speed = (copying + seconds(lambda: computed(resident), device)) / both
    return Verdict(True, f"the same bits, {speed:.1f} times as fast as copying, then computing", 0.0, speed)


def small_model(config: ModelConfig, dtype: torch.dtype, device: torch.device) -> ArWeights:
    """A random AR half with the rows of the semantic phase, on the device."""
    made = RandomModel(config, dtype)
    rows = made.matrix(512, config.hidden_size)
    head = DenseLinear(made.matrix(SEMANTIC_VOCABULARY.size, config.hidden_size).to(device))
    return ArWeights(
        config=config,
        layers=plain_layers(config, Branch.AR, dtype, device, random_source(config, Branch.AR, dtype)),
        final_norm=made.ones(config.hidden_size).to(device),
        head=PhaseHead(SEMANTIC_VOCABULARY, head),
        embed=lambda ids: rows[[token % len(rows) for token in ids]].to(device),
        dtype=dtype,
        device=device,
    )


def random_source(config: ModelConfig, branch: Branch, dtype: torch.dtype) -> MemorySource:
    """The tensors of a half's layers by name, each other than the next; they keep the size of what they multiply."""
    generator = torch.Generator().manual_seed(_SEED)
    tensors = {}
    for index in range(config.layers):
        for name, shape in layer_shapes(config, branch, index).items():
            if len(shape) == 1:
                tensors[name] = torch.ones(shape, dtype=dtype)
            else:
                tensors[name] = (torch.randn(shape, generator=generator) / shape[1] ** 0.5).to(dtype)
    return MemorySource(tensors, "random layers")


def plain_layers(
    config: ModelConfig, branch: Branch, dtype: torch.dtype, device: torch.device, source: MemorySource
) -> Sequence[LayerWeights]:
    """The layers of a source on the device by plain copies, without streams."""
    reader = WeightReader(source, config, dtype, device, HostTransfer())
    return [reader.layer(branch, index) for index in range(config.layers)]


def seconds(call: Callable[[], object], device: torch.device) -> float:
    """How long a call takes on a device, its work ended; the better of two."""
    times = []
    for _ in range(2):
        synchronise(device)
        start = time.perf_counter()
        call()
        synchronise(device)
        times.append(time.perf_counter() - start)
    return max(min(times), 1e-9)


def synchronise(device: torch.device) -> None:
    """Waits for the work of a CUDA device; others have none that is behind."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _prefilled(weights: ArWeights, prompt: int) -> TokenSequence:
    sequence = TokenSequence(weights, prompt + _COMPARED + 2 * _TIMED)
    sequence.extend(range(prompt), _RUNNING)
    return sequence


def _tokens(count: int) -> Iterable[int]:
    return range(CODEC_OFFSET, CODEC_OFFSET + count)


def _run(step: Step) -> None:
    for token in _tokens(_TIMED):
        step(token)


def _product_seconds(linear: Linear, x: torch.Tensor, device: torch.device) -> float:
    copies = [linear, *(_copied(linear) for _ in range(_COPIES - 1))]
    for copy in copies:
        copy(x)
    return seconds(lambda: [copy(x) for _ in range(5) for copy in copies], device)


def _copied(linear: Any) -> Linear:
    """The same map with memory of its own."""
    tensors = {field.name: getattr(linear, field.name) for field in fields(linear)}
    copied: Linear = replace(
        linear, **{name: value.clone() for name, value in tensors.items() if isinstance(value, torch.Tensor)}
    )
    return copied


def _relative(found: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((found.float() - wanted.float()).norm() / wanted.float().norm())
