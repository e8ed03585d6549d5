"""Random weights of the released shapes in memory: speed does not depend on what the numbers are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from yue2_desktop.engine.config import ModelConfig, VaeConfig
from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import DenseLinear
from yue2_desktop.engine.model.nar import FlowWeights, position_table
from yue2_desktop.engine.weights.layout import TIME_FREQUENCIES, decoder_shapes
from yue2_desktop.engine.weights.source import MemorySource

_PATTERN = 1 << 20


class RandomModel:
    """Makes the parts of a model of `config`'s shapes, in one dtype on one device, seeded."""

    def __init__(
        self, config: ModelConfig, dtype: torch.dtype, seed: int = 0, device: torch.device | None = None
    ) -> None:
        self.config = config
        self.dtype = dtype
        self.device = device if device is not None else torch.device("cpu")
        generator = torch.Generator().manual_seed(seed)
        # One million normal numbers, repeated: drawing billions would take longer than what is measured.
        self._pattern = torch.randn(_PATTERN, generator=generator)

    def matrix(self, rows: int, columns: int) -> torch.Tensor:
        """A matrix [rows, columns] that keeps the size of what it multiplies."""
        weight = torch.empty(rows, columns, dtype=self.dtype)
        flat, part = weight.view(-1), (self._pattern / math.sqrt(columns)).to(self.dtype)
        for start in range(0, flat.numel(), _PATTERN):
            piece = flat[start : start + _PATTERN]
            piece.copy_(part[: piece.numel()])
        return weight.to(self.device)

    def layer(self) -> LayerWeights:
        config = self.config
        return LayerWeights(
            input_norm=self.ones(config.hidden_size),
            mlp_norm=self.ones(config.hidden_size),
            q_norm=self.ones(config.head_dim),
            k_norm=self.ones(config.head_dim),
            qkv=DenseLinear(self.matrix(config.q_width + 2 * config.kv_width, config.hidden_size)),
            o=DenseLinear(self.matrix(config.hidden_size, config.q_width)),
            gate_up=DenseLinear(self.matrix(2 * config.intermediate_size, config.hidden_size)),
            down=DenseLinear(self.matrix(config.hidden_size, config.intermediate_size)),
        )

    def layers(self) -> tuple[LayerWeights, ...]:
        return tuple(self.layer() for _ in range(self.config.layers))

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        return PhaseHead(vocabulary, DenseLinear(self.matrix(vocabulary.size, self.config.hidden_size)))

    def embedded(self, ids: Sequence[int]) -> torch.Tensor:
        return self.matrix(len(ids), self.config.hidden_size)

    def flow(self, rows: int) -> FlowWeights:
        config = self.config
        hidden = config.hidden_size

        def biased(out: int, inner: int) -> DenseLinear:
            return DenseLinear(self.matrix(out, inner), torch.zeros(out, dtype=self.dtype))

        return FlowWeights(
            latent_in=biased(hidden, config.latent_dim),
            latent_out=biased(config.latent_dim, hidden),
            time_in=biased(hidden, 2 * TIME_FREQUENCIES),
            time_out=biased(hidden, hidden),
            positions=position_table(rows, hidden).to(self.dtype),
            final_norm=self.ones(hidden),
        )

    def ones(self, size: int) -> torch.Tensor:
        return torch.ones(size, dtype=self.dtype, device=self.device)


def random_decoder(config: VaeConfig, seed: int = 0) -> MemorySource:
    """A source with the stored tensors of an audio decoder; activations stay of the order of 1."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for name, shape in decoder_shapes(config).items():
        if name.endswith("weight_g"):
            tensors[name] = torch.full(shape, 0.5)
        elif name.endswith(("alpha", "beta", "bias")):
            tensors[name] = torch.zeros(shape)
        else:
            tensors[name] = torch.randn(shape, generator=generator)
    return MemorySource(tensors, "random decoder")
