"""From numbers to blocks: ggml's own rounding for Q8_0, Q5_0 and Q4_0, byte for byte what gguf-py makes."""

from __future__ import annotations

from collections.abc import Callable

import torch

from yue2_desktop.engine.quant.blocks import Q4_0, Q5_0, Q8_0, BlockType, PackedBlocks, from_dense

_BLOCK = 32


def quantise(weight: torch.Tensor, kind: BlockType) -> PackedBlocks:
    """A finite matrix [rows, columns] in blocks of `kind`, or in a dense type. Raises KeyError for other types."""
    if kind.dense:
        return from_dense(weight.to(_DTYPES[kind.name]))
    blocks = weight.float().reshape(-1, _BLOCK)
    packed = _PACK[kind.name](blocks)
    return PackedBlocks(kind, packed.view(weight.shape[0], -1), weight.shape[1])


def error_bound(weight: torch.Tensor, kind: BlockType) -> torch.Tensor:
    """The most by which each element of a block may be off, float32 [blocks, 1].

    Half a step in Q8_0; a whole one in the others, whose range lacks the opposite of its largest value. The scale is
    rounded to float16, which adds 2^-11 of the value, and 2^-25 a step where the scale is below float16's range.
    """
    largest = weight.float().reshape(-1, _BLOCK).abs().amax(1, keepdim=True)
    steps, share = _STEPS[kind.name]
    return largest * (share / steps + 2.0**-11) + steps * 2.0**-25


def _q8_0(blocks: torch.Tensor) -> torch.Tensor:
    scale = blocks.abs().amax(1, keepdim=True).div_(127)
    scaled = blocks * _reciprocal(scale)
    # Halves go away from zero, where torch's own rounding goes to even. Adding 0.5 would round before the floor does.
    size = scaled.abs()
    whole = size.floor()
    whole.add_(size.sub_(whole).mul_(2).floor_())
    return torch.cat((_half_bytes(scale), torch.copysign(whole, scaled).to(torch.int8).view(torch.uint8)), dim=1)


def _q4_0(blocks: torch.Tensor) -> torch.Tensor:
    scale, codes = _signed_codes(blocks, 8)
    return torch.cat((_half_bytes(scale), codes[:, :16] | (codes[:, 16:] << 4)), dim=1)


def _q5_0(blocks: torch.Tensor) -> torch.Tensor:
    scale, codes = _signed_codes(blocks, 16)
    low = (codes[:, :16] & 15) | ((codes[:, 16:] & 15) << 4)
    weights = torch.tensor([1, 2, 4, 8, 16, 32, 64, 128], dtype=torch.uint8)
    fifth = ((codes >> 4).view(-1, 4, 8) * weights).sum(-1, dtype=torch.uint8)
    return torch.cat((_half_bytes(scale), fifth, low), dim=1)


def _signed_codes(blocks: torch.Tensor, middle: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Scale float32 [n, 1] with the sign that puts the largest value at code 0, and codes uint8 [n, 32]."""
    at = blocks.abs().argmax(1, keepdim=True)
    scale = blocks.gather(1, at) / -middle
    codes = (blocks * _reciprocal(scale)).add_(middle + 0.5).clamp_(0, 2 * middle - 1)
    return scale, codes.to(torch.uint8)  # the conversion cuts the fraction off


def _reciprocal(scale: torch.Tensor) -> torch.Tensor:
    return torch.where(scale == 0, torch.zeros_like(scale), 1 / scale)


def _half_bytes(scale: torch.Tensor) -> torch.Tensor:
    return scale.half().view(torch.uint8)


_PACK: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"Q8_0": _q8_0, "Q5_0": _q5_0, "Q4_0": _q4_0}
_STEPS = {"Q8_0": (127, 0.5), "Q5_0": (16, 1.0), "Q4_0": (8, 1.0)}
_DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
#: The quantised types that can be made here, by the names of the command line.
WRITABLE = {"q8_0": Q8_0, "q5_0": Q5_0, "q4_0": Q4_0}
