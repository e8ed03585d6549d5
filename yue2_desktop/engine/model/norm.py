"""RMSNorm in the model's own rounding order (spec yue2, section 3), which is not that of Llama or `F.rms_norm`."""

from __future__ import annotations

import torch


def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    """Normalises the last dimension of x [..., d] by its root mean square; weight [d]; result in x's dtype.

    The reciprocal root is fp32 and is rounded to x's dtype *before* it multiplies x; both products are rounded.
    """
    reciprocal = torch.rsqrt(x.float().square().mean(-1, keepdim=True) + eps)
    return (x * reciprocal.to(x.dtype)).mul_(weight)
