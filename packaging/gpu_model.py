"""A checkpoint of any size out of one random pattern: no file, next to no memory, every tensor of the layout."""

from __future__ import annotations

import zlib
from pathlib import Path

import torch

from yue2_desktop.engine.bench.random_weights import random_decoder
from yue2_desktop.engine.config import ModelConfig, VaeConfig
from yue2_desktop.engine.quant.blocks import BF16, BlockType
from yue2_desktop.engine.quant.probe import example_blocks
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.layout import EMBEDDING, model_shapes
from yue2_desktop.plan.shape import ModelShape, VaeShape

_PATTERN = 1 << 22
#: Rows of blocks that are random; they repeat behind that.
_BLOCK_ROWS = 512
_SEED = 20260914


class RandomCheckpoint:
    """A source whose matrices are of one type, the embedding in bf16; norms are ones, biases zeros."""

    def __init__(self, config: ModelConfig, kind: BlockType = BF16) -> None:
        self._shapes = model_shapes(config)
        self._kind = kind
        generator = torch.Generator().manual_seed(_SEED)
        self._pattern = torch.randn(_PATTERN, generator=generator).bfloat16()
        self._scaled: dict[int, torch.Tensor] = {}
        self._blocks: dict[int, torch.Tensor] = {}

    @property
    def where(self) -> str:
        return "random weights"

    def names(self) -> frozenset[str]:
        return frozenset(self._shapes)

    def shape(self, name: str) -> tuple[int, ...]:
        return self._shapes[name]

    def read(self, name: str) -> torch.Tensor:
        return self.read_rows(name, 0, self.shape(name)[0])

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        out = torch.empty(stop - start, *self.shape(name)[1:], dtype=torch.bfloat16)
        self.read_rows_into(name, start, out)
        return out

    def read_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Values that keep the size of what a matrix multiplies; other names have other ones."""
        if len(self.shape(name)) == 1:
            out.fill_(0.0 if name.endswith("bias") else 1.0)
            return
        columns = self.shape(name)[1]
        pattern = self._scaled.get(columns)
        if pattern is None:
            pattern = self._scaled[columns] = self._pattern / columns**0.5
        flat, at = out.view(-1), (zlib.crc32(name.encode()) + start * columns) % _PATTERN
        done = 0
        while done < flat.numel():
            piece = pattern[at : at + flat.numel() - done]
            flat[done : done + piece.numel()].copy_(piece)
            done, at = done + piece.numel(), 0

    def block_type(self, name: str) -> BlockType:
        return BF16 if name == EMBEDDING or len(self.shape(name)) == 1 else self._kind

    def read_block_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """The same blocks for all names: they are for speed and memory only."""
        kind, columns = self.block_type(name), self.shape(name)[-1]
        if kind.dense:
            out.copy_(self.read_rows(name, start, start + len(out)).view(torch.uint8))
            return
        blocks = self._blocks.get(columns)
        if blocks is None:
            generator = torch.Generator().manual_seed(_SEED)
            blocks = self._blocks[columns] = example_blocks(kind, _BLOCK_ROWS, columns, generator).data
        for first in range(0, len(out), _BLOCK_ROWS):
            rows = out[first : first + _BLOCK_ROWS]
            rows.copy_(blocks[: len(rows)])


def random_model(config: ModelConfig, tokenizer: Tokenizer, kind: BlockType = BF16) -> ModelFiles:
    """An opened model of random weights."""
    return ModelFiles(Path("random"), config, RandomCheckpoint(config, kind), tokenizer, ())


def random_vae(config: VaeConfig) -> VaeFiles:
    """An opened audio decoder of random weights."""
    return VaeFiles(Path("random"), config, random_decoder(config), ())


def shape_of(config: ModelConfig, vae: VaeConfig) -> ModelShape:
    """The planner's shape of a model."""
    return ModelShape(
        hidden=config.hidden_size,
        layers=config.layers,
        heads=config.heads,
        kv_heads=config.kv_heads,
        head_dim=config.head_dim,
        intermediate=config.intermediate_size,
        vocab=config.vocab_size,
        latent_dim=config.latent_dim,
        context=config.context,
        max_latent_frames=config.max_latent_frames,
        vae=VaeShape(vae.channels, vae.c_mults, vae.strides, vae.audio_channels, vae.latent_dim),
    )
