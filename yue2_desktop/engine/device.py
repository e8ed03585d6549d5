"""Which device and number format a render runs on, and the settings of torch that keep it exact."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from yue2_desktop.song.errors import Problem, ProblemKind

#: The first compute capability with bf16 arithmetic. The driver's own answer may be yes on older cards (emulation).
BF16_CAPABILITY = (8, 0)


@dataclass(frozen=True)
class Device:
    """Where the model's arithmetic runs, and in which dtype."""

    device: torch.device
    dtype: torch.dtype

    @property
    def label(self) -> str:
        """For people and for take.json: the card's name, or CPU."""
        if self.device.type == "cuda":
            return torch.cuda.get_device_name(self.device)
        return "CPU"


def choose_device(wanted: str, dtype: str) -> Device:
    """`wanted` is auto, cpu, cuda or cuda:N; `dtype` is auto, bfloat16 or float32.

    auto takes the first CUDA device where there is one, and bfloat16 where the device computes in it. Raises Problem.
    """
    device = _device(wanted)
    capable = _computes_bf16(device)
    if dtype == "auto":
        return Device(device, torch.bfloat16 if capable else torch.float32)
    if dtype == "float32":
        return Device(device, torch.float32)
    if dtype != "bfloat16":
        raise Problem(ProblemKind.BAD_REQUEST, f"--dtype is '{dtype}'; it can be auto, bfloat16 or float32.")
    if device.type == "cuda" and not capable:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"{torch.cuda.get_device_name(device)} has no bfloat16 arithmetic (compute capability 8.0 or later has). "
            "Use --dtype float32, or --device cpu.",
        )
    return Device(device, torch.bfloat16)


def _device(wanted: str) -> torch.device:
    if wanted == "auto":
        return torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    if wanted == "cpu":
        return torch.device("cpu")
    name, _, number = wanted.partition(":")
    if name != "cuda" or (":" in wanted and not number.isdecimal()):
        raise Problem(ProblemKind.BAD_REQUEST, f"--device is '{wanted}'; it can be auto, cpu, cuda or cuda:N.")
    if not torch.cuda.is_available():
        build = "was built without CUDA" if torch.version.cuda is None else "finds no CUDA device"
        raise Problem(
            ProblemKind.TORCH_WITHOUT_GPU,
            f"The installed torch {torch.__version__} {build}. Use --device cpu, or install a CUDA build of torch.",
        )
    index = int(number or 0)
    if index >= torch.cuda.device_count():
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"There is no cuda:{index}; this machine has {torch.cuda.device_count()} CUDA device(s), counted from 0.",
        )
    return torch.device("cuda", index)


def _computes_bf16(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device) >= BF16_CAPABILITY
    return cpu_computes_bf16()


def cpu_computes_bf16() -> bool:
    """Whether this CPU multiplies bf16 in hardware (AVX512-BF16 or AMX); without it bf16 is far slower than fp32."""
    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    if capabilities:
        return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16") or capabilities.get("bf16"))
    probe = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return bool(probe and probe())


def configure_torch(threads: int | None) -> None:
    """Settings of the reference (spec yue2, section 9): no TF32, no reduced precision, deterministic cuDNN.

    `threads` sets how many CPU threads a computation uses; None leaves torch's choice.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
