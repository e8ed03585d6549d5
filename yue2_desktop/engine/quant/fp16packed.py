"""16-bit weights in fbgemm's packed float16, for decoding on a CPU: much faster than a bf16 product of one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

from yue2_desktop.engine.quant.blocks import PackedBlocks
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.quant.w8a8 import fbgemm_engine, require_fbgemm
from yue2_desktop.song.errors import Problem, ProblemKind

_LARGEST = torch.finfo(torch.float16).max
#: Up to so many rows the packed product is faster than unpacking for a bf16 product.
FEW_ROWS = 16


@dataclass(frozen=True)
class PackedFp16Linear:
    """Weights [out, in] in float16, sums in float32.

    `inexact` counts the weights that float16 does not hold exactly: values of bf16 below 2^-17, which keep an
    absolute error of 2^-25 at most, and values with more than 11 bits.
    """

    packed: Any  # torch's packed parameters, an opaque script object
    out_features: int
    in_features: int
    inexact: int

    @property
    def nbytes(self) -> int:
        return 2 * self.out_features * self.in_features

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] > FEW_ROWS and x.dtype == torch.bfloat16:
            return F.linear(x, torch.ops.quantized.linear_unpack_fp16(self.packed)[0].bfloat16())
        y: torch.Tensor = torch.ops.quantized.linear_dynamic_fp16(x.float(), self.packed)
        return y.to(x.dtype)


def pack_fp16(blocks: PackedBlocks) -> PackedFp16Linear:
    """Packs a matrix of any type.

    Raises Problem(UNSUPPORTED) when a weight is too large for float16, and on processors without fbgemm.
    """
    require_fbgemm("packed float16")
    weight = dequantise(blocks)
    largest = float(weight.abs().max())
    if not largest <= _LARGEST:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"A weight of {largest:.3g} is too large for packed float16 (up to {_LARGEST:,.0f}). "
            "Use --ar-precision bf16.",
        )
    inexact = int((weight.half().float() != weight).sum())
    with fbgemm_engine():
        packed = torch.ops.quantized.linear_prepack_fp16(weight, None)
    return PackedFp16Linear(packed, blocks.rows, blocks.columns, inexact)
