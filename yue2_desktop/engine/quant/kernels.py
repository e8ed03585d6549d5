"""Which product the weights of a type go through on a device, and the linear map that is built for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

import torch

from yue2_desktop.engine.model.linear import DenseLinear, Linear
from yue2_desktop.engine.quant.blocks import PackedBlocks, under_one_another
from yue2_desktop.engine.quant.dequant import DequantisedLinear
from yue2_desktop.engine.quant.fp8 import pack_fp8
from yue2_desktop.engine.quant.fp16packed import pack_fp16
from yue2_desktop.engine.quant.int4 import pack_int4
from yue2_desktop.engine.quant.stacked import StackedLinear, runs_of_one_type
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.quant.w8a8 import has_fbgemm, pack_w8a8
from yue2_desktop.song.errors import Problem, ProblemKind

#: Rows of a matrix that one packed float16 part holds at most: packing needs them in float32.
_FP16_ROWS = 32_768


class Kernel(StrEnum):
    """The products that weights can go through; also what the command line and take.json call them."""

    DENSE = "dense"
    INT4 = "int4"
    W8A8 = "w8a8"
    PACKED_FP16 = "packed-fp16"
    FP8 = "fp8"
    DEQUANTISE = "dequantise"


#: Types whose codes the int4 kernels take as they are.
_INT4_TYPES = frozenset({"Q8_0", "Q5_0", "Q5_1", "Q5_K", "Q4_0", "Q4_1", "Q4_K"})


def decode_kernel(type_name: str, *, dense: bool, device: torch.device) -> Kernel:
    """The product that keeps the stored values best where one row comes at a time.

    16- and 32-bit types are dense; int4 for what it takes exactly; the rest (Q6_K, Q3_K, Q2_K, whose scales stand
    for 16 weights) packed float16 on a CPU, and int4 after rounding to 8 bits where there is no such thing.
    """
    if dense:
        return Kernel.DENSE
    if type_name in _INT4_TYPES:
        return Kernel.INT4
    return Kernel.PACKED_FP16 if device.type == "cpu" and has_fbgemm() else Kernel.INT4


def rows_kernel(*, dense: bool) -> Kernel:
    """The product for many rows at once (NAR, prefill): blocks stay as they are and are unpacked as they are used."""
    return Kernel.DENSE if dense else Kernel.DEQUANTISE


#: accept(kernel, type name): the product to use where `kernel` is wanted, by what the device was seen to do.
Accept = Callable[[Kernel, str], Kernel]


def as_wanted(kernel: Kernel, _type_name: str) -> Kernel:
    """Whatever is wanted is accepted."""
    return kernel


def linear_map(
    parts: Sequence[PackedBlocks],
    kernel: Kernel | None,
    dtype: torch.dtype,
    device: torch.device,
    accept: Accept = as_wanted,
) -> Linear:
    """The parts under one another as one linear map on `device`, which is given x in `dtype`.

    Parts of one type become one matrix; unlike ones stay apart. None takes `decode_kernel` of each type, if `accept`
    does not know better. Raises Problem(UNSUPPORTED) where the device lacks the kernel.
    """
    if kernel is Kernel.DENSE:
        return _dense(parts, dtype, device)
    if kernel is None and all(part.type.dense for part in parts):
        return _dense(parts, dtype, device)
    linears = tuple(_one(under_one_another(run), kernel, dtype, device, accept) for run in runs_of_one_type(parts))
    return linears[0] if len(linears) == 1 else StackedLinear(linears)


def _one(
    blocks: PackedBlocks, kernel: Kernel | None, dtype: torch.dtype, device: torch.device, accept: Accept
) -> Linear:
    if kernel is None:
        kernel = accept(decode_kernel(blocks.type.name, dense=blocks.type.dense, device=device), blocks.type.name)
    if kernel is Kernel.DENSE:
        return _dense((blocks,), dtype, device)
    if kernel is Kernel.INT4:
        return pack_int4(blocks, device)
    if kernel is Kernel.DEQUANTISE:
        return DequantisedLinear(blocks.to(device))
    if kernel is Kernel.FP8:
        # The codes are those of the checkpoint's bf16 values, whatever the file holds.
        return pack_fp8(dequantise(blocks, torch.bfloat16), device)
    if device.type != "cpu":
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"'{kernel}' weights are for the processor, not for '{device.type}'. "
            "Use --device cpu or another precision.",
        )
    if kernel is Kernel.W8A8:
        return pack_w8a8(blocks)
    pieces = [
        pack_fp16(blocks.part(start, min(start + _FP16_ROWS, blocks.rows)))
        for start in range(0, blocks.rows, _FP16_ROWS)
    ]
    return pieces[0] if len(pieces) == 1 else StackedLinear(tuple(pieces))


def _dense(parts: Sequence[PackedBlocks], dtype: torch.dtype, device: torch.device) -> DenseLinear:
    weight = torch.empty(sum(part.rows for part in parts), parts[0].columns, dtype=dtype, device=device)
    at = 0
    for part in parts:
        dequantise(part, out=weight[at : at + part.rows])
        at += part.rows
    return DenseLinear(weight)
