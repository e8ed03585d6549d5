"""Whether a packed product gives on this device what the plain one gives: asked once, before it is relied upon."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

from yue2_desktop.engine.failures import problem_of
from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, BlockType, PackedBlocks
from yue2_desktop.engine.quant.kernels import Kernel, linear_map
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.song.errors import Problem, ProblemKind

#: Relative error (Frobenius) of a product of random rows that each kernel may have against float32. bf16 rounds
#: weights, activations and results by 2^-9 each; W8A8 and FP8 round activations to 8 and to 4 bits.
TOLERANCE = {
    Kernel.DENSE: 6e-3,
    Kernel.DEQUANTISE: 6e-3,
    Kernel.PACKED_FP16: 6e-3,
    Kernel.INT4: 1e-2,
    Kernel.W8A8: 3e-2,
    Kernel.FP8: 6e-2,
}
_ROWS, _COLUMNS = 256, 512


@dataclass(frozen=True)
class Verdict:
    """What a probe found; `error` is the larger relative error of one row and of many, None if it did not run."""

    kernel: Kernel
    type_name: str
    accepted: bool
    error: float | None
    reason: str


def probe(
    kernel: Kernel,
    type_name: str,
    device: torch.device,
    build: Callable[..., Callable[[torch.Tensor], torch.Tensor]] = linear_map,
) -> Verdict:
    """Multiplies random blocks of a type by one row and by 33 on `device` and compares with float32 on the CPU."""
    generator = torch.Generator().manual_seed(20260914)
    blocks = example_blocks(BLOCK_TYPES[type_name], _ROWS, _COLUMNS, generator)
    weight = dequantise(blocks)
    try:
        linear = build((blocks,), kernel, torch.bfloat16, device)
        errors = []
        for rows in (1, 33):
            x = torch.randn(rows, _COLUMNS, generator=generator).bfloat16()
            wanted = x.float() @ weight.T
            found = linear(x.to(device)).float().cpu()
            errors.append(float((found - wanted).norm() / wanted.norm()))
    except (Problem, RuntimeError, NotImplementedError) as error:
        problem = problem_of(error)
        if problem is not None and problem.kind in {ProblemKind.OUT_OF_MEMORY, ProblemKind.DEVICE_LOST}:
            raise  # that says nothing of the kernel
        return Verdict(kernel, type_name, False, None, str(error).splitlines()[0])
    worst = max(errors, key=lambda found: math.inf if math.isnan(found) else found)
    # Not `worst > limit`: an error that is not a number must not pass.
    if not worst <= TOLERANCE[kernel]:
        return Verdict(kernel, type_name, False, worst, f"differs by {worst:.1e}, {TOLERANCE[kernel]:.0e} is allowed")
    return Verdict(kernel, type_name, True, worst, f"agrees to {worst:.1e}")


def example_blocks(kind: BlockType, rows: int, columns: int, generator: torch.Generator) -> PackedBlocks:
    """Random blocks of a type with values of the size of real weights, for probes and measurements."""
    if kind.dense:
        weight = torch.randn(rows, columns, generator=generator) / columns**0.5
        dtype = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[kind.name]
        return PackedBlocks(kind, weight.to(dtype).view(torch.uint8), columns)
    count = rows * columns // kind.elements
    data = torch.randint(0, 256, (count, kind.nbytes), generator=generator, dtype=torch.uint8)
    for at in _SCALE_PLACES[kind.name]:
        scale = torch.rand(count, 1, generator=generator) * 1e-3 + 1e-4
        data[:, at : at + 2] = scale.half().view(torch.uint8)
    return PackedBlocks(kind, data.view(rows, -1), columns)


#: Where the float16 numbers of a block begin: random bits there could be infinite.
_SCALE_PLACES = {
    "Q8_0": (0,),
    "Q6_K": (208,),
    "Q5_K": (0, 2),
    "Q5_1": (0, 2),
    "Q5_0": (0,),
    "Q4_K": (0, 2),
    "Q4_1": (0, 2),
    "Q4_0": (0,),
    "Q3_K": (108,),
    "Q2_K": (80, 82),
}
