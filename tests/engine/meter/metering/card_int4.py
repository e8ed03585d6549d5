"""The int4 product of a card, as shapes: packed weights of the bytes that CUDA's kernel takes, and its results."""

from __future__ import annotations

import torch

from yue2_desktop.engine.quant.blocks import PackedBlocks
from yue2_desktop.engine.quant.int4 import Int4Linear
from yue2_desktop.engine.quant.int4_codes import GROUP, plane_count
from yue2_desktop.engine.quant.int4_kernels import ROW_TILE, Int4Kernel


def _product(x: torch.Tensor, packed: torch.Tensor, _group: int, _scales: torch.Tensor) -> torch.Tensor:
    return torch.empty(x.shape[0], packed.shape[0], dtype=torch.bfloat16, device=x.device)


def _pack(codes: torch.Tensor) -> torch.Tensor:
    raise AssertionError("hollow weights have no codes")


#: As CUDA's: many rows go through it too.
KERNEL = Int4Kernel(product=_product, pack=_pack, unpack=None)


def pack_int4(blocks: PackedBlocks, device: torch.device) -> Int4Linear:
    """In the place of `quant.int4.pack_int4`, which would repack three billion weights that are not there."""
    count = plane_count(blocks.type.name)
    padded = -(-blocks.rows // ROW_TILE) * ROW_TILE
    return Int4Linear(
        kernel=KERNEL,
        packed=torch.empty(count * padded, blocks.columns // 2, dtype=torch.uint8, device=device),
        scales=torch.empty(blocks.columns // GROUP, count * padded, 2, dtype=torch.bfloat16, device=device),
        out_features=blocks.rows,
        padded=padded,
        planes=count,
    )
