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
from yue2_desktop.engine.weights.source import TensorSource, fill_rows
from yue2_desktop.engine.weights.transfer import Transfer, transfer_to


class WeightReader:
    """Builds the model's parts from a source, dense, in one dtype on one device."""

    def __init__(
        self,
        source: TensorSource,
        config: ModelConfig,
        dtype: torch.dtype,
        device: torch.device,
        transfer: Transfer | None = None,
    ) -> None:
        self.source = source
        self.config = config
        self.dtype = dtype
        self.device = device
        self.transfer = transfer if transfer is not None else transfer_to(device)

    def layer(self, branch: Branch, index: int) -> LayerWeights:
        """One layer of one branch, in memory of its own, ready to compute with."""
        layer = self.refill(branch, index, None)
        self.transfer.wait(self.transfer.arrived())
        return layer

    def refill(self, branch: Branch, index: int, buffer: LayerWeights | None) -> LayerWeights:
        """One layer of one branch, in the memory of `buffer` where that is given and its content is used up.

        q|k|v and gate|up are put under one another as they are read. The values are there once the transfer's mark has
        arrived.
        """
        names = layer_names(branch, index)
        layer = buffer if buffer is not None else self._empty_layer(branch, index)
        for tensor, stored in (
            (layer.input_norm, (names.input_norm,)),
            (layer.mlp_norm, (names.mlp_norm,)),
            (layer.q_norm, (names.q_norm,)),
            (layer.k_norm, (names.k_norm,)),
            (_weight(layer.qkv), (names.q, names.k, names.v)),
            (_weight(layer.o), (names.o,)),
            (_weight(layer.gate_up), (names.gate, names.up)),
            (_weight(layer.down), (names.down,)),
        ):
            self._stack_into(tensor, stored)
        return layer

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The rows of `lm_head` that the phase can choose from."""
        weight = self._empty((vocabulary.size, self.config.hidden_size))
        at = 0
        for start, stop in vocabulary.runs:
            self._rows_into(weight[at : at + stop - start], LM_HEAD, start)
            at += stop - start
        self.transfer.wait(self.transfer.arrived())
        return PhaseHead(vocabulary, DenseLinear(weight))

    def final_norm(self) -> torch.Tensor:
        return self.tensor(FINAL_NORM)

    def embedded(self, ids: Sequence[int]) -> torch.Tensor:
        """Rows [n, hidden] of the embedding table: gathered on the CPU, so that the table is never on the device."""
        places = {token: place for place, token in enumerate(dict.fromkeys(ids))}
        rows = torch.empty(len(places), self.config.hidden_size, dtype=self.dtype)
        for token, place in places.items():
            rows[place : place + 1] = self.source.read_rows(EMBEDDING, token, token + 1)
        if len(places) < len(ids):
            rows = rows[torch.tensor([places[token] for token in ids])]
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
        out = self._empty(self.source.shape(name))
        self._rows_into(out, name, 0)
        self.transfer.wait(self.transfer.arrived())
        return out

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

    def _empty_layer(self, branch: Branch, index: int) -> LayerWeights:
        names = layer_names(branch, index)

        def linear(*parts: str) -> DenseLinear:
            shapes = [self.source.shape(part) for part in parts]
            return DenseLinear(self._empty((sum(shape[0] for shape in shapes), shapes[0][1])))

        return LayerWeights(
            input_norm=self._empty(self.source.shape(names.input_norm)),
            mlp_norm=self._empty(self.source.shape(names.mlp_norm)),
            q_norm=self._empty(self.source.shape(names.q_norm)),
            k_norm=self._empty(self.source.shape(names.k_norm)),
            qkv=linear(names.q, names.k, names.v),
            o=linear(names.o),
            gate_up=linear(names.gate, names.up),
            down=linear(names.down),
        )

    def _stack_into(self, out: torch.Tensor, names: Sequence[str]) -> None:
        at = 0
        for name in names:
            height = self.source.shape(name)[0]
            self._rows_into(out[at : at + height], name, 0)
            at += height

    def _rows_into(self, out: torch.Tensor, name: str, first: int) -> None:
        self.transfer.put(out, lambda part, start: fill_rows(self.source, name, first + start, part))

    def _empty(self, shape: tuple[int, ...]) -> torch.Tensor:
        return torch.empty(shape, dtype=self.dtype, device=self.device)


def _weight(linear: object) -> torch.Tensor:
    if not isinstance(linear, DenseLinear):
        raise TypeError("only dense layers are refilled in place")
    return linear.weight
