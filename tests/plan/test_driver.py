"""Drivers and torch builds: user-reports.md, rows 27, 28 and 30."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.driver import build_for, driver_advice, driver_problem, minimum_driver, parse_driver
from yue2_desktop.plan.facts import GpuFacts, TorchFacts
from yue2_desktop.song.errors import ProblemKind

CUDA_13 = TorchFacts("2.13.0+cu130", "13.0")
CUDA_126 = TorchFacts("2.13.0+cu126", "12.6")


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("527", (527, 0)),
        ("527.41", (527, 41)),
        ("580.65.06", (580, 65)),
        ("32.0.15.8129", (581, 29)),
        ("31.0.15.3179", (531, 79)),
        ("", None),
        ("nvidia", None),
    ],
)
def test_versions_of_both_systems(text: str, version: tuple[int, int] | None) -> None:
    assert parse_driver(text) == version


@pytest.mark.parametrize(("driver", "advised"), [("527", True), ("576", True), ("580", False), ("581", False)])
def test_row_28_advice_below_580_only(driver: str, advised: bool) -> None:
    advice = driver_advice(driver)
    assert (advice is not None) == advised
    if advice is not None:
        assert "about 5x" in advice.sentence
        assert f"from {driver} to 580" in advice.sentence


def test_an_unknown_driver_gets_no_advice() -> None:
    assert driver_advice(None) is None
    assert driver_advice("?") is None


def test_row_27_an_old_driver_with_a_cuda_13_build_is_refused() -> None:
    card = GpuFacts(name="GTX 1660 Super", capability=(7, 5), driver="531.18")
    problem = driver_problem(card, CUDA_13)
    assert problem is not None
    assert problem.kind is ProblemKind.DRIVER_TOO_OLD
    assert "531.18 is too old for the engine's CUDA 13.0: 580 or newer is needed" in problem.sentence
    assert "Update the driver" in problem.sentence
    assert driver_problem(card, CUDA_126) is None


def test_row_30_a_torch_without_cuda_beside_a_card_is_refused() -> None:
    card = GpuFacts(name="RTX 3060", capability=(8, 6), driver="581.29")
    problem = driver_problem(card, TorchFacts("2.13.0+cpu", None))
    assert problem is not None
    assert problem.kind is ProblemKind.TORCH_WITHOUT_GPU
    assert "hours" in problem.sentence
    assert "--index-url https://download.pytorch.org/whl/cu130" in problem.sentence


def test_kernels_must_cover_the_card() -> None:
    blackwell = GpuFacts(name="RTX 5070", capability=(12, 0), driver="581.29")
    problem = driver_problem(blackwell, CUDA_126)
    assert problem is not None
    assert "no kernels for RTX 5070 (compute capability 12.0). Install the cu130 build" in problem.sentence
    assert driver_problem(blackwell, CUDA_13) is None
    pascal = GpuFacts(name="GTX 1070", capability=(6, 1), driver="581.29")
    problem = driver_problem(pascal, CUDA_13)
    assert problem is not None
    assert "Install the cu126 build" in problem.sentence
    # CUDA 12.8 builds exist that hold kernels for the newest cards: nothing is known against them.
    assert driver_problem(blackwell, TorchFacts("2.9.0+cu128", "12.8")) is None


def test_nothing_known_nothing_refused() -> None:
    assert driver_problem(GpuFacts(), None) is None
    assert driver_problem(GpuFacts(), CUDA_13) is None
    assert driver_problem(GpuFacts(vendor="intel"), TorchFacts("2.13.0+cpu", None)) is None
    assert driver_problem(GpuFacts(driver="535"), TorchFacts("3.0", "99.0")) is None


@pytest.mark.parametrize(
    ("capability", "driver", "build"),
    [
        ((8, 6), "581.29", "cu130"),
        ((8, 6), "576.02", "cu126"),
        ((6, 1), "581.29", "cu126"),
        ((12, 0), "576.02", "cpu"),
        ((8, 6), "470.1", "cpu"),
        ((8, 6), None, "cpu"),
        (None, "581.29", "cpu"),
    ],
)
def test_the_build_for_a_card(capability: tuple[int, int] | None, driver: str | None, build: str) -> None:
    assert build_for(GpuFacts(capability=capability, driver=driver)) == build


def test_a_card_that_no_build_drives_needs_a_driver_first() -> None:
    problem = driver_problem(GpuFacts(name="X", capability=(8, 6), driver="470.1"), TorchFacts("2.13.0+cpu", None))
    assert problem is not None
    assert "Update the NVIDIA driver" in problem.sentence


@pytest.mark.parametrize(("cuda", "minimum"), [("12.6", (525, 0)), ("13.0", (580, 0)), ("", None), ("x", None)])
def test_minimum_drivers(cuda: str, minimum: tuple[int, int] | None) -> None:
    assert minimum_driver(cuda) == minimum
