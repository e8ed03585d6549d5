"""Which NVIDIA driver and which torch build a card needs, and what to do when they do not meet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from yue2_desktop.plan.facts import Capability, GpuFacts, TorchFacts
from yue2_desktop.song.errors import Problem, ProblemKind

#: Lowest driver of a CUDA major version (docs.nvidia.com, CUDA compatibility, table 1).
_MINIMUM: Final = {11: (450, 0), 12: (525, 0), 13: (580, 0)}
#: Below this driver only a CUDA 12 build runs: a report measured 328 s against 61 s a minute of music
#: (user-reports.md, row 28).
FAST_DRIVER: Final = (580, 0)
_GAIN: Final = "was about 5x faster in one report (61 s instead of 328 s a minute of music)"

#: Compute capabilities that the torch builds of 2.12 and later hold kernels for (qt-and-packaging.md).
_BUILDS: Final[dict[str, tuple[Capability, Capability]]] = {"cu126": ((5, 0), (9, 0)), "cu130": ((7, 5), (12, 1))}
TorchBuild = Literal["cpu", "cu126", "cu130"]

_WHERE: Final = "get it from nvidia.com/drivers or your distribution"


@dataclass(frozen=True)
class Advice:
    """Something to do about the driver that would help but is not needed."""

    sentence: str


def parse_driver(text: str) -> tuple[int, int] | None:
    """(major, minor) of `581.29`, `580.65.06` or Windows' `32.0.15.8129`; None for anything else."""
    windows = re.fullmatch(r"\d+\.\d+\.\d*(\d)\.(\d{2})(\d{2})", text.strip())
    if windows is not None and int(text.split(".", maxsplit=1)[0]) < 100:
        return int(windows[1] + windows[2]), int(windows[3])
    plain = re.fullmatch(r"(\d{3,4})(?:\.(\d{1,3}))?(?:\.\d{1,3})?", text.strip())
    return (int(plain[1]), int(plain[2] or 0)) if plain is not None else None


def minimum_driver(cuda: str) -> tuple[int, int] | None:
    """The lowest driver for a CUDA version such as `12.6`; None where we know of none."""
    major = cuda.split(".", maxsplit=1)[0]
    return _MINIMUM.get(int(major)) if major.isdigit() else None


def driver_advice(driver: str | None) -> Advice | None:
    """Advice to update an NVIDIA driver below 580; None from 580 on and for a driver that is not known."""
    version = parse_driver(driver) if driver is not None else None
    if version is None or version >= FAST_DRIVER:
        return None
    return Advice(
        f"Update the NVIDIA driver from {driver} to {FAST_DRIVER[0]} or newer ({_WHERE}): "
        f"the engine build for it {_GAIN}."
    )


def build_for(gpu: GpuFacts | None) -> TorchBuild:
    """The torch build for a card: the newest whose driver and kernels match, `cpu` where none does."""
    if gpu is None or gpu.vendor != "nvidia" or gpu.capability is None:
        return "cpu"
    version = parse_driver(gpu.driver) if gpu.driver is not None else None
    builds: tuple[tuple[TorchBuild, tuple[int, int]], ...] = (("cu130", FAST_DRIVER), ("cu126", _MINIMUM[12]))
    for build, minimum in builds:
        low, high = _BUILDS[build]
        if low <= gpu.capability <= high and version is not None and version >= minimum:
            return build
    return "cpu"


def driver_problem(gpu: GpuFacts, torch: TorchFacts | None) -> Problem | None:
    """Why this torch cannot drive this card, as a problem with its cure; None where nothing is known against it.

    TORCH_WITHOUT_GPU: a build without CUDA beside an NVIDIA card (never a silent run on the processor), or one
    without kernels for the card. DRIVER_TOO_OLD: the driver is older than the build's CUDA needs.
    """
    if gpu.vendor != "nvidia" or torch is None:
        return None
    if torch.cuda is None:
        return _without_gpu(
            gpu,
            torch,
            f"{gpu.label} is there, but the installed torch {torch.version} is a build for the processor only, "
            "which takes hours a song",
        )
    version = parse_driver(gpu.driver) if gpu.driver is not None else None
    minimum = minimum_driver(torch.cuda)
    if version is not None and minimum is not None and version < minimum:
        needed = str(minimum[0])
        return Problem(
            ProblemKind.DRIVER_TOO_OLD,
            f"The NVIDIA driver {gpu.driver} is too old for the engine's CUDA {torch.cuda}: {needed} or newer is "
            f"needed. Update the driver ({_WHERE}) and restart the computer.",
            driver=gpu.driver,
            minimum=needed,
            cuda=torch.cuda,
        )
    return _kernel_problem(gpu, torch)


def _kernel_problem(gpu: GpuFacts, torch: TorchFacts) -> Problem | None:
    major = (torch.cuda or "").split(".", maxsplit=1)[0]
    kernels = _BUILDS.get({"12": "cu126", "13": "cu130"}.get(major, ""))
    # Other CUDA 12 builds (12.8) do hold kernels for the newest cards, so only 12.6 is known to lack them.
    if kernels is None or gpu.capability is None or (major == "12" and torch.cuda != "12.6"):
        return None
    if kernels[0] <= gpu.capability <= kernels[1]:
        return None
    capability = f"{gpu.capability[0]}.{gpu.capability[1]}"
    return _without_gpu(
        gpu,
        torch,
        f"The installed torch {torch.version} (CUDA {torch.cuda}) holds no kernels for {gpu.label} "
        f"(compute capability {capability})",
    )


def _without_gpu(gpu: GpuFacts, torch: TorchFacts, cause: str) -> Problem:
    build = build_for(gpu)
    cure = (
        f"Install the {build} build: pip install torch --index-url https://download.pytorch.org/whl/{build}"
        if build != "cpu"
        else f"Update the NVIDIA driver ({_WHERE}), then install torch from https://download.pytorch.org/whl/cu130"
    )
    return Problem(ProblemKind.TORCH_WITHOUT_GPU, f"{cause}. {cure}.", card=gpu.label, torch=torch.version, build=build)
