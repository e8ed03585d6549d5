"""A GGUF of one's own from the 16-bit checkpoint: layout A's names, so that other programs read it too.

Rows are read, rounded, checked and written some at a time: neither the model nor a whole vocabulary matrix is ever in
memory. The file appears under its name when all of it was read back.
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import torch

from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.blocks import BF16, F32, Q8_0, BlockType
from yue2_desktop.engine.quant.packing import error_bound, quantise
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.gguf_header import read_gguf_header
from yue2_desktop.engine.weights.gguf_vocabulary import vocabulary_values
from yue2_desktop.engine.weights.gguf_writer import TensorPlan, Value, file_bytes, header_bytes, padding
from yue2_desktop.engine.weights.layout import EMBEDDING, LM_HEAD, Branch, layer_shapes, model_shapes
from yue2_desktop.engine.weights.source import BlockSource
from yue2_desktop.song.atomic import atomic_file
from yue2_desktop.song.errors import Problem, ProblemKind

#: Elements that are converted at once: what is in between stays in the processor's cache.
_ELEMENTS = 1 << 18
#: Pieces that are converted ahead of the one that is written.
_AHEAD = 16
#: Bytes that are read back at once.
_READ_BACK = 1 << 24
#: The number of each mixture in llama.cpp's list of file types.
_FILE_TYPES = {"Q4_0": 2, "Q8_0": 7, "Q5_0": 8}

#: on_progress(done, total) in bytes of the new file; reading back counts like writing.
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Conversion:
    """The types of a new file. Both vocabulary matrices are Q8_0 whatever `ar` is: rounding the output rows coarsely
    shows in every choice of a token, and the input rows are never on the card. What leads into and out of the NAR half
    stays as it is."""

    ar: BlockType
    nar: BlockType


def convert(
    model: ModelFiles, destination: Path, conversion: Conversion, on_progress: OnProgress, cancel: CancelToken
) -> int:
    """Writes the file and returns its size.

    Raises Problem(OUTPUT_EXISTS), Problem(DISK_FULL) before anything is written or when it happens, Problem(BAD_FILE),
    Problem(MODEL_DAMAGED) for weights that are not finite or a file that reads back differently, Problem(CANCELLED);
    nothing is left behind then.
    """
    if destination.exists():
        raise Problem(
            ProblemKind.OUTPUT_EXISTS, f"{destination} is there already. Choose another name or remove it.",
            path=str(destination),
        )  # fmt: skip
    _require_16_bits(model)
    plans = tensor_plans(model, conversion)
    header = header_bytes(_values(model, conversion), plans)
    total = file_bytes(header, plans)
    _require_space(destination, total)
    with atomic_file(destination) as file, _workers() as pool:
        file.write(header)
        sums = []
        done = len(header)
        for plan in plans:
            checksum = 0
            for data in _rounded(model, plan, pool, cancel):
                file.write(data)
                checksum = zlib.crc32(data, checksum)
                done += len(data)
                on_progress(done, 2 * total)
            file.write(padding(plan.nbytes))
            done += len(padding(plan.nbytes))
            sums.append(checksum)
        file.flush()
        for done in _read_back(Path(file.name), plans, sums, destination, cancel):
            on_progress(total + done, 2 * total)
    return total


def tensor_plans(model: ModelFiles, conversion: Conversion) -> tuple[TensorPlan, ...]:
    """All tensors of the new file in the checkpoint's order, without the position table, which is a formula."""
    config = model.config
    halves = {
        name: conversion.ar if branch is Branch.AR else conversion.nar
        for branch in Branch
        for index in range(config.layers)
        for name in layer_shapes(config, branch, index)
    }
    halves[EMBEDDING] = halves[LM_HEAD] = Q8_0
    plans = []
    for name, shape in model_shapes(config).items():
        kind = halves.get(name, BF16) if len(shape) == 2 else F32
        plans.append(TensorPlan(name, shape, kind if shape[-1] % kind.elements == 0 else BF16))
    return tuple(plans)


def _values(model: ModelFiles, conversion: Conversion) -> dict[str, Value]:
    name = conversion.ar.name
    return {
        "general.architecture": "yue2",
        "general.name": "YuE2 AR/NAR Mixture-of-Transformers",
        "general.quantization_version": 2,
        "general.file_type": _FILE_TYPES[name],
        "yue2.config_json": _config_json(model),
        "yue2.block_count": model.config.layers,
        **vocabulary_values(model.tokenizer),
    }


def _config_json(model: ModelFiles) -> str:
    """The checkpoint's own config.json, compact; without one, the fields that are read of it."""
    own = next((path for path in model.files if path.name.endswith("config.json")), None)
    if own is not None:
        values = json.loads(own.read_text(encoding="utf-8"))
    else:
        config = model.config
        values = {
            "architectures": ["YuE2ForCausalLM"],
            "model_type": "yue2",
            "hidden_size": config.hidden_size,
            "num_hidden_layers": config.layers,
            "num_attention_heads": config.heads,
            "num_key_value_heads": config.kv_heads,
            "head_dim": config.head_dim,
            "intermediate_size": config.intermediate_size,
            "vocab_size": config.vocab_size,
            "rms_norm_eps": config.rms_eps,
            "rope_theta": config.rope_theta,
            "max_position_embeddings": config.context,
            "tie_word_embeddings": False,
            "latent_type": "vae",
            "latent_dim": config.latent_dim,
            "max_latent_frames": config.max_latent_frames,
            "timestep_shift": config.timestep_shift,
        }
    return json.dumps(values, separators=(",", ":"))


def _rounded(model: ModelFiles, plan: TensorPlan, pool: Executor, cancel: CancelToken) -> Iterator[memoryview]:
    """The tensor's bytes in the new file, some rows at a time and in order, each within the bound of its type."""
    rows = plan.shape[0]
    step = max(1, _ELEMENTS // (plan.shape[1] if len(plan.shape) == 2 else 1))
    pending: deque[Future[memoryview]] = deque()
    for start in range(0, rows, step):
        cancel.check()
        pending.append(pool.submit(_rounded_rows, model, plan, start, min(start + step, rows)))
        if len(pending) > _AHEAD:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


@torch.inference_mode()
def _rounded_rows(model: ModelFiles, plan: TensorPlan, start: int, stop: int) -> memoryview:
    weight = model.source.read_rows(plan.name, start, stop).float().view(stop - start, -1)
    if not bool(torch.isfinite(weight).all()):
        raise Problem(
            ProblemKind.MODEL_DAMAGED,
            f"Tensor '{plan.name}' of {model.source.where} holds values that are no numbers. Fetch the file again.",
            tensor=plan.name,
        )
    blocks = quantise(weight, plan.type)
    _require_near(dequantise(blocks), weight, plan)
    return memoryview(blocks.data.view(-1).numpy().data)


@contextmanager
def _workers() -> Iterator[Executor]:
    """A thread a core, each with torch's own threads off: these would wait for one another at every small step."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(before, "convert", initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(before)


def _require_near(found: torch.Tensor, weight: torch.Tensor, plan: TensorPlan) -> None:
    off = (found - weight).abs()
    if plan.type.dense:
        # BF16 of a finer source; nothing at all where the source is BF16.
        near = bool((off <= weight.abs() * 2.0**-8).all())
    else:
        near = bool((off.view(-1, plan.type.elements) <= error_bound(weight, plan.type)).all())
    if not near:
        raise Problem(
            ProblemKind.MODEL_DAMAGED,
            f"Tensor '{plan.name}' does not go into {plan.type.name}: its values leave the range of the format. "
            "Convert to another type.",
            tensor=plan.name,
        )


def _read_back(
    written: Path, plans: tuple[TensorPlan, ...], sums: list[int], destination: Path, cancel: CancelToken
) -> Iterator[int]:
    """Reads the whole file again: header, places, every byte. Yields how many bytes were compared."""
    header = read_gguf_header(written)
    done = 0
    with written.open("rb") as file:
        for plan, checksum in zip(plans, sums, strict=True):
            found = header.tensors[plan.name]
            file.seek(found.offset)
            same = (found.type, found.shape, found.nbytes) == (plan.type, plan.shape, plan.nbytes)
            for part, again in _checksums(file, plan.nbytes):
                cancel.check()
                done += part
                yield done
                checksum_again = again
            if not same or checksum_again != checksum:
                raise Problem(
                    ProblemKind.BAD_FILE,
                    f"{destination}: tensor '{plan.name}' reads back differently from what was written. "
                    "The disk may be failing; choose another one.",
                    tensor=plan.name,
                )


def _checksums(file: BinaryIO, nbytes: int) -> Iterator[tuple[int, int]]:
    """Reads so many bytes; yields the size of each part and the checksum so far."""
    checksum, left = 0, nbytes
    while left:
        data = file.read(min(left, _READ_BACK))
        if not data:
            raise OSError("the file ends early")
        checksum = zlib.crc32(data, checksum)
        left -= len(data)
        yield len(data), checksum


def _require_16_bits(model: ModelFiles) -> None:
    source = model.source
    if not isinstance(source, BlockSource):
        return
    rough = sorted({source.block_type(name).name for name in model_shapes(model.config)} - {"F32", "F16", "BF16"})
    if rough:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"{source.where} is {', '.join(rough)} already; rounding it once more would lose twice. "
            "Convert from the BF16 checkpoint.",
            types=rough,
        )


def _require_space(destination: Path, nbytes: int) -> None:
    try:
        free = shutil.disk_usage(destination.parent).free
    except OSError as error:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The folder {destination.parent} cannot be written to ({error.strerror}). Choose another one.",
            path=str(destination.parent),
        ) from error
    if free < nbytes:
        raise Problem(
            ProblemKind.DISK_FULL,
            f"{destination} will take {nbytes / 1e9:.1f} GB, {free / 1e9:.1f} GB are free there. "
            "Free some space or choose another disk.",
            needed_bytes=nbytes,
            free_bytes=free,
        )
