"""Which of the published GGUF layouts a file is in, told by its header and tensor names, never by its own name.

Source: spec gguf, section 0. A file that is something else is named for what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from yue2_desktop.engine.weights.gguf_header import GgufHeader
from yue2_desktop.engine.weights.gguf_names import audiocpp_names, llama_names, own_names, worded_decoder_names
from yue2_desktop.engine.weights.layout import EMBEDDING, LM_HEAD, Branch, layer_names
from yue2_desktop.song.errors import Problem, ProblemKind

_VOCABULARY = 184_704


class Part(StrEnum):
    """What of YuE2 a file holds."""

    AR = "AR half"
    NAR = "NAR half"
    VAE = "audio decoder"


@dataclass(frozen=True)
class GgufLayout:
    """Layout letter A, B, C or D, the parts in the file, and the checkpoint's tensor names with the file's own."""

    letter: str
    parts: frozenset[Part]
    names: Mapping[str, str]


def identify(header: GgufHeader) -> GgufLayout:
    """The layout of a file. Raises Problem(BAD_FILE) that names what the file is if it is no part of YuE2."""
    architecture = header.text("general.architecture") or ""
    _refuse_relatives(header, architecture)
    letter, names = _named(header, architecture)
    parts = _parts(names)
    if not parts:
        raise _something_else(header, architecture)
    return GgufLayout(letter, parts, names)


def _named(header: GgufHeader, architecture: str) -> tuple[str, Mapping[str, str]]:
    tensors = header.tensors
    logical = header.strings("audiocpp.tensor_names")
    if logical is not None or architecture == "audiocpp":
        true_names = [name.decode("utf-8", errors="replace") for name in logical or []]
        return "B", audiocpp_names(tensors, true_names)
    if any(name.startswith("blk.") for name in tensors):
        if architecture != "yue2-nar" and not _is_yue2_llama(header):
            return "", {}
        return "C", llama_names(tensors)
    if any(name.startswith(("decoder.conv1.", "decoder.block.")) for name in tensors):
        return "A", worded_decoder_names(tensors)
    if any(key.startswith("yue2vae.") for key in header.values):
        return "C", own_names(tensors)
    worded_d = header.text("yue2.component") is not None or architecture == "yue2_vae"
    return "D" if worded_d else "A", own_names(tensors)


def _is_yue2_llama(header: GgufHeader) -> bool:
    """Whether a file of llama.cpp's names is a half of YuE2: by its vocabulary, or by NAR's own names."""
    if "blk.0.nar_attn_q.weight" in header.tensors:
        return True
    table = header.tensors.get("token_embd.weight")
    return table is not None and table.shape[:1] == (_VOCABULARY,)


def _parts(names: Mapping[str, str]) -> frozenset[Part]:
    signs = {
        Part.AR: {EMBEDDING, LM_HEAD, layer_names(Branch.AR, 0).q},
        Part.NAR: {layer_names(Branch.NAR, 0).q},
    }
    found = {part for part, needed in signs.items() if needed <= names.keys()}
    if {"decoder.layers.0.weight", "decoder.layers.0.weight_g"} & names.keys():
        found.add(Part.VAE)
    return frozenset(found)


def _refuse_relatives(header: GgufHeader, architecture: str) -> None:
    """Files of YuE2's family that are neither model nor decoder."""
    component = header.text("yue2.component") or ""
    if "lora" in architecture or component == "generation-adapter" or _has(header, ".lora_a", ".lora_A.weight"):
        raise _not_a_model(header, "a LoRA adapter, which changes a model and is none by itself")
    if "sheetsage" in architecture or component == "sheetsage2" or _keys(header, "sheetsage2."):
        raise _not_a_model(header, "SheetSage2, a transcriber from sound to scores")
    if "mert" in architecture:
        raise _not_a_model(header, "MERT, an encoder of sound that belongs to a transcriber")


def _something_else(header: GgufHeader, architecture: str) -> Problem:
    name = f" ({architecture})" if architecture else ""
    if "token_embd.weight" in header.tensors or _keys(header, "tokenizer.ggml."):
        return _not_a_model(header, f"a language model{name}")
    if not header.tensors:
        return _not_a_model(header, f"a GGUF without tensors{name}")
    return _not_a_model(header, f"a GGUF of something else{name}")


def _not_a_model(header: GgufHeader, what: str) -> Problem:
    return Problem(
        ProblemKind.BAD_FILE,
        f"{header.path} is {what}, not YuE2. Choose a YuE2-3B GGUF or the folder of the checkpoint.",
        path=str(header.path),
        what=what,
    )


def _has(header: GgufHeader, *endings: str) -> bool:
    return any(name.endswith(endings) for name in header.tensors)


def _keys(header: GgufHeader, prefix: str) -> bool:
    return any(key.startswith(prefix) for key in header.values)
