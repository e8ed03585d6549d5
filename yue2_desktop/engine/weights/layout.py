"""All knowledge of tensor names: what a checkpoint of the released layout holds, and in which shapes.

Source: spec yue2, section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from yue2_desktop.engine.config import ModelConfig, VaeConfig
from yue2_desktop.engine.weights.source import TensorSource
from yue2_desktop.song.errors import Problem, ProblemKind

Shape = tuple[int, ...]

EMBEDDING = "model.embed_tokens.weight"
FINAL_NORM = "model.norm.weight"
LM_HEAD = "lm_head.weight"
LATENT_IN = "vae2llm"
LATENT_OUT = "llm2vae"
TIME_IN = "time_embedder.mlp.0"
TIME_OUT = "time_embedder.mlp.2"
POSITION_TABLE = "latent_pos_embed.pe"
#: Frequencies of the time embedding: the input of its first linear is twice as wide.
TIME_FREQUENCIES = 128


class Branch(StrEnum):
    """The two halves that share one stack of layers."""

    AR = "ar"
    NAR = "nar"


@dataclass(frozen=True)
class LayerNames:
    """The tensor names of one layer of one branch."""

    input_norm: str
    mlp_norm: str
    q: str
    k: str
    v: str
    o: str
    q_norm: str
    k_norm: str
    gate: str
    up: str
    down: str


def layer_names(branch: Branch, index: int) -> LayerNames:
    """The names in layer `index`; note that the norms before the MLP are not named alike."""
    root = f"model.layers.{index}."
    half = root if branch is Branch.AR else f"{root}nar_"
    mlp_norm = "post_attention_layernorm" if branch is Branch.AR else "pre_mlp_layernorm"
    return LayerNames(
        input_norm=f"{half}input_layernorm.weight",
        mlp_norm=f"{half}{mlp_norm}.weight",
        q=f"{half}self_attn.q_proj.weight",
        k=f"{half}self_attn.k_proj.weight",
        v=f"{half}self_attn.v_proj.weight",
        o=f"{half}self_attn.o_proj.weight",
        q_norm=f"{half}self_attn.q_norm.weight",
        k_norm=f"{half}self_attn.k_norm.weight",
        gate=f"{half}mlp.gate_proj.weight",
        up=f"{half}mlp.up_proj.weight",
        down=f"{half}mlp.down_proj.weight",
    )


def layer_shapes(config: ModelConfig, branch: Branch, index: int) -> dict[str, Shape]:
    """Name to shape of one layer of one branch; linear weights are [out, in], without biases."""
    names = layer_names(branch, index)
    hidden, wide = config.hidden_size, config.intermediate_size
    return {
        names.input_norm: (hidden,),
        names.mlp_norm: (hidden,),
        names.q: (config.q_width, hidden),
        names.k: (config.kv_width, hidden),
        names.v: (config.kv_width, hidden),
        names.o: (hidden, config.q_width),
        names.q_norm: (config.head_dim,),
        names.k_norm: (config.head_dim,),
        names.gate: (wide, hidden),
        names.up: (wide, hidden),
        names.down: (hidden, wide),
    }


def model_shapes(config: ModelConfig) -> dict[str, Shape]:
    """Name to shape of a whole checkpoint, but for the position table, which may be absent (it is a formula)."""
    hidden = config.hidden_size
    shapes: dict[str, Shape] = {
        EMBEDDING: (config.vocab_size, hidden),
        FINAL_NORM: (hidden,),
        LM_HEAD: (config.vocab_size, hidden),
        f"{LATENT_IN}.weight": (hidden, config.latent_dim),
        f"{LATENT_IN}.bias": (hidden,),
        f"{LATENT_OUT}.weight": (config.latent_dim, hidden),
        f"{LATENT_OUT}.bias": (config.latent_dim,),
        f"{TIME_IN}.weight": (hidden, 2 * TIME_FREQUENCIES),
        f"{TIME_IN}.bias": (hidden,),
        f"{TIME_OUT}.weight": (hidden, hidden),
        f"{TIME_OUT}.bias": (hidden,),
    }
    for index in range(config.layers):
        for branch in Branch:
            shapes.update(layer_shapes(config, branch, index))
    return shapes


def decoder_shapes(config: VaeConfig, *, folded: bool = False) -> dict[str, Shape]:
    """Name to shape of the audio decoder's stored tensors (spec yue2, section 2.2).

    Weight norm is stored raw, as `weight_g` and `weight_v`, or `folded` into `weight`, as in some GGUF files.
    """
    shapes: dict[str, Shape] = {}

    def convolution(name: str, weight: Shape, *, outputs: int | None) -> None:
        if folded:
            shapes[f"{name}.weight"] = weight
        else:
            shapes[f"{name}.weight_v"] = weight
            shapes[f"{name}.weight_g"] = (weight[0], 1, 1)
        if outputs is not None:
            shapes[f"{name}.bias"] = (outputs,)

    def snake(name: str, channels: int) -> None:
        shapes[f"{name}.alpha"] = shapes[f"{name}.beta"] = (channels,)

    widths = [config.channels * mult for mult in reversed(config.c_mults)]
    outputs = [*widths[1:], config.channels]
    convolution("decoder.layers.0", (widths[0], config.latent_dim, 7), outputs=widths[0])
    for number, (wide, narrow, stride) in enumerate(zip(widths, outputs, reversed(config.strides), strict=True), 1):
        block = f"decoder.layers.{number}.layers"
        snake(f"{block}.0", wide)
        convolution(f"{block}.1", (wide, narrow, 2 * stride), outputs=narrow)
        for unit in (2, 3, 4):
            snake(f"{block}.{unit}.layers.0", narrow)
            convolution(f"{block}.{unit}.layers.1", (narrow, narrow, 7), outputs=narrow)
            snake(f"{block}.{unit}.layers.2", narrow)
            convolution(f"{block}.{unit}.layers.3", (narrow, narrow, 1), outputs=narrow)
    last = len(widths) + 1
    snake(f"decoder.layers.{last}", config.channels)
    convolution(f"decoder.layers.{last + 1}", (config.audio_channels, config.channels, 7), outputs=None)
    return shapes


def check_layout(source: TensorSource, shapes: Mapping[str, Shape], what: str) -> None:
    """Raises Problem that names tensors which are missing or have another shape; extra ones are left alone."""
    present = source.names()
    missing = [name for name in shapes if name not in present]
    if missing:
        raise Problem(
            ProblemKind.MODEL_DAMAGED,
            f"{source.where} is not {what}: {_listed(missing)} missing. "
            "Check that config.json and the weights belong together.",
            missing=missing[:20],
        )
    for name, shape in shapes.items():
        found = source.shape(name)
        if found != shape:
            raise Problem(
                ProblemKind.MODEL_DAMAGED,
                f"{source.where} is not {what}: tensor '{name}' is {list(found)}, "
                f"its config.json asks for {list(shape)}. "
                "Check that config.json and the weights belong together.",
                tensor=name,
            )


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return f"tensor '{names[0]}' is"
    shown = ", ".join(f"'{name}'" for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"tensors {shown}{more} are"
