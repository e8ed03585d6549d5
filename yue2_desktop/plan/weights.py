"""Which weights there are to choose from: the BF16 checkpoint, GGUF files, and what could be made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from yue2_desktop.plan.formats import FORMATS, WeightFormat, bytes_of, format_named
from yue2_desktop.plan.shape import ModelShape

CHECKPOINT: Final = "checkpoint"
#: What `yue2-desktop convert` makes of a checkpoint for the AR half, best first.
CONVERTIBLE: Final = ("q8_0", "q4_0")


@dataclass(frozen=True)
class Half:
    """The weights of one half (AR or NAR): format, bits on the device, where they are read from.

    `source` is `checkpoint` or a file's name. `head` is the format of lm_head's rows (AR only). `to_make` says
    that the file must be made first by `yue2-desktop convert`.
    """

    format: WeightFormat
    bits: Fraction
    source: str
    head: WeightFormat
    to_make: bool = False

    def branch_bytes(self, shape: ModelShape) -> int:
        """All layers of the half on a device; norms stay BF16."""
        return shape.layers * self.layer_bytes(shape)

    def layer_bytes(self, shape: ModelShape) -> int:
        """One layer of the half on a device."""
        norm_bytes = 4 if self.format.name == "f32" else 2
        linears = bytes_of(shape.layer_linear_weights, self.bits)
        return linears + norm_bytes * shape.layer_norm_weights

    def head_bytes(self, shape: ModelShape, rows: int) -> int:
        """`rows` rows of lm_head on a device."""
        return bytes_of(rows * shape.hidden, self.head.device_bits)

    @property
    def planes(self) -> int:
        """How many int4 matrices a matrix lies in where it decodes; 0 for other kernels."""
        return {"int4": 1, "int4x2": 2}.get(self.format.gpu_kernel, 0)

    @property
    def dequantises(self) -> bool:
        """Whether products of many rows unpack a matrix first, where it is not packed for decoding."""
        return not self.format.exact and self.format.name not in {"fp8", "int8"}


def half(name: str, source: str = CHECKPOINT, *, to_make: bool = False) -> Half:
    """A half stored in one format throughout; FP8 covers the linears of the layers and leaves lm_head BF16."""
    fmt = format_named(name)
    head = FORMATS["bf16"] if name in {"fp8", "int8"} else fmt
    return Half(fmt, fmt.device_bits, source, head, to_make)


def on_processor(part: Half) -> Half:
    """An AR half as the processor's kernels hold it: packed float16 takes 16 bits, whatever the file has."""
    return replace(part, bits=Fraction(16)) if part.format.cpu_kernel == "packed-fp16" else part


@dataclass(frozen=True)
class TypedTensors:
    """How many elements of a half's linears a file holds in each type: ((`q4_k`, n), (`q6_k`, m))."""

    counts: tuple[tuple[str, int], ...]

    @property
    def main(self) -> WeightFormat:
        """The format of most elements."""
        return format_named(max(self.counts, key=lambda pair: pair[1])[0])

    def bits(self, which: str) -> Fraction:
        """Mean bits a weight on the device: packed for decoding in the `ar` half, as in the file in the `nar` half."""
        total = sum(count for _, count in self.counts)
        kinds = ((format_named(name), count) for name, count in self.counts)
        of_all = (count * (kind.device_bits if which == "ar" else kind.file_bits) for kind, count in kinds)
        return sum(of_all, Fraction(0)) / total


@dataclass(frozen=True)
class GgufFile:
    """A GGUF file as its header describes it; `ar`, `nar` are None where the file lacks that half."""

    name: str
    ar: TypedTensors | None
    nar: TypedTensors | None
    head: str = "bf16"

    def halves(self, which: str) -> Half | None:
        """The `ar` or `nar` half of this file, None where it has none."""
        tensors = self.ar if which == "ar" else self.nar
        if tensors is None:
            return None
        return Half(tensors.main, tensors.bits(which), self.name, format_named(self.head))


@dataclass(frozen=True)
class Inventory:
    """The weights at hand. `checkpoint` is the BF16 release; with it and `can_convert` others can be made."""

    checkpoint: bool = True
    ggufs: tuple[GgufFile, ...] = ()
    can_convert: bool = True

    def exact(self, which: str) -> Half | None:
        """The `ar` or `nar` half with the released weights: the checkpoint's, else those of a 16-bit file.

        On a device they lie as BF16, whatever the file has.
        """
        if self.checkpoint:
            return half("bf16")
        files = (part for file in self.ggufs if (part := file.halves(which)) is not None and part.format.exact)
        return next((half("bf16", part.source) for part in files), None)

    def quantised_ar(self) -> tuple[Half, ...]:
        """AR halves of GGUF files, and those that could be made of the checkpoint, best first."""
        found = self._quantised("ar")
        if self.checkpoint and self.can_convert:
            names = {part.format.name for part in found}
            missing = (name for name in CONVERTIBLE if name not in names)
            found += [half(name, f"YuE2-3B-{name.upper()}.gguf", to_make=True) for name in missing]
        return tuple(sorted(found, key=_by_quality))

    def quantised_nar(self) -> tuple[Half, ...]:
        """NAR halves of GGUF files, best first."""
        return tuple(sorted(self._quantised("nar"), key=_by_quality))

    def _quantised(self, which: str) -> list[Half]:
        found = (file.halves(which) for file in self.ggufs)
        return [part for part in found if part is not None and not part.format.exact]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to render with."""
        return not self.checkpoint and not self.ggufs


def _by_quality(part: Half) -> tuple[int, Fraction]:
    return part.format.rank, -part.bits


#: What a fresh machine will have: the released checkpoint, from which GGUF files can be made.
RELEASED_WEIGHTS: Final = Inventory()
