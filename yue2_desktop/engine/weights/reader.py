"""What a stage needs of the weights, whatever they are made of and wherever they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.nar import FlowWeights
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.transfer import Transfer


class Reader(Protocol):
    """Builds the model's parts on one device; activations are of `dtype`."""

    config: ModelConfig
    dtype: torch.dtype
    device: torch.device
    transfer: Transfer

    def layer(self, branch: Branch, index: int) -> LayerWeights:
        """One layer in memory of its own, ready to compute with."""
        ...

    def refill(self, branch: Branch, index: int, buffer: LayerWeights | None) -> LayerWeights:
        """One layer, in `buffer`'s memory where that can be; there once the transfer's mark has arrived."""
        ...

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The output rows of a phase."""
        ...

    def final_norm(self) -> torch.Tensor: ...

    def embedded(self, ids: Sequence[int]) -> torch.Tensor:
        """Rows [n, hidden] of the embedding table, gathered on the CPU."""
        ...

    def flow(self, rows: int) -> FlowWeights:
        """The NAR parts outside its layers, with `rows` rows of the position table."""
        ...


@dataclass(frozen=True)
class Readers:
    """Who reads the weights of each stage: the token phases, the acoustic prefill, the ODE.

    They are one and the same for a plain plan. A small card takes the token phases in fewer bits, or on the CPU, while
    the acoustic stage keeps the checkpoint's own numbers.
    """

    tokens: Reader
    prefill: Reader
    flow: Reader

    @classmethod
    def same(cls, reader: Reader) -> Readers:
        """One reader for all stages."""
        return cls(reader, reader, reader)
