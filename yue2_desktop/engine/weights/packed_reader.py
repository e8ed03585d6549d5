"""Layers and heads for decoding, with packed linear maps: of quantised files, or packed from 16-bit ones as read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.heap import give_back_freed_memory
from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.quant.kernels import Accept, Kernel, as_wanted, linear_map
from yue2_desktop.engine.quant.stacked import StackedLinear
from yue2_desktop.engine.weights.layout import LM_HEAD, Branch, layer_names
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.source import TensorSource, block_rows
from yue2_desktop.engine.weights.transfer import Transfer

#: Rows of the output matrix that are packed at once: the blocks of the score's 152,000 rows would take as much memory
#: beside their packed form as that itself. All of the semantic phase's rows are one piece.
_HEAD_ROWS: Final = 40_960


class PackedReader(WeightReader):
    """A `Reader` whose linear maps of layers and heads go through the kernels asked for; the rest stays dense."""

    def __init__(
        self,
        source: TensorSource,
        config: ModelConfig,
        dtype: torch.dtype,
        device: torch.device,
        transfer: Transfer | None = None,
        *,
        kernel: Kernel | None = None,
        head_kernel: Kernel | None = None,
        accept: Accept = as_wanted,
    ) -> None:
        """`kernel` is for the layers; None takes, type by type, what keeps the stored values best, if `accept`, which
        knows the device, agrees."""
        super().__init__(source, config, dtype, device, transfer)
        self.kernel = kernel
        self.head_kernel = head_kernel
        self._accept = accept

    def refill(
        self,
        branch: Branch,
        index: int,
        buffer: LayerWeights | None,  # noqa: ARG002 - packed forms are made anew
    ) -> LayerWeights:
        """One layer of one branch, packed, in memory of its own."""
        names = layer_names(branch, index)

        def linear(*parts: str) -> Linear:
            blocks = [block_rows(self.source, part, 0, self.source.shape(part)[0]) for part in parts]
            return linear_map(blocks, self.kernel, self.dtype, self.device, self._accept)

        packed = LayerWeights(
            input_norm=self.tensor(names.input_norm),
            mlp_norm=self.tensor(names.mlp_norm),
            q_norm=self.tensor(names.q_norm),
            k_norm=self.tensor(names.k_norm),
            qkv=linear(names.q, names.k, names.v),
            o=linear(names.o),
            gate_up=linear(names.gate, names.up),
            down=linear(names.down),
        )
        # What was read is freed now, in pieces that the C library would keep to itself: a gigabyte by the last layer.
        give_back_freed_memory()
        return packed

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The rows of `lm_head` that the phase can choose from, some at a time; the others are not read."""
        pieces = []
        for runs in _pieces(vocabulary.runs):
            blocks = [block_rows(self.source, LM_HEAD, start, stop) for start, stop in runs]
            pieces.append(linear_map(blocks, self.head_kernel, self.dtype, self.device, self._accept))
        return PhaseHead(vocabulary, pieces[0] if len(pieces) == 1 else StackedLinear(tuple(pieces)))


def _pieces(runs: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """The runs of rows in groups of no more than `_HEAD_ROWS` rows, in order."""
    group: list[tuple[int, int]] = []
    room = _HEAD_ROWS
    for first, stop in runs:
        start = first
        while start < stop:
            end = min(stop, start + room)
            group.append((start, end))
            room -= end - start
            start = end
            if room == 0:
                yield group
                group, room = [], _HEAD_ROWS
    if group:
        yield group
