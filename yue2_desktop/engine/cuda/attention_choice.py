"""Which fused attention kernel a card uses: each is asked once with tiny inputs; the plain path is never taken.

The plain path writes out every score: 9.7 GiB for a song of 3.6 minutes (memory-and-speed, section 5). On some
builds torch takes it in silence, on others it names a kernel that it does not hold (user-reports.md, row 29).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.cuda.verdicts import Verdict, judged
from yue2_desktop.engine.model.attention import causal_attention, open_attention
from yue2_desktop.plan.attention import FUSED, choose_attention
from yue2_desktop.song.errors import Problem, ProblemKind

_BACKENDS: Final = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
}
#: Relative error (Frobenius) that a kernel may have against float64. The inputs are exact, so that it is the kernel's
#: own: probabilities and results rounded to the dtype (2^-9 in bf16), or float32 products on tensor cores. The CPU's
#: kernels have a quarter of it.
TOLERANCE: Final = {torch.bfloat16: 8e-3, torch.float16: 1e-3, torch.float32: 2e-3}
#: Rows and keys of the probes: a prefill, a decode step, a velocity evaluation.
_PREFILL, _OPEN = 160, ((1, 200), (70, 230))

Attention = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class AttentionChoice:
    """The fused kernels that answered right, best first, and for each other one that was asked why not."""

    accepted: tuple[str, ...]
    rejected: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str | None:
        """The kernel that is used; None where there is none."""
        return choose_attention(self.accepted)

    @property
    def sentence(self) -> str:
        """For the log."""
        return f"attention: {self.name or 'no fused kernel'}" + (f" ({self.refusals})" if self.rejected else "")

    @property
    def refusals(self) -> str:
        return "; ".join(f"{name}: {reason}" for name, reason in self.rejected)


def choose(ask: Callable[[str], Verdict]) -> AttentionChoice:
    """The choice by what `ask` finds for each kernel. cuDNN, slow to start, is asked only if both others fail."""
    verdicts: dict[str, Verdict] = {}
    for name in FUSED:
        if name != "cudnn" or not any(verdict.ok for verdict in verdicts.values()):
            verdicts[name] = ask(name)
    return AttentionChoice(
        tuple(name for name, verdict in verdicts.items() if verdict.ok),
        tuple((name, verdict.reason) for name, verdict in verdicts.items() if not verdict.ok),
    )


@contextmanager
def fused_attention(device: torch.device, choice: AttentionChoice) -> Iterator[None]:
    """Inside, attention on a CUDA device runs on the chosen kernels in order and never on the plain path.

    Other devices are left alone. Raises Problem(UNSUPPORTED) where no fused kernel gives right results.
    """
    if device.type != "cuda":
        yield
        return
    if not choice.accepted:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"No fused attention of torch {torch.__version__} works on {torch.cuda.get_device_name(device)} "
            f"({choice.refusals}). Update the driver or install another build of torch, or use --device cpu.",
        )
    with sdpa_kernel([_BACKENDS[name] for name in choice.accepted], set_priority=True):
        yield


def probe_attention(name: str, device: torch.device, dtype: torch.dtype) -> Verdict:
    """Whether a fused kernel gives right results on a device. Errors of the call are the caller's to read."""
    if name == "flash" and not torch.backends.cuda.is_flash_attention_available():
        return Verdict(False, "not in this build of torch")
    with warnings.catch_warnings(), sdpa_kernel([_BACKENDS[name]]):
        warnings.simplefilter("ignore")  # torch explains at length why it does not take a kernel
        return judged(_errors(device, dtype), TOLERANCE[dtype])


def _errors(device: torch.device, dtype: torch.dtype) -> Iterator[float]:
    """Relative errors of the model's own calls in the released shapes, against float64 on the CPU."""
    generator = torch.Generator().manual_seed(7)
    heads, kv_heads, d = RELEASED_MODEL.heads, RELEASED_MODEL.kv_heads, RELEASED_MODEL.head_dim
    calls: tuple[tuple[Attention, int, int, bool], ...] = (
        (causal_attention, _PREFILL, _PREFILL, True),
        *((open_attention, rows, keys, False) for rows, keys in _OPEN),
    )
    for attention, rows, keys, causal in calls:
        shapes = ((heads, rows, d), (kv_heads, keys, d), (kv_heads, keys, d))
        q, k, v = (torch.randn(shape, generator=generator).to(dtype) for shape in shapes)
        wanted = plain_attention(q, k, v, causal=causal)
        # The model's attention may write into its queries.
        found = attention(q.to(device, copy=True), k.to(device), v.to(device))
        yield float((found.double().cpu() - wanted).norm() / wanted.norm())


def plain_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool) -> torch.Tensor:
    """The definition, in float64: q [heads, n, d], k and v [kv_heads, t, d] -> [heads, n, d]."""
    group = q.shape[0] // k.shape[0]
    keys, values = (x.double().repeat_interleave(group, dim=0) for x in (k, v))
    scores = q.double() @ keys.transpose(1, 2) / q.shape[-1] ** 0.5
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
    seen: torch.Tensor = scores.softmax(-1) @ values
    return seen
