"""Layers and heads for decoding, with packed linear maps: of quantised files, or packed from 16-bit ones as read."""

from __future__ import annotations

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.quant.kernels import Kernel, linear_map
from yue2_desktop.engine.weights.layout import LM_HEAD, Branch, layer_names
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.source import TensorSource, block_rows
from yue2_desktop.engine.weights.transfer import Transfer


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
    ) -> None:
        """`kernel` is for the layers; None takes, type by type, what keeps the stored values best."""
        super().__init__(source, config, dtype, device, transfer)
        self.kernel = kernel
        self.head_kernel = head_kernel

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
            return linear_map(blocks, self.kernel, self.dtype, self.device)

        return LayerWeights(
            input_norm=self.tensor(names.input_norm),
            mlp_norm=self.tensor(names.mlp_norm),
            q_norm=self.tensor(names.q_norm),
            k_norm=self.tensor(names.k_norm),
            qkv=linear(names.q, names.k, names.v),
            o=linear(names.o),
            gate_up=linear(names.gate, names.up),
            down=linear(names.down),
        )

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The rows of `lm_head` that the phase can choose from; the others are not read."""
        runs = [block_rows(self.source, LM_HEAD, start, stop) for start, stop in vocabulary.runs]
        return PhaseHead(vocabulary, linear_map(runs, self.head_kernel, self.dtype, self.device))
