"""The built-in test model: folders of the released layout, made from a few megabytes of resources."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yue2_desktop.paths import resources

if TYPE_CHECKING:
    from torch import Tensor

#: Number of ordinary ranks in a `qwen.tiktoken` (spec/yue2.md, section 6).
_RANKS = 151_643
_RECORD = "test-model.json"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class TestModel:
    """The two folders of a materialised test model, as `--model` and `--vae` take them."""

    __test__ = False  # pytest would take the name for a test class

    model_dir: Path
    vae_dir: Path


def materialise(folder: Path, *, source: Path | None = None) -> TestModel:
    """Write the test model below `folder`, or leave it as it is where it is already whole.

    `folder/model` gets config.json, model.safetensors (the 78 tensors of the released layout, BF16, 97 MB)
    and qwen.tiktoken; `folder/vae` gets config.json and model.safetensors (FP32). `folder/test-model.json`
    records size and sha256 of each, with the hash of what they were made from: a file that no longer agrees
    is made again. Every file appears under its name only when it is complete. `source` stands in for the
    packaged resources.

    The rules are those of the golden vectors (goldens/README.md, "Materialise"), so that what the tests
    compute and what a user tries are the same weights. Raises OSError where the folder cannot be written.
    """
    source = source or resources() / "test-model"
    makers: dict[str, Callable[[Path], None]] = {
        "model/config.json": lambda path: _copy(source / "mot" / "config.json", path),
        "model/model.safetensors": lambda path: _write_weights(source / "mot", path),
        "model/qwen.tiktoken": lambda path: _write_tokenizer(source / "tokenizer_merges.json", path),
        "vae/config.json": lambda path: _copy(source / "vae" / "config.json", path),
        "vae/model.safetensors": lambda path: _copy(source / "vae" / "model.safetensors", path),
    }
    origin = _origin(source)
    recorded = _recorded(folder / _RECORD, origin)
    written = {
        name: recorded[name] if _is_whole(folder / name, recorded.get(name)) else _make(folder / name, maker)
        for name, maker in makers.items()
    }
    if written != recorded:
        record = {"made_from_sha256": origin, "files": written}
        _make(folder / _RECORD, lambda path: _write_text(path, json.dumps(record, indent=2) + "\n"))
    return TestModel(folder / "model", folder / "vae")


def _recorded(path: Path, origin: str) -> dict[str, dict[str, object]]:
    """What an earlier call recorded; nothing when the record is missing, damaged or of other resources."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    if not isinstance(record, dict) or record.get("made_from_sha256") != origin:
        return {}
    files = record.get("files")
    return files if isinstance(files, dict) else {}


def _is_whole(path: Path, entry: object) -> bool:
    # The size is looked at first: hashing 96 MB takes a tenth of a second, a cut file is seen at once.
    if not isinstance(entry, dict) or not path.is_file() or path.stat().st_size != entry.get("bytes"):
        return False
    return _sha256(path) == entry.get("sha256")


def _make(path: Path, maker: Callable[[Path], None]) -> dict[str, object]:
    """Run `maker` on a temporary name beside `path`, bring it to the disk, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The process id keeps two programs apart that materialise at once; they write equal bytes.
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        maker(partial)
        with open(partial, "rb+") as file:
            os.fsync(file.fileno())
        entry: dict[str, object] = {"bytes": partial.stat().st_size, "sha256": _sha256(partial)}
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return entry


def _write_weights(mot: Path, path: Path) -> None:
    """Core tensors as stored, and the two vocabulary matrices expanded from their factors."""
    from safetensors.torch import load_file, save_file

    rows = json.loads((mot / "config.json").read_text(encoding="utf-8"))["vocab_size"]
    vocab = load_file(mot / "vocab.safetensors")

    def expand(first: str, second: str) -> Tensor:
        # Row i is bf16(fp32(A[i mod 512]) + fp32(B[i div 512])): every row differs, and 0.2 MB stand for 47.
        summed = vocab[second].float()[:, None, :] + vocab[first].float()[None, :, :]
        return summed.flatten(0, 1)[:rows].bfloat16()

    head = expand("head_A", "head_B")
    head[vocab["override_ids"]] = vocab["override_head"]
    tensors = load_file(mot / "core.safetensors")
    tensors["model.embed_tokens.weight"] = expand("embed_A", "embed_B")
    tensors["lm_head.weight"] = head
    save_file(tensors, path)


def _write_tokenizer(merges: Path, path: Path) -> None:
    """A `qwen.tiktoken` of the real file's form and number of ranks, with a few hundred merges of ours."""
    with open(path, "wb") as file:
        for rank, token in enumerate(_tokens(json.loads(merges.read_text(encoding="utf-8")))):
            file.write(base64.b64encode(token) + b" %d\n" % rank)


def _tokens(merges: list[str]) -> Iterator[bytes]:
    """The 151,643 tokens by rank: the single bytes, the merges, and fillers that no text can reach.

    A filler is FF FE and its rank in three bytes, big-endian; since no shorter token begins with FF FE,
    merging pairs never arrives at one.
    """
    for byte in range(256):
        yield bytes([byte])
    for merge in merges:
        yield base64.b64decode(merge)
    for rank in range(256 + len(merges), _RANKS):
        yield b"\xff\xfe" + rank.to_bytes(3, "big")


def _origin(source: Path) -> str:
    """One hash over the resources that the test model is made from."""
    digest = hashlib.sha256()
    for path in sorted(source.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(source).as_posix()}\0{_sha256(path)}\n".encode())
    return digest.hexdigest()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _copy(origin: Path, path: Path) -> None:
    path.write_bytes(origin.read_bytes())


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
