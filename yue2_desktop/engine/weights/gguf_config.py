"""Configurations of what GGUF files hold: from their own values where they have some, else from the tensors' shapes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from yue2_desktop.engine.config import (
    RELEASED_MODEL,
    RELEASED_VAE,
    ModelConfig,
    VaeConfig,
    model_config,
    read_model_config,
)
from yue2_desktop.engine.tokens import VOCABULARY_NEEDED
from yue2_desktop.engine.weights.gguf_embedded import embedded_files
from yue2_desktop.engine.weights.gguf_header import GgufHeader
from yue2_desktop.engine.weights.layout import EMBEDDING, LATENT_IN, POSITION_TABLE, Branch, layer_names
from yue2_desktop.engine.weights.source import TensorSource
from yue2_desktop.song.errors import Problem, ProblemKind

#: Where layouts A and D keep the checkpoint's config.json.
_CONFIG_KEYS = ("yue2.config_json", "yue2.config")


def gguf_model_config(header: GgufHeader, source: TensorSource, beside: Path | None) -> ModelConfig:
    """The config.json within the file (A, D, packed B) or `beside` it (B), else shapes and the released constants.

    Raises Problem when the configuration, or the shapes, are not those of a YuE2.
    """
    for key in _CONFIG_KEYS:
        text = header.text(key)
        if text is not None:
            return model_config(_parsed(text, f"{header.path}, {key}"), f"{header.path}, {key}")
    for name, data in embedded_files(header).items():
        if name.endswith("model-config.json"):
            text = data.decode("utf-8", errors="replace")
            return model_config(_parsed(text, f"{header.path}, {name}"), f"{header.path}, {name}")
    if beside is not None:
        return read_model_config(beside)
    return replace(
        config_from_shapes(source),
        rms_eps=_nar_value(header, "attention.layer_norm_rms_epsilon", RELEASED_MODEL.rms_eps),
        rope_theta=_nar_value(header, "rope.freq_base", RELEASED_MODEL.rope_theta),
        timestep_shift=_nar_value(header, "timestep_shift", RELEASED_MODEL.timestep_shift),
    )


def _parsed(text: str, where: str) -> Mapping[str, object]:
    try:
        values = json.loads(text)
    except ValueError as error:
        raise _damaged(where, "no readable JSON") from error
    if not isinstance(values, dict):
        raise _damaged(where, "no JSON object")
    return values


def config_from_shapes(source: TensorSource) -> ModelConfig:
    """The released constants in the sizes that the tensors have. Raises Problem when they are not those of a YuE2."""
    names = layer_names(Branch.AR, 0)
    needed = (EMBEDDING, names.q, names.k, names.q_norm, names.gate, f"{LATENT_IN}.weight")
    present = source.names()
    missing = [name for name in needed if name not in present]
    if missing:
        raise Problem(
            ProblemKind.MODEL_DAMAGED, f"{source.where} lacks tensor '{missing[0]}'. Fetch the file again.",
            tensor=missing[0],
        )  # fmt: skip
    vocabulary, hidden = _matrix(source, EMBEDDING)
    head_dim = source.shape(names.q_norm)[-1]
    layers = 0
    while layer_names(Branch.AR, layers).q in present:
        layers += 1
    if vocabulary < VOCABULARY_NEEDED:
        raise _damaged(source.where, f"a vocabulary of {vocabulary:,}, where {VOCABULARY_NEEDED:,} are needed")
    q_width, kv_width = _matrix(source, names.q)[0], _matrix(source, names.k)[0]
    if q_width % head_dim or kv_width % head_dim or not kv_width or q_width % kv_width:
        raise _damaged(source.where, f"heads of {head_dim} in projections of {q_width} and {kv_width}")
    return replace(
        RELEASED_MODEL,
        hidden_size=hidden,
        layers=layers,
        heads=q_width // head_dim,
        kv_heads=kv_width // head_dim,
        head_dim=head_dim,
        intermediate_size=_matrix(source, names.gate)[0],
        vocab_size=vocabulary,
        latent_dim=_matrix(source, f"{LATENT_IN}.weight")[1],
        max_latent_frames=_matrix(source, POSITION_TABLE)[0] if POSITION_TABLE in present else 24_576,
    )


def _matrix(source: TensorSource, name: str) -> tuple[int, int]:
    shape = source.shape(name)
    if len(shape) != 2:
        raise _damaged(source.where, f"tensor '{name}' in the shape {list(shape)}")
    return shape[0], shape[1]


def _nar_value(header: GgufHeader, key: str, released: float) -> float:
    """What the NAR file of layout C says and no shape shows; the released value where it says nothing."""
    value = header.values.get(f"yue2nar.{key}")
    if not isinstance(value, float) or not math.isfinite(value) or value <= 0:
        return released
    # The file holds float32, in which 1e-6 is 9.99999997e-7.
    return float(f"{value:.6g}")


def vae_config_from_shapes(source: TensorSource) -> VaeConfig:
    """The decoder's shapes from its tensors; the rates and tiles are those of the release in every layout."""
    present = source.names()
    first = _kernel(source, "decoder.layers.0")
    widths, strides = [first[0]], []
    number = 1
    while f"decoder.layers.{number}.layers.1.bias" in present:
        wide, narrow, kernel = _kernel(source, f"decoder.layers.{number}.layers.1")
        if wide != widths[-1] or kernel < 2 or kernel % 2:
            raise _damaged(source.where, f"an upsampling {number} of shape {[wide, narrow, kernel]}")
        widths.append(narrow)
        strides.append(kernel // 2)
        number += 1
    last = _kernel(source, f"decoder.layers.{number + 1}")
    # The last two widths are equal: the innermost multiple is 1.
    channels = widths[-1]
    inner = widths[:-1][::-1]
    if not strides or any(width % channels for width in inner):
        raise _damaged(source.where, f"widths {widths}")
    return replace(
        RELEASED_VAE,
        channels=channels,
        c_mults=tuple(width // channels for width in inner),
        strides=tuple(reversed(strides)),
        latent_dim=first[1],
        audio_channels=last[0],
        downsampling_ratio=math.prod(strides),
    )


def _kernel(source: TensorSource, name: str) -> tuple[int, int, int]:
    present = source.names()
    stored = next((f"{name}.{leaf}" for leaf in ("weight", "weight_v") if f"{name}.{leaf}" in present), None)
    if stored is None:
        raise _damaged(source.where, f"no tensor '{name}.weight'")
    shape = source.shape(stored)
    if len(shape) != 3:
        raise _damaged(source.where, f"tensor '{stored}' in the shape {list(shape)}")
    return shape[0], shape[1], shape[2]


def _damaged(where: str, what: str) -> Problem:
    return Problem(
        ProblemKind.MODEL_DAMAGED, f"{where} is not a whole YuE2: it holds {what}. Fetch the file again.", where=where
    )
