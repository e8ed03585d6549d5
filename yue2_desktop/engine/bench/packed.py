"""A token and a velocity evaluation with packed weights on the CPU, and the floor that memory bandwidth sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import torch

from yue2_desktop.engine.ar import ArWeights, Decoding, TokenSequence, eagerly
from yue2_desktop.engine.attention_choice import ChosenAttention, fused_attention
from yue2_desktop.engine.bench.machine import read_bandwidth, seconds
from yue2_desktop.engine.bench.random_weights import RandomModel
from yue2_desktop.engine.config import RELEASED_MODEL, ModelConfig
from yue2_desktop.engine.cpu_decoding import by_row_sums
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY, PhaseHead
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.model.nar import Velocity
from yue2_desktop.engine.model.product_attention import attention_by_products
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.blocks import BF16, BLOCK_TYPES, BlockType
from yue2_desktop.engine.quant.kernels import Kernel, linear_map
from yue2_desktop.engine.quant.probe import example_blocks
from yue2_desktop.engine.sampling.choose import SampledChoice
from yue2_desktop.engine.sampling.draw import SeededDraw
from yue2_desktop.song.sampling import SEMANTIC_SAMPLING

#: The weights that can be measured: the type in the file and the product that it goes through.
WEIGHTS: Final[dict[str, tuple[BlockType, Kernel]]] = {
    "q4_0": (BLOCK_TYPES["Q4_0"], Kernel.INT4),
    "q4_k": (BLOCK_TYPES["Q4_K"], Kernel.INT4),
    "q8_0": (BLOCK_TYPES["Q8_0"], Kernel.INT4),
    "w8a8": (BLOCK_TYPES["Q8_0"], Kernel.W8A8),
    "packed-fp16": (BF16, Kernel.PACKED_FP16),
    "bf16": (BF16, Kernel.DENSE),
    "q8_0-unpacked": (BLOCK_TYPES["Q8_0"], Kernel.DEQUANTISE),
}
_CPU: Final = torch.device("cpu")
_RUNNING: Final = CancelToken()
_ROUNDS: Final = 5
_EVALUATIONS: Final = 3


@dataclass(frozen=True)
class TokenTimes:
    """Seconds of one token: the whole step, and in it what the linear maps and the head take by themselves.

    `best` is the fastest of some rounds, `typical` their median. `floor` is the time in which the bytes that a token
    must read can be read at `bandwidth` (bytes a second), which is measured beside each round.
    """

    weights: str
    attention: str
    typical: float
    best: float
    linears: float
    read_bytes: int
    bandwidth: float

    @property
    def floor(self) -> float:
        return self.read_bytes / self.bandwidth

    @property
    def over_floor(self) -> float:
        return self.best / self.floor


class PackedModel:
    """Random weights of the released size in one of `WEIGHTS`, made a layer at a time."""

    def __init__(self, weights: str, layers: int, dtype: torch.dtype = torch.bfloat16) -> None:
        self.config: ModelConfig = replace(RELEASED_MODEL, layers=layers)
        self.dtype = dtype
        self._kind, self._kernel = WEIGHTS[weights]
        self._generator = torch.Generator().manual_seed(0)
        self._rest = RandomModel(self.config, dtype)

    def linear(self, rows: int, columns: int) -> Linear:
        """One linear map of random weights."""
        blocks = example_blocks(self._kind, rows, columns, self._generator)
        return linear_map((blocks,), self._kernel, self.dtype, _CPU)

    def layer(self) -> LayerWeights:
        """One layer."""
        config, ones = self.config, self._rest.ones
        return LayerWeights(
            input_norm=ones(config.hidden_size),
            mlp_norm=ones(config.hidden_size),
            q_norm=ones(config.head_dim),
            k_norm=ones(config.head_dim),
            qkv=self.linear(config.q_width + 2 * config.kv_width, config.hidden_size),
            o=self.linear(config.hidden_size, config.q_width),
            gate_up=self.linear(2 * config.intermediate_size, config.hidden_size),
            down=self.linear(config.hidden_size, config.intermediate_size),
        )

    def token_weights(self) -> ArWeights:
        """What the semantic phase computes with."""
        head = PhaseHead(SEMANTIC_VOCABULARY, self.linear(SEMANTIC_VOCABULARY.size, self.config.hidden_size))
        layers = tuple(self.layer() for _ in range(self.config.layers))
        norm = self._rest.ones(self.config.hidden_size)
        return ArWeights(self.config, layers, norm, head, self._rest.embedded, self.dtype, _CPU)

    def velocities(
        self, context: int, frames: int, ways: Sequence[ChosenAttention]
    ) -> tuple[Callable[[], torch.Tensor], ...]:
        """One evaluation for so many frames behind a cache of `context` tokens, for each way to attend."""
        config = self.config
        cache = KVCache(config, context, self.dtype, _CPU)
        cache.keys.fill_(0.1)
        cache.values.fill_(0.1)
        cache.advance(context)
        places = rope_table(context, frames + 2, config.head_dim, config.rope_theta, self.dtype, _CPU)
        layers = tuple(self.layer() for _ in range(config.layers))
        flow = self._rest.flow(frames + 2)
        x = torch.zeros(frames, config.latent_dim, dtype=self.dtype)
        fields = [Velocity(config, flow, layers, cache, places, frames, attend=way.attend) for way in ways]
        return tuple(partial(field, x, 0.0, _RUNNING) for field in fields)


def measure_token(
    weights: str,
    layers: int,
    context: int,
    tokens: int,
    *,
    row_sums: bool = True,
    dtype: torch.dtype = torch.bfloat16,
) -> TokenTimes:
    """A whole semantic token: forward pass, head, sampling, behind `context` tokens; rounds of `tokens` each.

    `dtype` is that of the small operations between the products.
    """
    model = PackedModel(weights, layers, dtype).token_weights()
    config = model.config
    sequence = TokenSequence(model, context + (_ROUNDS + 1) * tokens + 1)
    # Keys and values of random tokens cost a prefill; how fast attention is does not depend on what they are.
    sequence.cache.keys[:, :, :context] = 0.1
    sequence.cache.values[:, :, :context] = 0.1
    sequence.cache.advance(context)
    decoding: Decoding = by_row_sums if row_sums else eagerly
    step = decoding(model, [sequence], _RUNNING)
    draw = SeededDraw(1, config.vocab_size, _CPU)
    choose = SampledChoice(SEMANTIC_VOCABULARY, config.vocab_size, SEMANTIC_SAMPLING, 1.0, draw, _CPU, keep_dtype=False)
    history: list[int] = [1] * 200
    logits: Sequence[torch.Tensor] = step(SEMANTIC_VOCABULARY.id_at(1))

    def some_tokens() -> None:
        nonlocal logits
        for _ in range(tokens):
            place = choose(logits, history)
            history.append(place)
            logits = step(SEMANTIC_VOCABULARY.id_at(place))

    some_tokens()
    rounds, parts, bandwidths = [], [], []
    for _ in range(_ROUNDS):
        bandwidths.append(read_bandwidth(1))
        rounds.append(seconds(some_tokens) / tokens)
        parts.append(seconds(lambda: _linears(model)))
    weight_bytes = sum(layer.nbytes for layer in model.layers) + model.head.rows.nbytes
    kv_bytes = context * config.layers * 2 * config.kv_width * 2
    return TokenTimes(
        weights, "row sums" if row_sums else "torch", sorted(rounds)[_ROUNDS // 2], min(rounds), min(parts),
        weight_bytes + kv_bytes, max(bandwidths),
    )  # fmt: skip


def _linears(model: ArWeights) -> None:
    """All products of a token, and nothing between them."""
    config = model.config
    x = torch.ones(1, config.hidden_size, dtype=model.dtype)
    wide = torch.ones(1, config.intermediate_size, dtype=model.dtype)
    for layer in model.layers:
        layer.qkv(x)
        layer.o(x)
        layer.gate_up(x)
        layer.down(wide)
    model.head(x)


@dataclass(frozen=True)
class EvaluationTimes:
    """Seconds of one velocity evaluation: the fastest of some, and their median."""

    weights: str
    attention: str
    typical: float
    best: float


def measure_evaluations(
    weights: str, layers: int, context: int, frames: int, dtype: torch.dtype = torch.bfloat16
) -> tuple[EvaluationTimes, EvaluationTimes]:
    """Velocity evaluations with attention by products and with the fused kernel, in turns, after one that warms up."""
    ways = (ChosenAttention("products", attention_by_products), fused_attention(_CPU))
    evaluations = PackedModel(weights, layers, dtype).velocities(context, frames, ways)
    for evaluate in evaluations:
        evaluate()
    rounds = [[seconds(evaluate) for evaluate in evaluations] for _ in range(_EVALUATIONS)]
    products, fused = (sorted(took) for took in zip(*rounds, strict=True))
    middle = _EVALUATIONS // 2
    return (
        EvaluationTimes(weights, ways[0].name, products[middle], products[0]),
        EvaluationTimes(weights, ways[1].name, fused[middle], fused[0]),
    )
