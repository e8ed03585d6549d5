"""From blocks to numbers: one small function a type, and the table of them (ggml's block layouts, spec gguf).

Each function takes blocks uint8 [n, bytes of a block] and gives float32 [n, elements], the values that gguf-py gives.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from yue2_desktop.engine.quant.blocks import PackedBlocks

Unpack = Callable[[torch.Tensor], torch.Tensor]

#: Elements that are unpacked at once: bounds the float32 values in between to 8 MiB.
_ELEMENTS_AT_ONCE = 1 << 21


def dequantise(
    blocks: PackedBlocks, dtype: torch.dtype = torch.float32, out: torch.Tensor | None = None
) -> torch.Tensor:
    """The matrix [rows, columns] in dtype, on the device where the blocks lie; into `out` where it is given.

    The arithmetic is float32 whatever dtype is; one rounding follows.
    """
    if out is None:
        out = torch.empty(blocks.rows, blocks.columns, dtype=dtype, device=blocks.data.device)
    if blocks.type.dense:
        return out.copy_(blocks.values())
    unpack = UNPACK[blocks.type.name]
    step = max(1, _ELEMENTS_AT_ONCE // blocks.columns)
    for start in range(0, blocks.rows, step):
        rows = blocks.data[start : start + step]
        out[start : start + step].copy_(
            unpack(rows.reshape(-1, blocks.type.nbytes)).view(rows.shape[0], blocks.columns)
        )
    return out


def half_at(blocks: torch.Tensor, at: int) -> torch.Tensor:
    """The float16 number at byte `at` of each block, as float32 [n, 1]."""
    return blocks[:, at : at + 2].view(torch.float16).float()


def nibbles(packed: torch.Tensor) -> torch.Tensor:
    """uint8 [n, m, w] -> uint8 [n, 2m, w]: the low nibbles of each run of w bytes, then its high ones."""
    return torch.stack((packed & 15, packed >> 4), dim=2).flatten(1, 2)


def scales_and_minima(packed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The eight 6-bit scales and minima of Q4_K and Q5_K, float32 [n, 8] each, from their 12 bytes [n, 12]."""
    low, middle, high = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    scales = torch.cat((low & 63, (high & 15) | ((low >> 2) & 48)), dim=1)
    minima = torch.cat((middle & 63, (high >> 4) | ((middle >> 2) & 48)), dim=1)
    return scales.float(), minima.float()


def bits(packed: torch.Tensor, width: int, count: int) -> torch.Tensor:
    """uint8 [n, m] -> uint8 [n, count, m]: `count` fields of `width` bits of every byte, the lowest first."""
    shifts = torch.arange(0, width * count, width, dtype=torch.uint8, device=packed.device)
    return (packed[:, None, :] >> shifts[:, None]) & ((1 << width) - 1)


def _q8_0(blocks: torch.Tensor) -> torch.Tensor:
    return blocks[:, 2:].view(torch.int8).float().mul_(half_at(blocks, 0))


def codes_q4(blocks: torch.Tensor, at: int) -> torch.Tensor:
    """The 32 codes of Q4_0 and Q4_1, which begin at byte `at`: uint8 [n, 32]; low nibbles are elements 0-15."""
    return nibbles(blocks[:, None, at:]).flatten(1)


def codes_q5(blocks: torch.Tensor, at: int) -> torch.Tensor:
    """The 32 codes of Q5_0 and Q5_1: the fifth bits are the 4 bytes at `at`, the nibbles follow; uint8 [n, 32]."""
    fifth = bits(blocks[:, at : at + 4], 1, 8).transpose(1, 2).flatten(1)
    return codes_q4(blocks, at + 4) | (fifth << 4)


def codes_q4_k(blocks: torch.Tensor) -> torch.Tensor:
    """The codes of Q4_K in 8 groups, uint8 [n, 8, 32]."""
    return nibbles(blocks[:, 16:].view(-1, 4, 32))


def codes_q5_k(blocks: torch.Tensor) -> torch.Tensor:
    """The codes of Q5_K in 8 groups, uint8 [n, 8, 32]."""
    return nibbles(blocks[:, 48:].view(-1, 4, 32)) | (bits(blocks[:, 16:48], 1, 8) << 4)


def _q4_0(blocks: torch.Tensor) -> torch.Tensor:
    return codes_q4(blocks, 2).float().sub_(8).mul_(half_at(blocks, 0))


def _q4_1(blocks: torch.Tensor) -> torch.Tensor:
    return codes_q4(blocks, 4).float().mul_(half_at(blocks, 0)).add_(half_at(blocks, 2))


def _q5_0(blocks: torch.Tensor) -> torch.Tensor:
    return codes_q5(blocks, 2).float().sub_(16).mul_(half_at(blocks, 0))


def _q5_1(blocks: torch.Tensor) -> torch.Tensor:
    return codes_q5(blocks, 4).float().mul_(half_at(blocks, 0)).add_(half_at(blocks, 2))


def group_scales(blocks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Scale and minimum of each group of 32 of Q4_K and Q5_K, float32 [n, 8] each: w = scale * code - minimum."""
    scales, minima = scales_and_minima(blocks[:, 4:16])
    return half_at(blocks, 0) * scales, half_at(blocks, 2) * minima


def _k_quant(codes: torch.Tensor, blocks: torch.Tensor) -> torch.Tensor:
    scales, minima = group_scales(blocks)
    return codes.float().mul_(scales[..., None]).sub_(minima[..., None]).flatten(1)


def _q4_k(blocks: torch.Tensor) -> torch.Tensor:
    return _k_quant(codes_q4_k(blocks), blocks)


def _q5_k(blocks: torch.Tensor) -> torch.Tensor:
    return _k_quant(codes_q5_k(blocks), blocks)


def _q6_k(blocks: torch.Tensor) -> torch.Tensor:
    low = nibbles(blocks[:, :128].view(-1, 2, 64)).view(-1, 8, 32)
    high = _two_bits(blocks[:, 128:192]).view(-1, 8, 32)
    codes = (low | (high << 4)).view(-1, 16, 16)
    scales = half_at(blocks, 208) * blocks[:, 192:208].view(torch.int8).float()
    return codes.float().sub_(32).mul_(scales[..., None]).flatten(1)


def _q2_k(blocks: torch.Tensor) -> torch.Tensor:
    scales = half_at(blocks, 80) * (blocks[:, :16] & 15).float()
    minima = half_at(blocks, 82) * (blocks[:, :16] >> 4).float()
    codes = _two_bits(blocks[:, 16:80]).view(-1, 16, 16)
    return codes.float().mul_(scales[..., None]).sub_(minima[..., None]).flatten(1)


def _q3_k(blocks: torch.Tensor) -> torch.Tensor:
    packed = blocks[:, 96:108]
    low, high = nibbles(packed[:, None, :8]).flatten(1), bits(packed[:, 8:], 2, 4).flatten(1)
    scales = half_at(blocks, 108) * ((low | (high << 4)).float() - 32)
    third = bits(blocks[:, :32], 1, 8).flatten(1)
    codes = (_two_bits(blocks[:, 32:96]) | (third << 2)).view(-1, 16, 16)
    return codes.float().sub_(4).mul_(scales[..., None]).flatten(1)


def _two_bits(packed: torch.Tensor) -> torch.Tensor:
    # [n, 64] -> [n, 256]: the first 32 bytes hold elements 0-127 in runs of 32, the second 32 hold 128-255.
    return bits(packed.reshape(-1, 32), 2, 4).view(-1, 256)


UNPACK: dict[str, Unpack] = {
    "Q8_0": _q8_0,
    "Q6_K": _q6_k,
    "Q5_K": _q5_k,
    "Q5_1": _q5_1,
    "Q5_0": _q5_0,
    "Q4_K": _q4_k,
    "Q4_1": _q4_1,
    "Q4_0": _q4_0,
    "Q3_K": _q3_k,
    "Q2_K": _q2_k,
}
