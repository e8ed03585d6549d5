"""YuE2 in GGUF files: from a file or a folder to an opened model or decoder, or a list of all that is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.gguf_config import gguf_model_config, vae_config_from_shapes
from yue2_desktop.engine.weights.gguf_header import GgufHeader, read_gguf_header
from yue2_desktop.engine.weights.gguf_layouts import GgufLayout, Part, identify
from yue2_desktop.engine.weights.gguf_source import GgufSource
from yue2_desktop.engine.weights.gguf_tokenizer import has_tokenizer, sidecar, tokenizer_beside, tokenizer_within
from yue2_desktop.engine.weights.layout import Shape, check_layout, decoder_shapes, model_shapes
from yue2_desktop.song.errors import Problem, ProblemKind

_HALVES = frozenset({Part.AR, Part.NAR})
#: What a missing part is, as published, with its size.
_MISSING = {
    Part.AR: "the AR half (for instance yue2-ar-q8_0.gguf, 2.3 GB)",
    Part.NAR: "the NAR half (for instance yue2-nar-f16.gguf, 2.9 GB)",
    Part.VAE: "the audio decoder (for instance yue2-vae-f16.gguf, 0.3 GB)",
}
_MISSING_TOKENIZER = "the tokenizer (sidecars/yue2-qwen.tiktoken or qwen.tiktoken, 2.6 MB)"
_CONFIG_NAMES = ("yue2-model-config.json",)


@dataclass(frozen=True)
class GgufFile:
    """One GGUF whose header was read and whose layout is known."""

    header: GgufHeader
    layout: GgufLayout

    @property
    def path(self) -> Path:
        return self.header.path


def read_gguf_file(path: Path) -> GgufFile:
    """Raises Problem when the file is damaged or is no part of YuE2."""
    header = read_gguf_header(path)
    return GgufFile(header, identify(header))


def open_gguf(path: Path) -> ModelFiles:
    """Opens a GGUF, or the model that a folder holds, with what belongs to it.

    Raises Problem(MODEL_MISSING) that lists all that is missing at once, Problem(BAD_FILE) for a file that is
    something else or a folder with several models, Problem(MODEL_DAMAGED).
    """
    files = _model_files(path)
    missing = missing_parts(files, _HALVES)
    if missing:
        raise Problem(
            ProblemKind.MODEL_MISSING,
            f"{path} is no whole model, it lacks {', '.join(missing)}. Put what is missing beside it.",
            path=str(path),
            missing=missing,
        )
    parts = [(file.header, file.layout) for file in files]
    source = GgufSource(parts, str(path))
    beside = sidecar(files[0].path, _CONFIG_NAMES)
    config = gguf_model_config(files[-1].header, source, beside)
    shapes = model_shapes(config)
    source = GgufSource(parts, str(path), shapes)
    _check(source, shapes, "a YuE2 model")
    tokenizer, tokenizer_file = _tokenizer(files)
    others = [found for found in (tokenizer_file, beside) if found is not None]
    return ModelFiles(files[0].path.parent, config, source, tokenizer, (*(file.path for file in files), *others))


def open_gguf_vae(path: Path) -> VaeFiles:
    """Opens the audio decoder in a GGUF, or the one in a folder; F32 or F16, weight norm raw or folded.

    Raises Problem as `open_gguf` does.
    """
    if path.is_dir():
        found = [file for file in yue2_files(path) if Part.VAE in file.layout.parts]
        if not found:
            raise Problem(
                ProblemKind.MODEL_MISSING, f"The folder {path} lacks {_MISSING[Part.VAE]}. Choose another folder.",
                path=str(path), missing=[_MISSING[Part.VAE]],
            )  # fmt: skip
        file = _only(found, path, "audio decoders")
    else:
        file = read_gguf_file(path)
        if Part.VAE not in file.layout.parts:
            raise Problem(
                ProblemKind.BAD_FILE, f"{path} is the {_words(file)} of YuE2, not its audio decoder. "
                "Choose the VAE's GGUF.", path=str(path),
            )  # fmt: skip
    parts = [(file.header, file.layout)]
    source = GgufSource(parts)
    config = vae_config_from_shapes(source)
    shapes = decoder_shapes(config, folded="decoder.layers.0.weight" in source.names())
    source = GgufSource(parts, shapes=shapes)
    _check(source, shapes, "a YuE2 audio decoder")
    return VaeFiles(file.path.parent, config, source, (file.path,))


def yue2_files(folder: Path) -> list[GgufFile]:
    """The parts of YuE2 among the GGUF files of a folder, by name; files that are something else are left out."""
    found = []
    for path in sorted(folder.glob("*.gguf")):
        try:
            found.append(read_gguf_file(path))
        except Problem as problem:
            # Another model in the same folder is no fault of this one; a broken YuE2 file is.
            if problem.kind is not ProblemKind.BAD_FILE:
                raise
    return found


def missing_parts(files: Iterable[GgufFile], wanted: frozenset[Part]) -> list[str]:
    """Words for what of `wanted`, and of the tokenizer where a half of the model is there, the files do not bring."""
    files = list(files)
    present = frozenset(part for file in files for part in file.layout.parts)
    missing = [_MISSING[part] for part in Part if part in wanted and part not in present]
    tokenised = any(has_tokenizer(file.header) or tokenizer_beside(file.path) for file in files)
    if present & _HALVES and not tokenised:
        missing.append(_MISSING_TOKENIZER)
    return missing


def _model_files(path: Path) -> list[GgufFile]:
    """The file or files of one model, the AR half first."""
    if path.is_dir():
        files = [file for file in yue2_files(path) if file.layout.parts & _HALVES]
        if not files:
            raise Problem(
                ProblemKind.MODEL_MISSING,
                f"The folder {path} holds no GGUF of YuE2-3B. Choose the folder or the file of the model.",
                path=str(path),
            )
        whole = [file for file in files if file.layout.parts >= _HALVES]
        if whole:
            return [_only(whole, path, "models")]
        halves = [[file for file in files if part in file.layout.parts] for part in (Part.AR, Part.NAR)]
        return [_only(half, path, f"{part}s") for half, part in zip(halves, (Part.AR, Part.NAR), strict=True) if half]
    file = read_gguf_file(path)
    if file.layout.parts >= _HALVES:
        return [file]
    if not file.layout.parts & _HALVES:
        raise Problem(
            ProblemKind.BAD_FILE, f"{path} is the {_words(file)} of YuE2, not its model. Choose the model's GGUF.",
            path=str(path),
        )  # fmt: skip
    others = [other for other in yue2_files(path.parent) if _belongs(other, file)]
    pair = [file, _only(others, path.parent, "other halves")] if others else [file]
    return sorted(pair, key=lambda half: Part.AR not in half.layout.parts)


def _belongs(other: GgufFile, half: GgufFile) -> bool:
    """Whether `other` is the missing half of `half`: of the same checkpoint, where both say of which they are."""
    if not other.layout.parts & _HALVES or other.layout.parts & half.layout.parts:
        return False
    sums = [file.header.text("yue2.source_sha256") for file in (other, half)]
    return None in sums or sums[0] == sums[1]


def _only(files: list[GgufFile], folder: Path, what: str) -> GgufFile:
    if len(files) > 1:
        names = ", ".join(file.path.name for file in files)
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The folder {folder} holds {len(files)} {what}: {names}. Choose one of these files.",
            path=str(folder),
            files=[str(file.path) for file in files],
        )
    return files[0]


def _words(file: GgufFile) -> str:
    return " and ".join(part for part in Part if part in file.layout.parts)


def _check(source: GgufSource, shapes: dict[str, Shape], what: str) -> None:
    check_layout(source, shapes, what)
    for name in shapes:
        source.block_type(name)


def _tokenizer(files: list[GgufFile]) -> tuple[Tokenizer, Path | None]:
    for file in files:
        if has_tokenizer(file.header):
            return tokenizer_within(file.header), None
    for file in files:
        path = tokenizer_beside(file.path)
        if path is not None:
            return Tokenizer.from_file(path), path
    raise ValueError("a model without a tokenizer is not opened")
