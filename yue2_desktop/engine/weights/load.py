"""From a tensor source to the values that the model computes with; every tensor is read once, alone."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import DenseLinear
from yue2_desktop.engine.model.nar import FlowWeights, position_table
from yue2_desktop.engine.weights.layout import (
    EMBEDDING,
    FINAL_NORM,
    LATENT_IN,
    LATENT_OUT,
    LM_HEAD,
    POSITION_TABLE,
    TIME_IN,
    TIME_OUT,
    Branch,
    layer_names,
)
from yue2_desktop.engine.weights.source import TensorSource


class WeightReader:
    """Builds the model's parts from a source, in one dtype on one device."""

    def __init__(self, source: TensorSource, config: ModelConfig, dtype: torch.dtype, device: torch.device) -> None:
        self.source = source
        self.config = config
        self.dtype = dtype
        self.device = device

    def layer(self, branch: Branch, index: int) -> LayerWeights:
        """One layer of one branch; q|k|v and gate|up are put under one another as they are read."""
        names = layer_names(branch, index)
        return LayerWeights(
            input_norm=self.tensor(names.input_norm),
            mlp_norm=self.tensor(names.mlp_norm),
            q_norm=self.tensor(names.q_norm),
            k_norm=self.tensor(names.k_norm),
            qkv=DenseLinear(self._stacked((names.q, names.k, names.v))),
            o=DenseLinear(self.tensor(names.o)),
            gate_up=DenseLinear(self._stacked((names.gate, names.up))),
            down=DenseLinear(self.tensor(names.down)),
        )

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The rows of `lm_head` that the phase can choose from."""
        weight = self._empty((vocabulary.size, self.config.hidden_size))
        at = 0
        for start, stop in vocabulary.runs:
            weight[at : at + stop - start].copy_(self.source.read_rows(LM_HEAD, start, stop))
            at += stop - start
        return PhaseHead(vocabulary, DenseLinear(weight))

    def final_norm(self) -> torch.Tensor:
        return self.tensor(FINAL_NORM)

    def embedded(self, ids: Sequence[int]) -> torch.Tensor:
        """Rows [n, hidden] of the embedding table: gathered on the CPU, so that the table is never on the device."""
        table = self.source
        rows = torch.empty(len(ids), self.config.hidden_size, dtype=self.dtype)
        where: dict[int, list[int]] = {}
        for place, token in enumerate(ids):
            where.setdefault(token, []).append(place)
        for token, places in where.items():
            rows[places] = table.read_rows(EMBEDDING, token, token + 1).to(self.dtype)
        return rows.to(self.device)

    def flow(self, rows: int) -> FlowWeights:
        """The NAR parts outside its layers, with `rows` rows of the position table."""
        return FlowWeights(
            latent_in=self._biased(LATENT_IN),
            latent_out=self._biased(LATENT_OUT),
            time_in=self._biased(TIME_IN),
            time_out=self._biased(TIME_OUT),
            positions=self._positions(rows),
            final_norm=self.final_norm(),
        )

    def tensor(self, name: str) -> torch.Tensor:
        """One tensor in the model's dtype, on its device, in memory of its own."""
        stored = self.source.read(name)
        return self._empty(tuple(stored.shape)).copy_(stored)

    def _positions(self, rows: int) -> torch.Tensor:
        available = self.config.max_latent_frames
        wanted = min(rows, available)
        if POSITION_TABLE in self.source.names():
            table = self.source.read_rows(POSITION_TABLE, 0, wanted)
        else:
            # The table is stored in bf16 and every run uses those values, an fp32 run too.
            table = position_table(wanted, self.config.hidden_size).bfloat16()
        table = table.to(self.dtype).to(self.device)
        if rows > available:  # the index is clamped to the table's last row
            table = torch.cat([table, table[-1:].expand(rows - available, -1)])
        return table

    def _biased(self, name: str) -> DenseLinear:
        return DenseLinear(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"))

    def _stacked(self, names: Sequence[str]) -> torch.Tensor:
        heights = [self.source.shape(name)[0] for name in names]
        weight = self._empty((sum(heights), self.source.shape(names[0])[1]))
        at = 0
        for name, height in zip(names, heights, strict=True):
            weight[at : at + height].copy_(self.source.read(name))
            at += height
        return weight

    def _empty(self, shape: tuple[int, ...]) -> torch.Tensor:
        return torch.empty(shape, dtype=self.dtype, device=self.device)
