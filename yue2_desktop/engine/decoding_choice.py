"""Which way tokens are decoded on the processor with packed weights: the faster one there, and what it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import torch

from yue2_desktop.engine.ar import ArWeights, Decoding, Step, TokenSequence, eagerly
from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.cpu_decoding import by_row_sums, time_attention
from yue2_desktop.engine.cuda.verdicts import VerdictStore
from yue2_desktop.engine.processor import LEAST_HEAD, Timing, is_faster
from yue2_desktop.engine.progress import CancelToken


class ChosenDecoding:
    """A `Decoding` that says afterwards which way was taken, for take.json; None before tokens were decoded."""

    def __init__(self, decoding: Decoding, name: Callable[[ArWeights], str]) -> None:
        """`name` tells the way by the weights that are decoded with."""
        self._decoding = decoding
        self._name = name
        self._way: str | None = None
        self._step: Step | None = None

    def __call__(self, weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> Step:
        self._way = self._name(weights)
        self._step = self._decoding(weights, sequences, cancel)
        return self._step

    def taken(self) -> str | None:
        """The way, and why it was left if it was; holds on to no tensor from then on."""
        step, self._step = self._step, None
        why = getattr(step, "fell_back", None)
        return self._way if why is None else f"{self._way}, then eager: {why}"


def processor_decoding(
    config: ModelConfig,
    dtype: torch.dtype,
    *,
    store: VerdictStore | None = None,
    measure: Callable[[ModelConfig, torch.dtype], Timing] = time_attention,
) -> ChosenDecoding:
    """The faster way on this processor: the model's own forward pass, or attention by sums of rows.

    See `is_faster`. `store` and `measure` stand in for the machine's own.
    """
    if config.head_dim >= LEAST_HEAD and is_faster("row-sums", dtype, partial(measure, config, dtype), store):
        return ChosenDecoding(by_row_sums, lambda _: "row-sums")
    return ChosenDecoding(eagerly, lambda _: "eager")
