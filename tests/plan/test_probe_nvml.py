"""NVML through a stand-in: whatever it refuses becomes unknown, and nothing raises."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.probe_nvml import read_cards
from yue2_desktop.plan.sizes import GIB


class NVMLError(Exception):
    """As nvidia-ml-py names its own."""


class NVMLError_LibraryNotFound(NVMLError):  # noqa: N801, N818 - nvidia-ml-py's own spelling
    """No driver is installed."""


def _nvml(**answers: object) -> SimpleNamespace:
    """A module with one RTX 3050; `answers` replace single functions, an exception is raised by its function."""

    def function(value: object) -> Callable[..., object]:
        def ask(*_: object) -> object:
            if isinstance(value, Exception):
                raise value
            return value

        return ask

    usual: dict[str, object] = {
        "nvmlInit": None,
        "nvmlShutdown": None,
        "nvmlDeviceGetCount": 1,
        "nvmlSystemGetDriverVersion": "581.29",
        "nvmlDeviceGetHandleByIndex": "handle",
        "nvmlDeviceGetName": b"RTX 3050",
        "nvmlDeviceGetUUID": "GPU-1",
        "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=6 * GIB, free=5 * GIB),
        "nvmlDeviceGetCudaComputeCapability": [8, 6],
        "nvmlDeviceGetComputeRunningProcesses": [],
        "nvmlDeviceGetGraphicsRunningProcesses": [],
        "nvmlSystemGetProcessName": b"C:\\Games\\game.exe",
    }
    return SimpleNamespace(**{name: function(value) for name, value in {**usual, **answers}.items()})


def test_a_card_as_the_driver_tells_it() -> None:
    assert read_cards(_nvml).gpus == (
        GpuFacts(
            name="RTX 3050", uuid="GPU-1", total_bytes=6 * GIB, free_bytes=5 * GIB, capability=(8, 6),
            driver="581.29", users=(),
        ),
    )  # fmt: skip


def test_no_driver_means_no_card() -> None:
    cards = read_cards(lambda: _nvml(nvmlInit=NVMLError_LibraryNotFound("not found")))
    assert (cards.gpus, cards.reason) == ((), None)


def test_any_other_failure_means_unknown_with_its_reason() -> None:
    cards = read_cards(lambda: _nvml(nvmlInit=NVMLError("driver/library version mismatch")))
    assert cards.gpus is None
    assert cards.reason == "The graphics cards could not be read: driver/library version mismatch."
    assert read_cards(lambda: _nvml(nvmlDeviceGetCount=NVMLError("no"))).gpus is None


def test_a_missing_module_means_unknown() -> None:
    def missing() -> Any:
        raise ImportError("No module named 'pynvml'")

    cards = read_cards(missing)
    assert cards.gpus is None
    assert cards.reason is not None
    assert "nvidia-ml-py is missing" in cards.reason


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("nvmlDeviceGetName", "name"),
        ("nvmlDeviceGetUUID", "uuid"),
        ("nvmlDeviceGetMemoryInfo", "free_bytes"),
        ("nvmlDeviceGetCudaComputeCapability", "capability"),
        ("nvmlSystemGetDriverVersion", "driver"),
    ],
)
def test_a_question_that_is_refused_is_one_unknown_fact(question: str, fact: str) -> None:
    cards = read_cards(lambda: _nvml(**{question: NVMLError("not supported")}))
    assert cards.gpus is not None
    assert getattr(cards.gpus[0], fact) is None
    assert sum(getattr(cards.gpus[0], name) is not None for name in ("name", "uuid", "capability", "driver")) >= 3


def test_sizes_that_cannot_be_are_unknown() -> None:
    nonsense = SimpleNamespace(total=6 * GIB, free=7 * GIB)
    cards = read_cards(lambda: _nvml(nvmlDeviceGetMemoryInfo=nonsense))
    assert cards.gpus is not None
    assert (cards.gpus[0].total_bytes, cards.gpus[0].free_bytes) == (6 * GIB, None)


def test_other_processes_with_names_and_bytes() -> None:
    known = SimpleNamespace(pid=2**30, usedGpuMemory=GIB)
    hidden = SimpleNamespace(pid=2**30 + 1, usedGpuMemory=None)
    listed = {
        "nvmlDeviceGetComputeRunningProcesses": [known],
        "nvmlDeviceGetGraphicsRunningProcesses": [hidden, SimpleNamespace(pid=2**30, usedGpuMemory=None)],
    }
    cards = read_cards(lambda: _nvml(**listed))
    assert cards.gpus is not None
    users = cards.gpus[0].users
    assert users is not None
    # No process has these ids, so the driver's path gives the names.
    assert [(user.name, user.used_bytes) for user in users] == [("game.exe", GIB), ("game.exe", None)]


def test_processes_that_are_hidden_are_unknown() -> None:
    refused = {
        "nvmlDeviceGetComputeRunningProcesses": NVMLError("no permission"),
        "nvmlDeviceGetGraphicsRunningProcesses": NVMLError("no permission"),
    }
    cards = read_cards(lambda: _nvml(**refused))
    assert cards.gpus is not None
    assert cards.gpus[0].users is None


def test_a_value_that_is_not_available_is_unknown() -> None:
    listed = {"nvmlDeviceGetComputeRunningProcesses": [SimpleNamespace(pid=2**30, usedGpuMemory=2**64 - 1)]}
    cards = read_cards(lambda: _nvml(**listed))
    assert cards.gpus is not None
    assert cards.gpus[0].users is not None
    assert cards.gpus[0].users[0].used_bytes is None
