"""What a model folder, a decoder folder or a safetensors file holds, from its headers alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from yue2_desktop.cli.inspected import Inspected, file_fact
from yue2_desktop.cli.sizes import in_bytes, in_parameters
from yue2_desktop.engine.config import RELEASED_MODEL, RELEASED_VAE
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles, open_model, open_vae
from yue2_desktop.engine.weights.layout import EMBEDDING, LM_HEAD
from yue2_desktop.engine.weights.safetensors_header import TensorEntry, read_header
from yue2_desktop.library.reading import bad_file
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.textfile import read_json
from yue2_desktop.song.wording import path_text

_DECODER = "decoder.layers.0.weight_v"
_ENCODER = "encoder.layers.0.weight_v"
_NAR = "model.layers.0.nar_self_attn.q_proj.weight"
_AR = "model.layers.0.self_attn.q_proj.weight"


def weights_folder(place: Path, *, hashes: bool) -> Inspected:
    """The folder of a model or a decoder. What keeps it from being used stands in `problems`."""
    kind, facts, problems = _folder_kind(place)
    entries: dict[str, TensorEntry] = {}
    weights = sorted(place.glob("*.safetensors"))
    for path in weights:
        try:
            entries.update(read_header(path))
        except Problem as problem:
            if problem.sentence not in problems:
                problems.append(problem.sentence)
    files = [path for path in sorted(place.iterdir()) if path.is_file()]
    return Inspected(
        path_text(place),
        kind,
        (*facts, *_tensor_facts(entries)),
        tuple(file_fact(path, hashes=hashes) for path in files),
        _tensor_details(entries),
        tuple(problems),
    )


def weights_file(path: Path, *, hashes: bool) -> Inspected:
    """One safetensors file; Problem when it is damaged."""
    entries = read_header(path)
    return Inspected(
        path_text(path),
        _file_kind(entries),
        _tensor_facts(entries),
        (file_fact(path, hashes=hashes),),
        _tensor_details(entries),
    )


def _folder_kind(place: Path) -> tuple[str, list[tuple[str, str]], list[str]]:
    config = place / "config.json"
    if not config.is_file():
        return "weights without their config.json", [], [f"{path_text(config)} is missing; the weights need it."]
    try:
        values = read_json(config, "model configuration")
    except Problem as problem:
        return "a model folder with a damaged config.json", [], [problem.sentence]
    model_type = values.get("model_type") if isinstance(values, dict) else None
    if model_type not in {"yue2", "yue2_vae"}:
        raise bad_file(place, f"holds the model of another program (model_type {model_type!r})")
    try:
        return _described(open_model(place) if model_type == "yue2" else open_vae(place))
    except Problem as problem:
        name = "a YuE2 model" if model_type == "yue2" else "a YuE2 audio decoder"
        return f"{name} that cannot be used", [], [problem.sentence]


def _described(found: ModelFiles | VaeFiles) -> tuple[str, list[tuple[str, str]], list[str]]:
    if isinstance(found, VaeFiles):
        vae = found.config
        released = "the released size" if vae == RELEASED_VAE else "not the released size"
        sound = f"{vae.sample_rate:,} samples a second, {vae.audio_channels} channels, {vae.latent_dim} latents"
        return f"a YuE2 audio decoder ({released}), whole", [("sound", sound)], []
    config = found.config
    released = "YuE2-3B, the released size" if config == RELEASED_MODEL else "not the released size"
    shape = f"{config.layers} layers of {config.hidden_size}, {config.heads} heads over {config.kv_heads}"
    context = f"{config.context:,} tokens"
    return f"a YuE2 model ({released}), whole", [("shape", shape), ("context", context)], []


def _file_kind(entries: Mapping[str, TensorEntry]) -> str:
    halves = [name for name, key in (("AR", _AR), ("NAR", _NAR)) if key in entries]
    if halves:
        vocabulary = EMBEDDING in entries or LM_HEAD in entries
        return f"weights of a YuE2 model: {' and '.join(halves)}{', vocabulary' if vocabulary else ''}"
    if EMBEDDING in entries or LM_HEAD in entries:
        return "weights of a YuE2 model: vocabulary"
    parts = [name for name, key in (("decoder", _DECODER), ("encoder", _ENCODER)) if key in entries]
    if parts:
        return f"weights of a YuE2 audio {' and '.join(parts)}"
    return "weights of another program, or a shard in the middle of a model"


def _tensor_facts(entries: Mapping[str, TensorEntry]) -> tuple[tuple[str, str], ...]:
    if not entries:
        return ()
    types = Counter[str]()
    for entry in entries.values():
        types[entry.dtype] += entry.nbytes
    shares = ", ".join(f"{dtype} {in_bytes(count)}" for dtype, count in types.most_common())
    return (("tensors", f"{len(entries):,}"), ("parameters", in_parameters(_parameters(entries))), ("types", shares))


def _tensor_details(entries: Mapping[str, TensorEntry]) -> dict[str, object]:
    return {
        "tensors": len(entries),
        "parameters": _parameters(entries),
        "bytes": sum(entry.nbytes for entry in entries.values()),
        "dtypes": dict(Counter(entry.dtype for entry in entries.values())),
    }


def _parameters(entries: Mapping[str, TensorEntry]) -> int:
    return sum(math.prod(entry.shape) for entry in entries.values())
