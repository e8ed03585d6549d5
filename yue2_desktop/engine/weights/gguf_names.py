"""From the tensor names of each GGUF layout to those of the released checkpoint (spec gguf, sections 2 to 4b)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

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
    LayerNames,
    layer_names,
)

#: Layout C, AR half: the names of a Qwen3 in llama.cpp.
_AR_NAMES = {"token_embd.weight": EMBEDDING, "output.weight": LM_HEAD, "output_norm.weight": FINAL_NORM}
#: Layout C, NAR half, outside the layers.
_NAR_NAMES = {
    "nar.latent_pos_embd.weight": POSITION_TABLE,
    **{
        f"nar.{ours}.{leaf}": f"{theirs}.{leaf}"
        for ours, theirs in (
            ("vae2llm", LATENT_IN),
            ("llm2vae", LATENT_OUT),
            ("time_embd.0", TIME_IN),
            ("time_embd.1", TIME_OUT),
        )
        for leaf in ("weight", "bias")
    },
}
_BLOCK = re.compile(r"blk\.(\d{1,4})\.(nar_)?(\w+)\.weight")
_PLACES = {
    "attn_norm": "input_norm",
    "ffn_norm": "mlp_norm",
    "attn_q": "q",
    "attn_k": "k",
    "attn_v": "v",
    "attn_output": "o",
    "attn_q_norm": "q_norm",
    "attn_k_norm": "k_norm",
    "ffn_gate": "gate",
    "ffn_up": "up",
    "ffn_down": "down",
}

#: Layout A's audio decoder: words for the positions in the checkpoint's sequences.
_DECODER_ENDS = {"conv1": 0, "snake1": 7, "conv2": 8}
_BLOCK_PARTS = {"snake1": 0, "conv_t1": 1, "res_unit1": 2, "res_unit2": 3, "res_unit3": 4}
_UNIT_PARTS = {"snake1": 0, "conv1": 1, "snake2": 2, "conv2": 3}
_DECODER_END = re.compile(r"decoder\.(conv1|snake1|conv2)\.(\w+)")
_DECODER_BLOCK = re.compile(r"decoder\.block\.(\d{1,2})\.(snake1|conv_t1|res_unit[123])(?:\.(\w+?))?\.(\w+)")

#: Layout B: what stands for a name that ggml cannot hold, and the namespaces of packed files.
_LONG_NAME = re.compile(r"_audiocpp\.(\d{1,6})")
_NAMESPACES = ("model_weights.", "vae_weights.")


def llama_names(names: Iterable[str]) -> dict[str, str]:
    """Layout C, either half of the transformer: checkpoint's name to the file's; names that mean nothing drop out."""
    found: dict[str, str] = {}
    for name in names:
        known = _AR_NAMES.get(name) or _NAR_NAMES.get(name) or _layer_name(name)
        if known is not None:
            found[known] = name
    return found


def _layer_name(name: str) -> str | None:
    match = _BLOCK.fullmatch(name)
    place = _PLACES.get(match[3]) if match else None
    if match is None or place is None:
        return None
    layer: LayerNames = layer_names(Branch.NAR if match[2] else Branch.AR, int(match[1]))
    return str(getattr(layer, place))


def worded_decoder_names(names: Iterable[str]) -> dict[str, str]:
    """Layout A's audio decoder: checkpoint's name to the file's. The encoder's tensors drop out: nothing uses them."""
    found: dict[str, str] = {}
    for name in names:
        known = _decoder_name(name)
        if known is not None:
            found[known] = name
    return found


def _decoder_name(name: str) -> str | None:
    if match := _DECODER_END.fullmatch(name):
        return f"decoder.layers.{_DECODER_ENDS[match[1]]}.{match[2]}"
    match = _DECODER_BLOCK.fullmatch(name)
    if match is None:
        return None
    number, part, unit, leaf = match.groups()
    root = f"decoder.layers.{int(number) + 1}.layers.{_BLOCK_PARTS[part]}"
    if unit is None:
        return f"{root}.{leaf}"
    return f"{root}.layers.{_UNIT_PARTS[unit]}.{leaf}" if unit in _UNIT_PARTS else None


def audiocpp_names(physical: Iterable[str], logical: Sequence[str]) -> dict[str, str]:
    """Layout B: checkpoint's name to the file's. Long names are numbered in the file; namespaces are dropped.

    `logical` is the file's list of true names; a number that it does not reach keeps its own.
    """
    found: dict[str, str] = {}
    for name in physical:
        match = _LONG_NAME.fullmatch(name)
        true_name = logical[int(match[1])] if match and int(match[1]) < len(logical) else name
        found[without_namespace(true_name)] = name
    return found


def without_namespace(name: str) -> str:
    """A name of layout B without the namespace of a packed file."""
    return next((name.removeprefix(space) for space in _NAMESPACES if name.startswith(space)), name)


def own_names(names: Iterable[str]) -> Mapping[str, str]:
    """Layouts that use the checkpoint's names."""
    return {name: name for name in names}
