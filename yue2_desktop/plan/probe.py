"""Reading this machine's facts without torch: what cannot be read is unknown (None) and said, never an error."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.probe_host import read_commit, read_cpu, read_disk, read_ram
from yue2_desktop.plan.probe_nvml import read_cards
from yue2_desktop.plan.probe_torch import read_torch


@dataclass(frozen=True)
class Probed:
    """The facts, and one sentence for each that could not be read."""

    machine: MachineFacts
    unread: tuple[str, ...]


def read_machine(folder: Path) -> Probed:
    """Facts of this machine now; `folder` is where takes go (its disk counts). Takes some 20-100 ms."""
    platform = "windows" if sys.platform == "win32" else "linux" if sys.platform.startswith("linux") else sys.platform
    cards, ram, disk = read_cards(), read_ram(), read_disk(folder)
    machine = MachineFacts(
        gpus=cards.gpus,
        torch=read_torch(),
        platform=platform,
        cpu=read_cpu(),
        ram_total=ram.total,
        ram_free=ram.free,
        commit_bytes=read_commit(platform),
        disk_free=disk.free,
    )
    return Probed(machine, tuple(reason for reason in (cards.reason, ram.reason, disk.reason) if reason is not None))
