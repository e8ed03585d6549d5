"""What a safetensors file is, by its header: a part of YuE2 as released, or one of the forms that others made of it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from yue2_desktop.engine.weights.layout import EMBEDDING, Branch, layer_names
from yue2_desktop.engine.weights.safetensors_header import read_header, read_metadata


class SafetensorsKind(StrEnum):
    """MODEL and VAE can be used; SHARD is a part of a model in several files."""

    MODEL = "model"
    SHARD = "shard"
    VAE = "audio decoder"
    OTHER = "other"


def safetensors_kind(path: Path) -> tuple[SafetensorsKind, str]:
    """What a file is, and that in words. Raises Problem when it is damaged. Source: spec gguf, section 5."""
    entries = read_header(path)
    names = entries.keys()
    metadata = read_metadata(path)
    dtypes = {entry.dtype for entry in entries.values()}
    if metadata.get("format", "").startswith("yue2-prequantized") or any(name.endswith(".scales") for name in names):
        return SafetensorsKind.OTHER, "a pack of 4- or 8-bit weights for MLX (Apple)"
    if any("lora_" in name for name in names):
        return SafetensorsKind.OTHER, "a LoRA adapter, which changes a model and is none by itself"
    if any("convrot" in text for text in (*metadata, *metadata.values(), *names)) or "I8" in dtypes:
        return SafetensorsKind.OTHER, "an 8-bit checkpoint for ComfyUI (int8 with rotated weights)"
    whole = {EMBEDDING, layer_names(Branch.AR, 0).q, layer_names(Branch.NAR, 0).q}
    if whole <= names:
        return SafetensorsKind.MODEL, f"YuE2 as released, {_dtypes(dtypes)}"
    if any(".nar_self_attn." in name for name in names) and path.name.startswith("model-"):
        return SafetensorsKind.SHARD, f"YuE2 as released, in several files, {_dtypes(dtypes)}"
    if {"decoder.layers.0.weight_v", "decoder.layers.0.weight"} & names:
        return SafetensorsKind.VAE, f"YuE2-Vae, {_dtypes(dtypes)}"
    if any("sheetsage" in text.lower() for text in (*metadata.values(), path.name)):
        return SafetensorsKind.OTHER, "SheetSage2, a transcriber from sound to scores"
    return SafetensorsKind.OTHER, "a safetensors file of something else"


def _dtypes(dtypes: set[str]) -> str:
    return ", ".join(sorted(dtypes))
