"""Weights in torch's own int4 kernels: one product for 4-bit types, two in one call for types of up to 8 bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.quant.blocks import PackedBlocks
from yue2_desktop.engine.quant.int4_codes import GROUP, plane_count, planes
from yue2_desktop.engine.quant.int4_kernels import ROW_TILE, Int4Kernel, int4_kernel

#: Up to so many rows of x the kernels are meant for; beyond, a matrix is made dense, a part at a time.
FEW_ROWS = 16
#: Rows of weights that are made dense, or repacked, at once.
_DENSE_ROWS, _REPACKED_ROWS = 1024, 8192


@dataclass(frozen=True)
class Int4Linear:
    """`planes` int4 matrices [padded, in] under one another; y is the sum of their products.

    `scales` is bf16 [in / 32, planes * padded, 2] with scale and zero. x may have any dtype; products are bf16.
    """

    kernel: Int4Kernel
    packed: torch.Tensor
    scales: torch.Tensor
    out_features: int
    padded: int
    planes: int

    @property
    def nbytes(self) -> int:
        return self.packed.nbytes + self.scales.nbytes

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] > FEW_ROWS and self.kernel.unpack is not None:
            return torch.cat([F.linear(x, weight) for weight in self._dense_parts(x.dtype)], dim=1)
        product = self.kernel.product(x.bfloat16(), self.packed, GROUP, self.scales)
        y = product[:, : self.out_features]
        if self.planes == 2:
            y = y + product[:, self.padded : self.padded + self.out_features]
        return y.to(x.dtype)

    def dense(self, start: int, stop: int) -> torch.Tensor:
        """Rows start..stop-1 as the kernel sees them, float32; `start` is a multiple of `ROW_TILE`.

        Raises ValueError where the packing is not known.
        """
        total = self._plane(0, start, stop)
        if self.planes == 2:
            total.add_(self._plane(self.padded, start, stop))
        return total

    def _dense_parts(self, dtype: torch.dtype) -> Iterator[torch.Tensor]:
        for start in range(0, self.out_features, _DENSE_ROWS):
            yield self.dense(start, min(start + _DENSE_ROWS, self.out_features)).to(dtype)

    def _plane(self, first: int, start: int, stop: int) -> torch.Tensor:
        if self.kernel.unpack is None:
            raise ValueError("this kernel's packing is not known")
        tiles = -(-stop // ROW_TILE) * ROW_TILE
        codes = self.kernel.unpack(self.packed[first + start : first + tiles], self.scales.shape[0] * GROUP)
        scale, zero = self.scales[:, first + start : first + stop].transpose(0, 1).float().unbind(-1)
        grouped = codes[: stop - start].float().sub_(8).view(stop - start, -1, GROUP)
        return grouped.mul_(scale[..., None]).add_(zero[..., None]).flatten(1)


def pack_int4(blocks: PackedBlocks, device: torch.device) -> Int4Linear:
    """Packs a matrix of any type for the device's int4 kernel, some rows at a time.

    Raises Problem(UNSUPPORTED) where the device has none, or the rows' length does not suit it.
    """
    kernel = int4_kernel(device, blocks.columns)
    count = plane_count(blocks.type.name)
    packed: list[list[torch.Tensor]] = [[] for _ in range(count)]
    scales: list[list[torch.Tensor]] = [[] for _ in range(count)]
    for start in range(0, blocks.rows, _REPACKED_ROWS):
        part = blocks.part(start, min(start + _REPACKED_ROWS, blocks.rows)).to(device)
        missing = -part.rows % ROW_TILE
        for index, plane in enumerate(planes(part)):
            # A padded row is zero: code 8 at scale 0.
            packed[index].append(kernel.pack(F.pad(plane.codes, (0, 0, 0, missing), value=8)))
            both = F.pad(torch.stack((plane.scale, plane.zero), dim=-1), (0, 0, 0, 0, 0, missing))
            scales[index].append(both.transpose(0, 1))
    return Int4Linear(
        kernel=kernel,
        packed=torch.cat([part for plane in packed for part in plane]),
        scales=torch.cat([part for plane in scales for part in plane], dim=1).contiguous(),
        out_features=blocks.rows,
        padded=-(-blocks.rows // ROW_TILE) * ROW_TILE,
        planes=count,
    )
