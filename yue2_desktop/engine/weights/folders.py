"""A model folder and a decoder folder: found, checked whole, opened; no tensor is read yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.engine.config import ModelConfig, VaeConfig, read_model_config, read_vae_config
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.layout import check_layout, decoder_shapes, model_shapes
from yue2_desktop.engine.weights.safetensors_source import SafetensorsSource, checkpoint_files
from yue2_desktop.engine.weights.source import TensorSource
from yue2_desktop.song.errors import Problem, ProblemKind


@dataclass(frozen=True)
class ModelFiles:
    """An opened model: shapes, tensors by name, tokenizer, and the files that they come from."""

    folder: Path
    config: ModelConfig
    source: TensorSource
    tokenizer: Tokenizer
    files: tuple[Path, ...]


@dataclass(frozen=True)
class VaeFiles:
    """An opened audio decoder."""

    folder: Path
    config: VaeConfig
    source: TensorSource
    files: tuple[Path, ...]


def open_model(folder: Path) -> ModelFiles:
    """Opens config.json, qwen.tiktoken and the weights of a folder and checks every name and shape.

    Raises Problem(MODEL_MISSING) that lists all that is missing at once, or Problem(MODEL_DAMAGED).
    """
    _require(folder, ("config.json", "qwen.tiktoken"), "model", "the YuE2-3B checkpoint")
    config = read_model_config(folder / "config.json")
    source = SafetensorsSource(checkpoint_files(folder), str(folder))
    check_layout(source, model_shapes(config), "a YuE2 model")
    tokenizer = Tokenizer.from_file(folder / "qwen.tiktoken")
    return ModelFiles(
        folder, config, source, tokenizer, (folder / "config.json", folder / "qwen.tiktoken", *source.files)
    )


def open_vae(folder: Path) -> VaeFiles:
    """Opens config.json and the weights of a decoder folder; fp32 only, as the reference. Raises Problem."""
    _require(folder, ("config.json",), "audio decoder", "the YuE2-Vae folder")
    config = read_vae_config(folder / "config.json")
    source = SafetensorsSource(checkpoint_files(folder), str(folder))
    shapes = decoder_shapes(config)
    check_layout(source, shapes, "a YuE2 audio decoder")
    for name in shapes:
        if source.entry(name).dtype != "F32":
            raise Problem(
                ProblemKind.MODEL_DAMAGED,
                f"{folder}: tensor '{name}' is {source.entry(name).dtype}, the audio decoder is F32. "
                "Take the model.safetensors of YuE2-Vae as it was published.",
                tensor=name,
            )
    return VaeFiles(folder, config, source, (folder / "config.json", *source.files))


def _require(folder: Path, names: tuple[str, ...], what: str, cure: str) -> None:
    if not folder.is_dir():
        raise Problem(
            ProblemKind.MODEL_MISSING, f"The {what} folder {folder} does not exist. Choose {cure}.", folder=str(folder)
        )
    missing = [name for name in names if not (folder / name).is_file()]
    if not (folder / "model.safetensors").is_file() and not list(folder.glob("model-*-of-*.safetensors")):
        missing.append("model.safetensors")
    if missing:
        raise Problem(
            ProblemKind.MODEL_MISSING,
            f"The {what} folder {folder} lacks {', '.join(missing)}. Choose {cure}, whole.",
            folder=str(folder),
            missing=missing,
        )
