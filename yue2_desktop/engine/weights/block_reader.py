"""Layers for many rows at once: quantised matrices lie on the device as in the file and are unpacked as they are used.

For the acoustic stage, resident or streamed: a buffer is filled again in place, and nothing is repacked.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import DenseLinear, Linear
from yue2_desktop.engine.quant.blocks import BlockType, PackedBlocks
from yue2_desktop.engine.quant.dequant import DequantisedLinear
from yue2_desktop.engine.quant.stacked import StackedLinear
from yue2_desktop.engine.weights.layout import Branch, layer_names
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.source import BlockSource
from yue2_desktop.engine.weights.transfer import Transfer


class BlockReader(WeightReader):
    """A `Reader` over a `BlockSource`; dense types become dense matrices in `dtype`, as `WeightReader` makes them."""

    def __init__(
        self,
        source: BlockSource,
        config: ModelConfig,
        dtype: torch.dtype,
        device: torch.device,
        transfer: Transfer | None = None,
    ) -> None:
        super().__init__(source, config, dtype, device, transfer)
        self._blocks = source

    def refill(self, branch: Branch, index: int, buffer: LayerWeights | None) -> LayerWeights:
        """One layer of one branch, in `buffer`'s memory as far as types and shapes are the same."""
        names = layer_names(branch, index)
        if buffer is None:
            old_norms: tuple[torch.Tensor | None, ...] = (None,) * 4
            old_linears: tuple[Linear | None, ...] = (None,) * 4
        else:
            old_norms = (buffer.input_norm, buffer.mlp_norm, buffer.q_norm, buffer.k_norm)
            old_linears = (buffer.qkv, buffer.o, buffer.gate_up, buffer.down)
        norms = (names.input_norm, names.mlp_norm, names.q_norm, names.k_norm)
        linears = ((names.q, names.k, names.v), (names.o,), (names.gate, names.up), (names.down,))
        norm = [self._norm(name, old) for name, old in zip(norms, old_norms, strict=True)]
        linear = [self._linear(parts, old) for parts, old in zip(linears, old_linears, strict=True)]
        return LayerWeights(norm[0], norm[1], norm[2], norm[3], linear[0], linear[1], linear[2], linear[3])

    def _norm(self, name: str, old: torch.Tensor | None) -> torch.Tensor:
        out = old if old is not None else self._fresh(self.source.shape(name), self.dtype)
        self._rows_into(out, name, 0)
        return out

    def _linear(self, names: Sequence[str], old: Linear | None) -> Linear:
        runs = [(kind, tuple(run)) for kind, run in groupby(names, self._blocks.block_type)]
        olds = old.parts if isinstance(old, StackedLinear) else (old,)
        same = len(olds) == len(runs)
        linears = tuple(self._run(kind, run, olds[place] if same else None) for place, (kind, run) in enumerate(runs))
        return linears[0] if len(linears) == 1 else StackedLinear(linears)

    def _run(self, kind: BlockType, names: Sequence[str], old: Linear | None) -> Linear:
        rows = sum(self.source.shape(name)[0] for name in names)
        columns = self.source.shape(names[0])[1]
        if kind.dense:
            fits = isinstance(old, DenseLinear) and old.weight.shape == (rows, columns)
            weight = old.weight if fits and isinstance(old, DenseLinear) else self._fresh((rows, columns), self.dtype)
            self._stack_into(weight, names)
            return DenseLinear(weight)
        blocks = old.blocks if isinstance(old, DequantisedLinear) else None
        if blocks is None or blocks.type is not kind or (blocks.rows, blocks.columns) != (rows, columns):
            blocks = PackedBlocks(kind, self._fresh((rows, kind.row_bytes(columns)), torch.uint8), columns)
        at = 0
        for name in names:
            height = self.source.shape(name)[0]
            self._block_rows_into(blocks.data[at : at + height], name)
            at += height
        return DequantisedLinear(blocks)

    def _block_rows_into(self, out: torch.Tensor, name: str) -> None:
        self.transfer.put(out, lambda part, start: self._blocks.read_block_rows_into(name, start, part))

    def _fresh(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        # Memory that the computation gave back may still be read by what it has queued: wait for that.
        self.transfer.hold(self.transfer.used())
        return torch.empty(shape, dtype=dtype, device=self.device)
