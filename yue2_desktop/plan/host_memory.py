"""Main memory, commit limit and disk that a plan takes, and how the files are read when memory is short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.shape import ModelShape
from yue2_desktop.plan.sizes import GIB, MIB, gib, shortfall
from yue2_desktop.song.stages import CHANNELS, SAMPLE_RATE

#: Resident size of the engine process before any weights: Python and torch, and with CUDA its libraries and
#: the context's share. Estimates, to be replaced by measurement.
ENGINE_BYTES: Final = 450 * MIB
ENGINE_CUDA_BYTES: Final = 1300 * MIB
#: The one bounded buffer between file and card; twice, so that one fills while the other is copied.
STAGING_BYTES: Final = 2 * 128 * MIB
#: Pinned memory cannot be paged out, so it is used only while this much stays free beside the plan.
PINNED_FLOOR: Final = 2 * GIB
#: Size of the released checkpoint's one file, which a reader maps or reads (spec/yue2.md, section 1).
CHECKPOINT_BYTES: Final = 7_261_441_640


@dataclass(frozen=True)
class HostPlan:
    """Main memory of a plan: bytes, whether copies are pinned, how files are read, and what to warn of.

    `commit_bytes` is what the system must be able to promise; on Windows memory of the card counts in it.
    """

    ram_bytes: int
    commit_bytes: int
    pinned: bool
    read: Literal["pread", "mmap"]
    warnings: tuple[str, ...] = ()


def host_plan(machine: MachineFacts, demand: SongDemand, *, card_bytes: int, processor_bytes: int) -> HostPlan:
    """The host's share of a plan whose stages take at most `card_bytes` on the card, `processor_bytes` here.

    Weights that go to the card pass through the staging buffer and are never kept here (design: the stages).
    """
    on_card = card_bytes > 0
    base = ENGINE_CUDA_BYTES + STAGING_BYTES if on_card else ENGINE_BYTES
    ram = base + processor_bytes + 2 * _sound_bytes(demand)
    short = machine.ram_free is None or machine.ram_free - ram < PINNED_FLOOR
    # Mapping a file larger than memory crashes natively on some Windows machines.
    mappable = machine.platform != "windows" or (machine.ram_total or 0) > CHECKPOINT_BYTES
    return HostPlan(
        ram_bytes=ram,
        commit_bytes=ram + (card_bytes if machine.platform == "windows" else 0),
        pinned=on_card and not short,
        read="mmap" if short and mappable else "pread",
        warnings=_warnings(machine, ram) if short else (),
    )


def host_shortage(machine: MachineFacts, plan: HostPlan) -> str | None:
    """Why the plan does not fit main memory or commit limit, with the cure; None where it fits or none is known."""
    if machine.ram_free is not None and plan.ram_bytes > machine.ram_free:
        need, have = shortfall(plan.ram_bytes, machine.ram_free)
        return f"it takes {need} of main memory and {have} are free; close other programs"
    if machine.commit_bytes is not None and plan.commit_bytes > machine.commit_bytes:
        need, have = shortfall(plan.commit_bytes, machine.commit_bytes)
        more, _ = shortfall(plan.commit_bytes - machine.commit_bytes, 0)
        return f"the system can promise only {have} of the {need} it takes; enlarge the page file by {more}"
    return None


def disk_bytes(shape: ModelShape, demand: SongDemand) -> int:
    """Bytes that a take writes at most.

    Audio is counted as 24-bit PCM and once more for the temporary file that is renamed at the end.
    """
    frames = demand.frames_ceiling
    audio = round(frames / 25 * SAMPLE_RATE) * CHANNELS * 3
    arrays = frames * shape.latent_dim * 4 * 3 + 8 * (frames + demand.prefix)
    return 2 * audio + arrays + 2 * MIB


def disk_shortage(machine: MachineFacts, needed: int) -> str | None:
    """Why the plan does not fit the disk; None where it fits or the disk is not known."""
    if machine.disk_free is None or needed <= machine.disk_free:
        return None
    return (
        f"a take writes up to {gib(needed)} and the disk that takes go to has {gib(machine.disk_free)} free; "
        "make room there, or choose another folder for takes"
    )


def _sound_bytes(demand: SongDemand) -> int:
    return round(demand.frames_ceiling / 25 * SAMPLE_RATE) * CHANNELS * 4


def _warnings(machine: MachineFacts, ram: int) -> tuple[str, ...]:
    if machine.ram_free is None:
        return ()
    warning = (
        f"Only {gib(machine.ram_free)} of main memory are free and the render takes about {gib(ram)}: copies to the "
        "card are not pinned, and loading will be slower. Close other programs."
    )
    return (warning,)
