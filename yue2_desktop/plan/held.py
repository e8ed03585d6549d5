"""What a process of ours holds of the machine and gives back when it plans anew: memory that is as good as free."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import psutil

from yue2_desktop.plan.facts import GpuFacts, MachineFacts

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Held:
    """Bytes that the process `pid` holds: of main memory, and of cards by their place in CUDA's order.

    What the driver tells of the process itself goes before `card_bytes`; not every driver does.
    """

    pid: int
    ram_bytes: int = 0
    card_bytes: Mapping[int, int] = field(default_factory=dict)

    def on(self, machine: MachineFacts) -> MachineFacts:
        """The machine as it would be without the process."""
        return replace(
            machine,
            gpus=None if machine.gpus is None else tuple(self._given_back(gpu) for gpu in machine.gpus),
            ram_free=_more(machine.ram_free, self.ram_bytes, machine.ram_total),
            commit_bytes=_more(machine.commit_bytes, self.ram_bytes, None),
        )

    def _given_back(self, gpu: GpuFacts) -> GpuFacts:
        own = next((user for user in gpu.users or () if user.pid == self.pid), None)
        told = None if own is None else own.used_bytes
        index = 0 if gpu.cuda_index is None else gpu.cuda_index
        held = self.card_bytes.get(index, 0) if told is None else told
        users = None if gpu.users is None else tuple(user for user in gpu.users if user is not own)
        return replace(gpu, free_bytes=_more(gpu.free_bytes, held, gpu.total_bytes), users=users)


def held_by(pid: int, card_bytes: Mapping[int, int] | None = None) -> Held:
    """What the process holds now; of main memory what is its own and no file's. Nothing where it cannot be read."""
    try:
        found = psutil.Process(pid).memory_info()
    except psutil.Error as error:
        _log.info("what process %d holds cannot be read: %s", pid, error)
        return Held(pid, 0, card_bytes or {})
    # Pages of files count as free already; Windows tells the private bytes by name.
    own = getattr(found, "private", None)
    return Held(pid, max(0, found.rss - getattr(found, "shared", 0)) if own is None else own, card_bytes or {})


def _more(free: int | None, held: int, total: int | None) -> int | None:
    if free is None:
        return None
    return free + held if total is None else min(total, free + held)
