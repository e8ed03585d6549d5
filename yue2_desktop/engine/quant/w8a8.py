"""8-bit weights with a scale a row, and activations rounded to 8 bits as they come: fbgemm's product, CPU only."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from yue2_desktop.engine.quant.blocks import PackedBlocks
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.song.errors import Problem, ProblemKind

_ENGINE = "fbgemm"
#: Rows of weights that are rounded at once.
_ROWS = 8192


@dataclass(frozen=True)
class W8A8Linear:
    """Packed int8 weights [out, in]. The scale of the activations is one for all rows of x, so that rows of a batch
    are not bit-equal to single ones.

    `reduce_range` keeps activations to 7 bits: without VNNI sums of two products may saturate 16 bits.
    """

    packed: Any  # torch's packed parameters, an opaque script object
    out_features: int
    in_features: int
    reduce_range: bool

    @property
    def nbytes(self) -> int:
        # Beside the bytes there are a scale, a zero point and a sum for each row.
        return self.out_features * (self.in_features + 12)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = torch.ops.quantized.linear_dynamic(x.float(), self.packed, self.reduce_range)
        return y.to(x.dtype)


def pack_w8a8(blocks: PackedBlocks, *, reduce_range: bool | None = None) -> W8A8Linear:
    """Rounds a matrix of any type to int8 with one scale a row. Raises Problem(UNSUPPORTED) on other processors."""
    require_fbgemm("W8A8")
    codes = torch.empty(blocks.rows, blocks.columns, dtype=torch.int8)
    scales = torch.empty(blocks.rows, dtype=torch.float64)
    for start in range(0, blocks.rows, _ROWS):
        stop = min(start + _ROWS, blocks.rows)
        codes[start:stop], scales[start:stop] = row_codes(dequantise(blocks.part(start, stop)))
    with fbgemm_engine():
        zeros = torch.zeros(blocks.rows, dtype=torch.int64)
        weight = torch._make_per_channel_quantized_tensor(codes, scales, zeros, 0)  # noqa: SLF001 - its only name
        packed = torch.ops.quantized.linear_prepack(weight, None)
    return W8A8Linear(packed, blocks.rows, blocks.columns, not has_vnni() if reduce_range is None else reduce_range)


def row_codes(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """weight [n, k] float32 -> codes int8 [n, k] in -127..127 and scales float32 [n]; a row of zeros keeps scale 1."""
    scales = weight.abs().amax(1) / 127
    scales = torch.where(scales > 0, scales, torch.ones_like(scales))
    return (weight / scales[:, None]).round_().to(torch.int8), scales


def has_vnni() -> bool:
    """Whether this processor sums products of bytes in 32 bits (AVX512-VNNI or AVX-VNNI)."""
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    if known:
        return bool(known.get("avx512_vnni") or known.get("avx_vnni"))
    probe = getattr(torch.cpu, "_is_vnni_supported", None)
    return bool(probe and probe())


def has_fbgemm() -> bool:
    """Whether torch was built with fbgemm, which it is for x86-64."""
    return _ENGINE in torch.backends.quantized.supported_engines


def require_fbgemm(what: str) -> None:
    """Raises Problem(UNSUPPORTED) where torch was built without fbgemm."""
    if not has_fbgemm():
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"This build of torch has no {_ENGINE}, which {what} weights need. Use another precision (--ar-precision).",
        )


@contextmanager
def fbgemm_engine() -> Iterator[None]:
    """Packing is done by the engine that is set for the process: fbgemm here, as it was afterwards.

    torch announces that quantised tensors will go in a later release; the packed parameters, which is all that is
    kept of them, and their products stay.
    """
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = _ENGINE
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*quantized tensor creation functions", category=UserWarning)
            yield
    finally:
        torch.backends.quantized.engine = before
