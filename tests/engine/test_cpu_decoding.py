"""Decoding on the CPU by sums of rows against the model's own forward pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from yue2_desktop.engine.ar import ArWeights, TokenSequence, eagerly
from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.cpu_decoding import by_row_sums, time_attention
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.song.errors import Problem, ProblemKind

CPU = torch.device("cpu")
RUNNING = CancelToken()


def _weights(reader: WeightReader) -> ArWeights:
    config = reader.config
    layers = [reader.layer(Branch.AR, index) for index in range(config.layers)]
    head = reader.head(SEMANTIC_VOCABULARY)
    return ArWeights(config, layers, reader.final_norm(), head, reader.embedded, reader.dtype, CPU)


@pytest.mark.parametrize(("dtype", "tolerance"), [("fp32", 2e-3), ("bf16", 3e-2)])
def test_logits_of_two_branches(dtype: str, tolerance: float, reader: Callable[[str], WeightReader]) -> None:
    """Two prefixes of different lengths, 16 tokens, one of them over a chunk border.

    fp32: attention errs by 6e-4 and so does what follows; bf16: both ways round each of 12 products a layer to 2^-9.
    """
    weights = _weights(reader(dtype))
    prefixes = ([5, 6, 7, *range(117)], [5, 9])
    steps = []
    for decoding in (eagerly, by_row_sums):
        sequences = [TokenSequence(weights, len(prefix) + 150) for prefix in prefixes]
        for sequence, prefix in zip(sequences, prefixes, strict=True):
            sequence.extend(prefix, RUNNING)
        steps.append(decoding(weights, sequences, RUNNING))
    for token in range(151_900, 151_916):
        wanted, found = (step(token) for step in steps)
        for row, other in zip(wanted, found, strict=True):
            assert float((row.float() - other.float()).norm() / row.float().norm()) <= tolerance


def test_the_caches_of_the_prefill_are_given_back(reader: Callable[[str], WeightReader]) -> None:
    weights = _weights(reader("bf16"))
    sequence = TokenSequence(weights, 40)
    sequence.extend([1, 2, 3], RUNNING)
    by_row_sums(weights, [sequence], RUNNING)
    assert sequence.cache.keys.nbytes == 0


def test_it_stops_when_it_is_told_to(reader: Callable[[str], WeightReader]) -> None:
    weights = _weights(reader("bf16"))
    sequence = TokenSequence(weights, 40)
    sequence.extend([1, 2, 3], RUNNING)
    cancel = CancelToken()
    step = by_row_sums(weights, [sequence], cancel)
    step(151_853)
    cancel.cancel()
    with pytest.raises(Problem) as caught:
        step(151_853)
    assert caught.value.kind is ProblemKind.CANCELLED


def test_both_ways_are_timed_once() -> None:
    times = time_attention(RELEASED_MODEL, torch.bfloat16)
    assert times is time_attention(RELEASED_MODEL, torch.bfloat16)
    assert times.other > 0
    assert times.reference > 0
