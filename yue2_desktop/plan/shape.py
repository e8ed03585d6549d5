"""The model's dimensions and the weights that follow from them, counted in closed form."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import CONTEXT
from yue2_desktop.song.stages import CODEC_SIZE, LATENT_DIM, TEXT_SIZE

#: Rows of lm_head that a phase can draw: its ids and its end token (spec/yue2.md, section 8).
SCORE_ROWS: Final = TEXT_SIZE + 1
SEMANTIC_ROWS: Final = CODEC_SIZE + 1
#: Width of the sinusoid that the time embedder reads (spec/yue2.md, section 3).
TIME_WIDTH: Final = 256


@dataclass(frozen=True)
class VaeShape:
    """The decoder of the VAE: `strides` and `mults` in the encoder's order, as its config.json has them."""

    channels: int = 64
    mults: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    strides: tuple[int, ...] = (2, 2, 4, 4, 5, 6)
    out_channels: int = 2
    latent_dim: int = LATENT_DIM

    @property
    def samples_per_frame(self) -> int:
        """Samples of one latent frame: the product of the strides."""
        return math.prod(self.strides)

    @property
    def widths(self) -> tuple[int, ...]:
        """Channels after the first convolution and after each block, in decoding order."""
        return tuple(self.channels * mult for mult in reversed((1, *self.mults)))

    @property
    def blocks(self) -> tuple[tuple[int, int, int], ...]:
        """(channels in, channels out, stride) of each block, in decoding order."""
        strides = tuple(reversed(self.strides))
        return tuple(zip(self.widths, self.widths[1:], strides, strict=False))

    @property
    def folded_weights(self) -> int:
        """Elements of the decoder with weight norm folded (spec/yue2.md, section 2.2)."""
        first, last = self.widths[0], self.widths[-1]
        total = self.latent_dim * first * 7 + first
        for wide, narrow, stride in self.blocks:
            unit = 2 * (2 * narrow) + narrow * narrow * (7 + 1) + 2 * narrow
            total += 2 * wide + wide * narrow * 2 * stride + narrow + 3 * unit
        return total + 2 * last + last * self.out_channels * 7


@dataclass(frozen=True)
class ModelShape:
    """The transformer's dimensions (spec/yue2.md, section 1); the defaults are those of the released 3B."""

    hidden: int = 2048
    layers: int = 28
    heads: int = 16
    kv_heads: int = 8
    head_dim: int = 128
    intermediate: int = 6144
    vocab: int = 184_704
    latent_dim: int = LATENT_DIM
    context: int = CONTEXT
    max_latent_frames: int = CONTEXT
    vae: VaeShape = field(default_factory=VaeShape)

    @property
    def size(self) -> str:
        """The size in words: times of models of another size say nothing of this one."""
        return f"{self.layers} layers of {self.hidden}, decoder of {self.vae.widths[0]}"

    @property
    def query_width(self) -> int:
        """Width of all query heads together."""
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        """Width of the keys (or the values) of one token in one layer."""
        return self.kv_heads * self.head_dim

    @property
    def layer_linear_weights(self) -> int:
        """Elements of the seven linears of one layer of one branch."""
        attention = 2 * self.hidden * self.query_width + 2 * self.hidden * self.kv_width
        return attention + 3 * self.hidden * self.intermediate

    @property
    def layer_norm_weights(self) -> int:
        """Elements of the four norms of one layer of one branch."""
        return 2 * self.hidden + 2 * self.head_dim

    @property
    def branch_weights(self) -> int:
        """Elements of all layers of one branch (AR or NAR)."""
        return self.layers * (self.layer_linear_weights + self.layer_norm_weights)

    @property
    def boundary_weights(self) -> int:
        """Elements of final norm, vae2llm, llm2vae and time embedder: what NAR needs beside its layers."""
        latents = 2 * self.hidden * self.latent_dim + self.hidden + self.latent_dim
        time = self.hidden * TIME_WIDTH + self.hidden + self.hidden * self.hidden + self.hidden
        return self.hidden + latents + time

    @property
    def all_weights(self) -> int:
        """Elements of the whole transformer with both vocabulary matrices and the position table."""
        tables = 2 * self.vocab * self.hidden + self.max_latent_frames * self.hidden
        return 2 * self.branch_weights + tables + self.boundary_weights

    def kv_bytes(self, tokens: int, width: int = 2) -> int:
        """Keys and values of `tokens` tokens in all layers, `width` bytes an element."""
        return self.layers * 2 * self.kv_width * tokens * width

    def chunk_frames(self, frames: int, prefix: int) -> int:
        """Frames of the longest chunk of a song of `frames` behind `prefix` tokens (spec/yue2.md, section 4)."""
        size = min((self.context - prefix - 3) // 2, self.max_latent_frames)
        return max(1, min(frames, size))


RELEASED: Final = ModelShape()


def shape_from_config(mot: Mapping[str, object], vae: Mapping[str, object] | None = None) -> ModelShape:
    """The shape that the config.json of a model folder (and of a VAE folder) describes.

    Without `vae` the released decoder is taken. Raises Problem(MODEL_DAMAGED) naming the field that is
    missing or is not a positive whole number.
    """
    count = _Counts(mot, "the model's config.json")
    return ModelShape(
        hidden=count.of("hidden_size"),
        layers=count.of("num_hidden_layers"),
        heads=count.of("num_attention_heads"),
        kv_heads=count.of("num_key_value_heads"),
        head_dim=count.of("head_dim"),
        intermediate=count.of("intermediate_size"),
        vocab=count.of("vocab_size"),
        latent_dim=count.of("latent_dim"),
        context=count.of("max_position_embeddings"),
        max_latent_frames=count.of("max_latent_frames"),
        vae=VaeShape() if vae is None else _vae_shape(vae),
    )


def _vae_shape(config: Mapping[str, object]) -> VaeShape:
    where = "the VAE's config.json"
    decoder = config.get("decoder_config")
    if not isinstance(decoder, Mapping):
        raise _damaged(where, "decoder_config")
    count = _Counts(decoder, where)
    return VaeShape(
        channels=count.of("channels"),
        mults=count.all_of("c_mults"),
        strides=count.all_of("strides"),
        out_channels=count.of("out_channels"),
        latent_dim=count.of("latent_dim"),
    )


@dataclass(frozen=True)
class _Counts:
    """Positive whole numbers of a configuration, by name."""

    config: Mapping[str, object]
    where: str

    def of(self, name: str) -> int:
        value = self.config.get(name)
        if type(value) is not int or value < 1:
            raise _damaged(self.where, name)
        return value

    def all_of(self, name: str) -> tuple[int, ...]:
        values = self.config.get(name)
        if not isinstance(values, list | tuple) or not values:
            raise _damaged(self.where, name)
        return tuple(_Counts({name: value}, self.where).of(name) for value in values)


def _damaged(where: str, name: str) -> Problem:
    return Problem(
        ProblemKind.MODEL_DAMAGED,
        f"{where[:1].upper()}{where[1:]} has no usable {name}; copy the file from the model again.",
        field=name,
    )
