"""The choice of how tokens are decoded on the processor: timed once, kept, and told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from yue2_desktop.engine.ar import ArWeights, Step, TokenSequence, eagerly
from yue2_desktop.engine.config import RELEASED_MODEL, ModelConfig
from yue2_desktop.engine.cuda.verdicts import VerdictStore, verdict_file
from yue2_desktop.engine.decoding_choice import ChosenDecoding, processor_decoding
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY
from yue2_desktop.engine.processor import Timing
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.load import WeightReader

RUNNING = CancelToken()


@pytest.fixture
def weights(reader: Callable[[str], WeightReader]) -> ArWeights:
    read = reader("bf16")
    layers = [read.layer(Branch.AR, index) for index in range(read.config.layers)]
    head = read.head(SEMANTIC_VOCABULARY)
    return ArWeights(read.config, layers, read.final_norm(), head, read.embedded, read.dtype, torch.device("cpu"))


def _taken(chosen: ChosenDecoding, weights: ArWeights) -> str | None:
    sequence = TokenSequence(weights, 8)
    sequence.extend([1, 2, 3], RUNNING)
    step = chosen(weights, [sequence], RUNNING)
    assert torch.isfinite(step(151_900)[0]).all()
    return chosen.taken()


@pytest.mark.parametrize(("row_sums", "way"), [(7.0, "row-sums"), (10.5, "eager"), (20.0, "eager")])
def test_the_faster_way_is_taken_and_kept(tmp_path: Path, weights: ArWeights, row_sums: float, way: str) -> None:
    asked = []

    def measure(config: ModelConfig, dtype: torch.dtype) -> Timing:
        asked.append((config, dtype))
        return Timing(row_sums, 11.0)

    for _ in range(2):  # as two starts of the program
        store = VerdictStore(tmp_path / "verdicts.json", "this machine")
        chosen = processor_decoding(RELEASED_MODEL, torch.bfloat16, store=store, measure=measure)
        assert chosen.taken() is None
        assert _taken(chosen, weights) == way
    assert asked == [(RELEASED_MODEL, torch.bfloat16)]
    verdict = VerdictStore(tmp_path / "verdicts.json", "this machine").get("row-sums bfloat16")
    assert verdict is not None
    assert "11.0 ms" in verdict.reason


def test_a_toy_is_not_timed(weights: ArWeights) -> None:
    def measure(config: ModelConfig, dtype: torch.dtype) -> Timing:
        raise AssertionError("not asked")

    small = replace(RELEASED_MODEL, head_dim=32)
    assert _taken(processor_decoding(small, torch.bfloat16, measure=measure), weights) == "eager"


def test_this_machine_is_timed_and_remembered(weights: ArWeights) -> None:
    way = _taken(processor_decoding(RELEASED_MODEL, torch.bfloat16), weights)
    assert way in {"row-sums", "eager"}
    assert "row-sums bfloat16" in verdict_file().read_text(encoding="utf-8")


def test_a_way_that_was_left_is_told_with_the_reason(weights: ArWeights) -> None:
    class Leaves:
        fell_back = "capture failed"

        def __init__(self, step: Step) -> None:
            self.step = step

        def __call__(self, token: int) -> object:
            return self.step(token)

    chosen = ChosenDecoding(lambda *given: Leaves(eagerly(*given)), lambda _: "graph-sdpa")  # type: ignore[arg-type,return-value]
    assert _taken(chosen, weights) == "graph-sdpa, then eager: capture failed"
    assert chosen.taken() == "graph-sdpa"
