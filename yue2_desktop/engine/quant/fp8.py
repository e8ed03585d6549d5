"""E4M3 weights: the reference runtime's own codes with one scale a matrix, and a finer variant with one a row.

The product is torch's tensor-wise one, which both systems have: with a scale a row it runs at weight scale 1 and the
output is multiplied, which is the same mathematics (memory-and-speed, section 5; spec yue2, section 8, FP8).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.song.errors import Problem, ProblemKind

#: The largest E4M3 number.
LARGEST = 448.0
#: Compute capability from which `torch._scaled_mm` takes E4M3.
FP8_CAPABILITY = (8, 9)
#: The kernel takes multiples of so many rows, and weights of such dimensions.
_TILE = 16
_SMALLEST_PEAK = 1e-12


@dataclass(frozen=True)
class Fp8Linear:
    """codes float8_e4m3fn [out, in]; scale float32 [1], or [out] for one a row.

    x is rounded to E4M3 with one scale for all its rows. On the CPU the same codes are multiplied in float32: a
    reference for tests.
    """

    codes: torch.Tensor
    scale: torch.Tensor

    @property
    def out_features(self) -> int:
        return self.codes.shape[0]

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes + self.scale.nbytes

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        rows, scale_x = fp8_codes(x)
        if x.device.type == "cpu":
            product = F.linear(rows.float(), self.codes.float()) * scale_x * self.scale
            return product.to(x.dtype)
        whole = self.scale.numel() == 1
        padded = F.pad(rows.view(torch.uint8), (0, 0, 0, -x.shape[0] % _TILE)).view(torch.float8_e4m3fn)
        y = torch._scaled_mm(  # noqa: SLF001 - its only name
            padded,
            self.codes.t(),
            scale_a=scale_x,
            scale_b=self.scale if whole else torch.ones_like(scale_x),
            out_dtype=torch.bfloat16,
            use_fast_accum=False,
        )[: x.shape[0]]
        return (y if whole else y * self.scale).to(x.dtype)


def fp8_codes(values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """values [n, k] -> codes float8_e4m3fn [n, k] and their scale float32 [1], the largest magnitude over 448."""
    wide = values.float()
    scale = wide.abs().amax().clamp_min(_SMALLEST_PEAK).view(1) / LARGEST
    return _rounded(wide, scale), scale


def fp8_row_codes(values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """As `fp8_codes`, with a scale for each row, float32 [n]."""
    wide = values.float()
    scale = wide.abs().amax(1).clamp_min(_SMALLEST_PEAK) / LARGEST
    return _rounded(wide, scale[:, None]), scale


def _rounded(wide: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return (wide / scale).clamp_(-LARGEST, LARGEST).to(torch.float8_e4m3fn)


def pack_fp8(weight: torch.Tensor, device: torch.device, *, by_row: bool = False) -> Fp8Linear:
    """Rounds a matrix to E4M3 on `device`. Raises Problem(UNSUPPORTED) for cards and matrices that do not suit."""
    require_fp8(device)
    if weight.shape[0] % _TILE or weight.shape[1] % _TILE:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"FP8 takes matrices with sides of multiples of {_TILE}, this one is {list(weight.shape)}. "
            "Use --mode bf16.",
        )
    codes, scale = (fp8_row_codes if by_row else fp8_codes)(weight.to(device))
    return Fp8Linear(codes, scale)


def require_fp8(device: torch.device) -> None:
    """Raises Problem(UNSUPPORTED) when the card has no FP8 arithmetic; the CPU computes the reference."""
    if device.type != "cuda":
        return
    capability = torch.cuda.get_device_capability(device)
    if capability < FP8_CAPABILITY:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"{torch.cuda.get_device_name(device)} has compute capability {capability[0]}.{capability[1]}, "
            "FP8 needs 8.9. Use --mode offload-ar.",
        )
