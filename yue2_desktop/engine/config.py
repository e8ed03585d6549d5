"""The shapes of a checkpoint, read from its `config.json`: any size in the released layout, not only 3B."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.engine.tokens import VOCABULARY_NEEDED
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.textfile import read_json


@dataclass(frozen=True)
class ModelConfig:
    """Shapes and constants of the two-branch transformer (spec yue2, section 1)."""

    hidden_size: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate_size: int
    vocab_size: int
    rms_eps: float
    rope_theta: float
    context: int
    latent_dim: int
    max_latent_frames: int
    timestep_shift: float

    @property
    def group(self) -> int:
        """Query heads that read one KV head."""
        return self.heads // self.kv_heads

    @property
    def kv_width(self) -> int:
        return self.kv_heads * self.head_dim

    @property
    def q_width(self) -> int:
        return self.heads * self.head_dim


@dataclass(frozen=True)
class VaeConfig:
    """Shapes of the audio decoder (spec yue2, sections 1 and 2.2)."""

    channels: int
    c_mults: tuple[int, ...]
    strides: tuple[int, ...]
    latent_dim: int
    audio_channels: int
    sample_rate: int
    downsampling_ratio: int
    core_frames: int
    halo_frames: int


RELEASED_MODEL = ModelConfig(
    hidden_size=2048,
    layers=28,
    heads=16,
    kv_heads=8,
    head_dim=128,
    intermediate_size=6144,
    vocab_size=184_704,
    rms_eps=1e-6,
    rope_theta=1e6,
    context=24_576,
    latent_dim=64,
    max_latent_frames=24_576,
    timestep_shift=1.0,
)

RELEASED_VAE = VaeConfig(
    channels=64,
    c_mults=(1, 2, 4, 8, 16, 32),
    strides=(2, 2, 4, 4, 5, 6),
    latent_dim=64,
    audio_channels=2,
    sample_rate=48_000,
    downsampling_ratio=1920,
    core_frames=1024,
    halo_frames=16,
)


class _Fields:
    """One JSON object with the sentence for each field that is missing or wrong."""

    def __init__(self, values: Mapping[str, object], where: str) -> None:
        self._values = values
        self._where = where

    def wrong(self, key: str, wanted: str) -> Problem:
        found = f"found {self._values[key]!r}" if key in self._values else "it is missing"
        return Problem(
            ProblemKind.MODEL_DAMAGED,
            f"{self._where}: '{key}' must be {wanted}, {found}. Take the config.json that belongs to these weights.",
            key=key,
        )

    def count(self, key: str, default: int | None = None) -> int:
        value = self._values.get(key, default)
        if type(value) is not int or not 1 <= value <= 1 << 24:
            raise self.wrong(key, "a positive whole number")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
            raise self.wrong(key, "a positive number")
        return float(value)

    def counts(self, key: str) -> tuple[int, ...]:
        value = self._values.get(key)
        if not isinstance(value, list) or not value:
            raise self.wrong(key, "a list of positive whole numbers")
        if any(type(item) is not int or not 1 <= item <= 4096 for item in value):
            raise self.wrong(key, "a list of positive whole numbers")
        return tuple(value)

    def must_be(self, key: str, *allowed: object) -> None:
        if self._values.get(key, allowed[0]) not in allowed:
            raise self.wrong(key, " or ".join(repr(value) for value in allowed))

    def section(self, key: str) -> _Fields:
        value = self._values.get(key)
        if not isinstance(value, dict):
            raise self.wrong(key, "an object")
        return _Fields(value, f"{self._where}, {key}")


def model_config(values: Mapping[str, object], where: str) -> ModelConfig:
    """The model's shapes from a parsed config.json; `where` names it in sentences. Raises Problem."""
    fields = _Fields(values, where)
    fields.must_be("model_type", "yue2")
    fields.must_be("tie_word_embeddings", False)
    fields.must_be("latent_type", "vae")
    config = ModelConfig(
        hidden_size=fields.count("hidden_size"),
        layers=fields.count("num_hidden_layers"),
        heads=fields.count("num_attention_heads"),
        kv_heads=fields.count("num_key_value_heads"),
        head_dim=fields.count("head_dim"),
        intermediate_size=fields.count("intermediate_size"),
        vocab_size=fields.count("vocab_size"),
        rms_eps=fields.number("rms_norm_eps", 1e-6),
        rope_theta=fields.number("rope_theta", 1e6),
        context=fields.count("max_position_embeddings"),
        latent_dim=fields.count("latent_dim"),
        max_latent_frames=fields.count("max_latent_frames"),
        timestep_shift=fields.number("timestep_shift", 1.0),
    )
    if config.heads % config.kv_heads:
        raise fields.wrong("num_key_value_heads", f"a divisor of the {config.heads} attention heads")
    if config.head_dim % 2:
        raise fields.wrong("head_dim", "even (rotary positions turn pairs)")
    if config.vocab_size < VOCABULARY_NEEDED:
        raise fields.wrong("vocab_size", f"at least {VOCABULARY_NEEDED} (text, markers and codec tokens)")
    return config


def vae_config(values: Mapping[str, object], where: str) -> VaeConfig:
    """The decoder's shapes from a parsed config.json of a VAE folder. Raises Problem."""
    fields = _Fields(values, where)
    fields.must_be("model_type", "yue2_vae")
    decoder = fields.section("decoder_config")
    for key in ("use_filter", "antialias_activation", "use_nearest_upsample", "final_tanh"):
        decoder.must_be(key, False)
    decoder.must_be("use_snake", True)
    decoder.must_be("snake_type", "vanilla")
    config = VaeConfig(
        channels=decoder.count("channels"),
        c_mults=decoder.counts("c_mults"),
        strides=decoder.counts("strides"),
        latent_dim=fields.count("latent_dim"),
        audio_channels=fields.count("audio_channels"),
        sample_rate=fields.count("sample_rate"),
        downsampling_ratio=fields.count("downsampling_ratio"),
        core_frames=fields.count("decode_core_frames", 1024),
        halo_frames=fields.count("decode_halo_frames", 16),
    )
    if len(config.c_mults) != len(config.strides):
        raise decoder.wrong("strides", f"{len(config.c_mults)} numbers, one for each of c_mults")
    if math.prod(config.strides) != config.downsampling_ratio:
        raise fields.wrong("downsampling_ratio", f"the product of the strides, {math.prod(config.strides)}")
    if decoder.count("latent_dim") != config.latent_dim:
        raise decoder.wrong("latent_dim", f"{config.latent_dim}, as outside")
    if decoder.count("out_channels") != config.audio_channels:
        raise decoder.wrong("out_channels", f"{config.audio_channels}, as audio_channels")
    return config


def read_model_config(path: Path) -> ModelConfig:
    """`model_config` of a file. Raises Problem."""
    return model_config(_object(path), str(path))


def read_vae_config(path: Path) -> VaeConfig:
    """`vae_config` of a file. Raises Problem."""
    return vae_config(_object(path), str(path))


def _object(path: Path) -> Mapping[str, object]:
    values = read_json(path, "model configuration")
    if not isinstance(values, dict):
        raise Problem(ProblemKind.MODEL_DAMAGED, f"{path}: a JSON object is expected here, not a list or a value.")
    return values
