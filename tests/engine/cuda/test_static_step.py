"""The static decode step against the eager one: both on the CPU, over windows that grow, with one branch and two."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch

from yue2_desktop.engine.ar import ArWeights, TokenSequence, eagerly
from yue2_desktop.engine.cuda.graph_decode import Play, StaticDecode
from yue2_desktop.engine.cuda.static_step import (
    MaskedAttention,
    masked_products,
    masked_sdpa,
    static_step,
    step_state,
    wide_product,
)
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.tokens import CODEC_OFFSET

CPU = torch.device("cpu")
RUNNING = CancelToken()
PREFIXES = (tuple(range(100, 141)), tuple(range(7, 20)))
STEPS = 60
#: Relative error of logits (Frobenius). fp32: sums in another order. bf16: each of the many roundings (2^-9) may fall
#: the other way; the eager step is as far from fp32.
TOLERANCE = {"fp32": 1e-5, "bf16": 2.5e-2}


def _products(name: str) -> MaskedAttention:
    return masked_products(wide_product(CPU, torch.float32 if name == "fp32" else torch.bfloat16))


def _sdpa(_name: str) -> MaskedAttention:
    return masked_sdpa


def _prefilled(
    weights: ArWeights, prefixes: Sequence[tuple[int, ...]], *, poisoned: bool = False
) -> list[TokenSequence]:
    sequences = [TokenSequence(weights, len(prefix) + STEPS + 1) for prefix in prefixes]
    for sequence, prefix in zip(sequences, prefixes, strict=True):
        if poisoned:  # fresh memory holds anything
            sequence.cache.keys.fill_(float("nan"))
            sequence.cache.values.fill_(float("inf"))
        sequence.extend(prefix, RUNNING)
    return sequences


def _at_once(step: Play) -> Play:
    """A recording that is a call: what a graph would replay is run."""
    step()
    step()  # like the warm-ups of a true recording: running it again must change nothing
    return step


def _error(found: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((found.float() - wanted.float()).norm() / wanted.float().norm())


@pytest.mark.parametrize("attention", [_products, _sdpa])
@pytest.mark.parametrize("branches", [1, 2])
@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_it_gives_what_the_eager_step_gives(
    name: str, branches: int, attention: Callable[[str], MaskedAttention], ar_weights: Callable[[str], ArWeights]
) -> None:
    weights, prefixes = ar_weights(name), PREFIXES[:branches]
    eager = eagerly(weights, _prefilled(weights, prefixes), RUNNING)
    sequences = _prefilled(weights, prefixes, poisoned=True)
    static = StaticDecode(weights, sequences, attention(name), _at_once, window_rows=16)
    for number in range(STEPS):
        token = CODEC_OFFSET + 37 * number % 500
        for found, wanted in zip(static(token), eager(token), strict=True):
            assert found.shape == wanted.shape
            assert _error(found, wanted) <= TOLERANCE[name], f"step {number}"
    assert [sequence.cache.length for sequence in sequences] == [len(prefix) + STEPS for prefix in prefixes]


def test_the_caches_hold_what_the_eager_step_writes(ar_weights: Callable[[str], ArWeights]) -> None:
    """So that decoding can go on eagerly at any token."""
    weights = ar_weights("fp32")
    plain, static = _prefilled(weights, PREFIXES), _prefilled(weights, PREFIXES)
    eager = eagerly(weights, plain, RUNNING)
    decode = StaticDecode(weights, static, _products("fp32"), _at_once, window_rows=16)
    for token in range(CODEC_OFFSET, CODEC_OFFSET + 20):
        eager(token)
        decode(token)
    for wanted, found in zip(plain, static, strict=True):
        for index in range(weights.config.layers):
            for a, b in zip(wanted.cache.layer(index), found.cache.layer(index), strict=True):
                assert _error(b, a) <= 1e-5
    assert _error(static[0].extend((CODEC_OFFSET,), RUNNING), plain[0].extend((CODEC_OFFSET,), RUNNING)) <= 1e-5


def test_a_step_is_recorded_once_a_window_and_reads_no_more_than_it_needs(
    ar_weights: Callable[[str], ArWeights],
) -> None:
    weights = ar_weights("bf16")
    seen: list[int] = []
    products = _products("bf16")

    def watched(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        seen.append(k.shape[1])
        return products(q, k, v, mask)

    recordings = []

    def capture(step: Play) -> Play:
        recordings.append(step)
        return step

    decode = StaticDecode(weights, _prefilled(weights, PREFIXES[:1]), watched, capture, window_rows=16)
    for number in range(30):  # places 41..70: windows of 48, 64 and 80 rows
        decode(CODEC_OFFSET + number)
    assert len(recordings) == 3
    assert sorted(set(seen)) == [48, 64, 80]


def test_the_same_state_gives_the_same_logits(ar_weights: Callable[[str], ArWeights]) -> None:
    """A recording runs the step some times before the token counts."""
    weights = ar_weights("fp32")
    (sequence,) = _prefilled(weights, PREFIXES[:1])
    sequence.cache.keys[:, :, sequence.cache.length :] = 0
    sequence.cache.values[:, :, sequence.cache.length :] = 0
    state = step_state(weights, 1)
    state.row.copy_(weights.embed((CODEC_OFFSET,)))
    state.positions.fill_(sequence.cache.length)
    logits = []
    for _ in range(3):
        static_step(weights, [sequence.cache], sequence.positions, state, 64, _products("fp32"))
        logits.append(state.logits.clone())
    assert torch.equal(logits[0], logits[1])
    assert torch.equal(logits[0], logits[2])
    assert int(state.positions) == sequence.cache.length


def test_rows_behind_the_position_are_not_seen(ar_weights: Callable[[str], ArWeights]) -> None:
    weights = ar_weights("fp32")
    (sequence,) = _prefilled(weights, PREFIXES[:1])
    state = step_state(weights, 1)
    state.positions.fill_(sequence.cache.length)
    found = []
    for filler in (0.0, 50.0):
        sequence.cache.keys[:, :, sequence.cache.length :] = filler
        sequence.cache.values[:, :, sequence.cache.length :] = filler
        static_step(weights, [sequence.cache], sequence.positions, state, 80, _products("fp32"))
        found.append(state.logits.clone())
    assert torch.equal(found[0], found[1])
