"""A model or a decoder in whatever form it lies on the disk: the released folder, a renamed file, or GGUF files."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.engine.config import read_model_config, read_vae_config
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles, open_model, open_vae
from yue2_desktop.engine.weights.gguf_config import config_from_shapes, vae_config_from_shapes
from yue2_desktop.engine.weights.gguf_folder import open_gguf, open_gguf_vae
from yue2_desktop.engine.weights.gguf_tokenizer import tokenizer_beside
from yue2_desktop.engine.weights.layout import check_layout, decoder_shapes, model_shapes
from yue2_desktop.engine.weights.safetensors_kind import SafetensorsKind, safetensors_kind
from yue2_desktop.engine.weights.safetensors_source import SafetensorsSource
from yue2_desktop.song.errors import Problem, ProblemKind


def open_model_at(path: Path) -> ModelFiles:
    """A GGUF, a folder with GGUF files, a checkpoint's folder or its one safetensors file under any name.

    Raises Problem that says what is missing, or what the file is instead.
    """
    if _is_gguf(path):
        return open_gguf(path)
    folder = _checkpoint_folder(path, SafetensorsKind.MODEL)
    return open_model(folder) if folder is not None else _open_renamed_model(path)


def open_vae_at(path: Path) -> VaeFiles:
    """As `open_model_at`, for the audio decoder."""
    if _is_gguf(path):
        return open_gguf_vae(path)
    folder = _checkpoint_folder(path, SafetensorsKind.VAE)
    return open_vae(folder) if folder is not None else _open_renamed_vae(path)


def _is_gguf(path: Path) -> bool:
    if path.is_dir():
        return not any(path.glob("model*.safetensors")) and any(path.glob("*.gguf"))
    return path.suffix.lower() == ".gguf"


def _checkpoint_folder(path: Path, wanted: SafetensorsKind) -> Path | None:
    """The folder to open; None for a file that stands by itself under another name."""
    if not path.is_file():
        return path
    if path.suffix.lower() != ".safetensors":
        raise Problem(
            ProblemKind.BAD_FILE,
            f"{path} is neither a GGUF nor a safetensors file. Choose a YuE2 GGUF or the folder of the checkpoint.",
            path=str(path),
        )
    kind, words = safetensors_kind(path)
    if kind is wanted:
        return path.parent if path.name == "model.safetensors" else None
    if kind is SafetensorsKind.SHARD and wanted is SafetensorsKind.MODEL:
        return path.parent
    raise Problem(
        ProblemKind.BAD_FILE,
        f"{path} is {words}, not the {wanted} of YuE2. Choose a YuE2 GGUF or the folder of the checkpoint.",
        path=str(path),
    )


def _open_renamed_model(path: Path) -> ModelFiles:
    source = SafetensorsSource((path,))
    beside = path.parent / "config.json"
    config = read_model_config(beside) if beside.is_file() else config_from_shapes(source)
    check_layout(source, model_shapes(config), "a YuE2 model")
    tokenizer = tokenizer_beside(path)
    if tokenizer is None:
        raise Problem(
            ProblemKind.MODEL_MISSING,
            f"Beside {path} there is no qwen.tiktoken (2.6 MB). Put the one that comes with YuE2-3B there.",
            path=str(path),
            missing=["qwen.tiktoken"],
        )
    others = (tokenizer, beside) if beside.is_file() else (tokenizer,)
    return ModelFiles(path.parent, config, source, Tokenizer.from_file(tokenizer), (path, *others))


def _open_renamed_vae(path: Path) -> VaeFiles:
    source = SafetensorsSource((path,))
    beside = path.parent / "config.json"
    config = read_vae_config(beside) if beside.is_file() else vae_config_from_shapes(source)
    folded = "decoder.layers.0.weight" in source.names()
    check_layout(source, decoder_shapes(config, folded=folded), "a YuE2 audio decoder")
    return VaeFiles(path.parent, config, source, (path, beside) if beside.is_file() else (path,))
