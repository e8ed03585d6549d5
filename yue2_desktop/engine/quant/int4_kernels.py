"""torch's int4 kernels by device: what they take, how codes are packed for them, and unpacked again on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch

from yue2_desktop.engine.quant.int4_codes import GROUP
from yue2_desktop.song.errors import Problem, ProblemKind

# torch has these operators under private names only.
_pack_cpu = torch.ops.aten._convert_weight_to_int4pack_for_cpu  # noqa: SLF001
_product_cpu = torch.ops.aten._weight_int4pack_mm_for_cpu  # noqa: SLF001
_pack_cuda = torch.ops.aten._convert_weight_to_int4pack  # noqa: SLF001
_product_cuda = torch.ops.aten._weight_int4pack_mm  # noqa: SLF001

#: Rows of weights that the kernels take together; matrices are padded to a multiple.
ROW_TILE = 64
#: Compute capability of the CUDA kernel.
INT4_CAPABILITY = (8, 0)
#: What the CUDA kernel takes along a row at once: 8 tiles of 16.
_CUDA_TILES, _CUDA_COLUMNS = 8, 128


@dataclass(frozen=True)
class Int4Kernel:
    """`pack` takes codes uint8 [n, k] on the device, n a multiple of `ROW_TILE`, and gives what `product` takes.

    `product(x bf16 [m, k], packed, group, scales and zeros bf16 [k / group, n, 2])` gives bf16 [m, n]. `unpack` is the
    inverse of `pack`; without it the kernel multiplies with many rows too.
    """

    product: Callable[[torch.Tensor, torch.Tensor, int, torch.Tensor], torch.Tensor]
    pack: Callable[[torch.Tensor], torch.Tensor]
    unpack: Callable[[torch.Tensor, int], torch.Tensor] | None


def int4_kernel(device: torch.device, columns: int) -> Int4Kernel:
    """The kernel of a device for rows of `columns`. Raises Problem(UNSUPPORTED) that says why there is none."""
    if device.type == "cuda":
        capability = torch.cuda.get_device_capability(device)
        if capability < INT4_CAPABILITY:
            raise Problem(
                ProblemKind.UNSUPPORTED,
                f"{torch.cuda.get_device_name(device)} has compute capability {capability[0]}.{capability[1]}, "
                "the int4 kernels need 8.0. Use --mode offload-ar or --device cpu.",
            )
        return _suited(CUDA_KERNEL, columns, _CUDA_COLUMNS)
    if device.type != "cpu":
        raise Problem(ProblemKind.UNSUPPORTED, f"There is no int4 kernel for '{device.type}'. Use --device cpu.")
    return _suited(cpu_kernel(), columns, GROUP)


def _suited(kernel: Int4Kernel, columns: int, wanted: int) -> Int4Kernel:
    if columns % wanted:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"A matrix with rows of {columns} does not suit the int4 kernel, which takes multiples of {wanted}. "
            "Use another file of the model.",
        )
    return kernel


@cache
def cpu_kernel() -> Int4Kernel:
    """The CPU's kernel; its packing is probed once, since it depends on the vectors that the processor has."""
    tile = _tile_rows()
    unpack = (lambda packed, columns: _unpack(packed, columns, tile)) if tile else None
    return Int4Kernel(_product_cpu, _pack_for_cpu, unpack)


def _pack_for_cpu(codes: torch.Tensor) -> torch.Tensor:
    packed: torch.Tensor = _pack_cpu(codes.int(), 1)
    return packed


def _unpack(packed: torch.Tensor, columns: int, tile: int) -> torch.Tensor:
    # Tiles of rows, column after column: the first half of the rows in the low nibbles, the second in the high ones.
    tiles = packed.view(-1, columns, tile // 2)
    return torch.cat((tiles & 15, tiles >> 4), dim=-1).transpose(1, 2).reshape(-1, columns)


def _tile_rows() -> int:
    """Rows that this CPU's packing interleaves (64 with AVX-512, 32 with AVX2), 0 where it is another one."""
    codes = torch.randint(0, 16, (2 * ROW_TILE, 96), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    packed = _pack_for_cpu(codes)
    return next((tile for tile in (64, 32, 16) if torch.equal(_unpack(packed, 96, tile), codes)), 0)


def _pack_for_cuda(codes: torch.Tensor) -> torch.Tensor:
    # Two codes a byte, the even column in the high nibble.
    pairs = ((codes[:, ::2] << 4) | codes[:, 1::2]).contiguous()
    packed: torch.Tensor = _pack_cuda(pairs, _CUDA_TILES)
    return packed


CUDA_KERNEL = Int4Kernel(_product_cuda, _pack_for_cuda, None)
