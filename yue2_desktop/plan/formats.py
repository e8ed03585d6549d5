"""Weight formats: bits in a file and on a device, the kernel that multiplies with them, and what is lost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from yue2_desktop.plan.facts import Capability

#: Below this compute capability a card has no native BF16 (user-reports.md, row 37); int4 kernels need it too.
BF16_CAPABILITY: Final[Capability] = (8, 0)
#: `torch._scaled_mm` on E4M3 needs this (memory-and-speed.md, section 5).
FP8_CAPABILITY: Final[Capability] = (8, 9)


@dataclass(frozen=True)
class WeightFormat:
    """One way to store weights.

    `file_bits` and `device_bits` are bits a weight in a file and on a device, scales included. `error` is the
    relative Frobenius error of the weights against BF16 (memory-and-speed.md, section 5), None where nobody
    measured it; `rank` orders formats by what they keep, 0 is exact. `gpu_kernel` and `cpu_kernel` name the
    product of decoding; `dequantise` means that no fast one exists.
    """

    name: str
    file_bits: Fraction
    device_bits: Fraction
    rank: int
    error: float | None
    gpu_kernel: str
    cpu_kernel: str

    @property
    def exact(self) -> bool:
        """Whether the weights are the checkpoint's own, bit for bit."""
        return self.rank == 0

    @property
    def label(self) -> str:
        """The name as users know it."""
        return _LABELS.get(self.name, self.name.upper())


_LABELS: Final = {"int8": "W8A8"}


def _format(
    name: str, file_bits: str, rank: int, error: float | None, gpu: str, cpu: str, device_bits: str = ""
) -> WeightFormat:
    return WeightFormat(name, Fraction(file_bits), Fraction(device_bits or file_bits), rank, error, gpu, cpu)


#: For decoding, types of more than 4 bits lie on the device as two int4 matrices and 4-bit ones as one, each with bf16
#: scale and zero a group of 32: 4 + 32/32 = 5 bits (engine/quant/int4_codes.py). For many rows at once, as NAR does,
#: all of them keep their file's bytes.
_FORMATS: Final = (
    _format("f32", "32", 0, 0.0, "dense", "dense"),
    _format("bf16", "16", 0, 0.0, "dense", "packed-fp16"),
    _format("f16", "16", 0, 0.0, "dense", "packed-fp16"),
    _format("q8_0", "17/2", 1, 5.4e-3, "int4x2", "int4x2", device_bits="10"),
    _format("int8", "8", 2, 8.3e-3, "dequantise", "w8a8"),
    _format("q6_k", "105/16", 3, None, "int4x2", "packed-fp16", device_bits="10"),
    _format("fp8", "8", 4, 2.6e-2, "fp8", "dequantise"),
    _format("q5_k", "11/2", 5, None, "int4x2", "int4x2", device_bits="10"),
    _format("q5_1", "6", 6, None, "int4x2", "int4x2", device_bits="10"),
    _format("q5_0", "11/2", 7, 4.3e-2, "int4x2", "int4x2", device_bits="10"),
    _format("q4_k", "9/2", 8, None, "int4", "int4", device_bits="5"),
    _format("q4_1", "5", 9, None, "int4", "int4", device_bits="5"),
    _format("q4_0", "9/2", 10, 8.6e-2, "int4", "int4", device_bits="5"),
    _format("q3_k", "55/16", 11, None, "int4x2", "packed-fp16", device_bits="10"),
    _format("q2_k", "21/8", 12, None, "int4x2", "packed-fp16", device_bits="10"),
)
FORMATS: Final = {fmt.name: fmt for fmt in _FORMATS}

#: What the NAR half may be in without being rejected by ear: BF16 or 8 bit (memory-and-speed.md, section 5).
NAR_RANK_LIMIT: Final = FORMATS["int8"].rank


def format_named(name: str) -> WeightFormat:
    """The format that a GGUF type or an option names (`Q8_0`, `bf16`); raises KeyError for another name."""
    return FORMATS[name.lower()]


def bytes_of(elements: int, bits: Fraction) -> int:
    """Whole bytes of `elements` weights of `bits` each."""
    return -(-elements * bits.numerator // (bits.denominator * 8))
