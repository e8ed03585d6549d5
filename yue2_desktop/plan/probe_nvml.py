"""NVIDIA cards as the driver describes them, through nvidia-ml-py, which is imported only when asked."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import psutil

from yue2_desktop.plan.facts import CardUser, GpuFacts

#: NVML's answers that mean "this machine has no NVIDIA driver", which is a fact and not a failure.
_NO_DRIVER: Final = ("NVMLError_LibraryNotFound", "NVMLError_DriverNotLoaded", "NVMLError_NoGpu")


@dataclass(frozen=True)
class Cards:
    """The NVIDIA cards; `gpus` None and a reason when they could not be read, () when there are none."""

    gpus: tuple[GpuFacts, ...] | None
    reason: str | None = None


def read_cards(load: Callable[[], Any] = lambda: importlib.import_module("pynvml")) -> Cards:
    """The cards in the driver's order. `load` gives the NVML module (tests pass their own).

    Whatever a single question answers with an error becomes None in that card's facts.
    """
    try:
        nvml = load()
    except ImportError as error:
        return Cards(None, f"The graphics cards could not be read: nvidia-ml-py is missing ({error}).")
    try:
        nvml.nvmlInit()
    except Exception as error:  # noqa: BLE001 - NVML and its loader raise kinds of their own; all mean "unknown"
        if type(error).__name__ in _NO_DRIVER:
            return Cards(())
        return Cards(None, f"The graphics cards could not be read: {error}.")
    try:
        count = _ask(nvml.nvmlDeviceGetCount)
        if count is None:
            return Cards(None, "The graphics cards could not be counted: the driver gave an error.")
        driver = _text(_ask(nvml.nvmlSystemGetDriverVersion))
        cards = [_card(nvml, index, driver) for index in range(count)]
        return Cards(tuple(card for card in cards if card is not None))
    finally:
        _ask(nvml.nvmlShutdown)


def _card(nvml: Any, index: int, driver: str | None) -> GpuFacts | None:
    handle = _ask(nvml.nvmlDeviceGetHandleByIndex, index)
    if handle is None:
        return None
    memory = _ask(nvml.nvmlDeviceGetMemoryInfo, handle)
    total, free = _size(memory, "total"), _size(memory, "free")
    if total is not None and free is not None and free > total:
        free = None
    capability = _ask(nvml.nvmlDeviceGetCudaComputeCapability, handle)
    return GpuFacts(
        name=_text(_ask(nvml.nvmlDeviceGetName, handle)),
        uuid=_text(_ask(nvml.nvmlDeviceGetUUID, handle)),
        total_bytes=total,
        free_bytes=free,
        capability=None if capability is None else (int(capability[0]), int(capability[1])),
        driver=driver,
        users=_users(nvml, handle),
    )


def _users(nvml: Any, handle: Any) -> tuple[CardUser, ...] | None:
    lists = [
        _ask(question, handle)
        for question in (nvml.nvmlDeviceGetComputeRunningProcesses, nvml.nvmlDeviceGetGraphicsRunningProcesses)
    ]
    if all(found is None for found in lists):
        return None
    users: dict[int, CardUser] = {}
    for process in (process for found in lists for process in found or ()):
        pid = int(process.pid)
        size = _size(process, "usedGpuMemory")
        if pid not in users or (size or 0) > (users[pid].used_bytes or 0):
            users[pid] = CardUser(pid, _process_name(nvml, pid), size)
    return tuple(sorted(users.values(), key=lambda user: -(user.used_bytes or 0)))


def _process_name(nvml: Any, pid: int) -> str | None:
    try:
        return psutil.Process(pid).name()
    except psutil.Error:
        # A process of another user: the driver may still tell its path.
        path = _text(_ask(nvml.nvmlSystemGetProcessName, pid))
        return None if path is None else path.replace("\\", "/").rsplit("/", 1)[-1] or None


def _ask(question: Callable[..., Any], *arguments: Any) -> Any:
    """The answer, or None: each question may be refused by driver, card or rights, and then is unknown."""
    try:
        return question(*arguments)
    except Exception:  # noqa: BLE001 - NVML raises kinds of its own, ctypes others; all mean "unknown"
        return None


def _size(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    # NVML_VALUE_NOT_AVAILABLE is all ones; no card has that much.
    return value if isinstance(value, int) and 0 <= value < 2**50 else None


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) and value else None
