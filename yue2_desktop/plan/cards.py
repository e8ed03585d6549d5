"""Which graphics card renders: matched between driver and CUDA by UUID, chosen, remembered, and handed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.song.errors import Problem, ProblemKind


@dataclass(frozen=True)
class CardChoice:
    """The chosen card (None: the processor), a notice if it is not the one that was asked for or remembered.

    `selectable` are the cards among which a user may choose; with fewer than two there is nothing to ask.
    """

    gpu: GpuFacts | None
    notice: str | None = None
    selectable: tuple[GpuFacts, ...] = ()

    @property
    def environment(self) -> dict[str, str]:
        """What the engine process must find in its environment before torch is imported there.

        A choice by UUID holds whatever order CUDA has; an empty list of cards means the processor.
        """
        if self.gpu is None:
            return {"CUDA_VISIBLE_DEVICES": ""}
        if self.gpu.uuid is None:
            return {}
        return {"CUDA_VISIBLE_DEVICES": self.gpu.uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}


def in_cuda_order(gpus: Sequence[GpuFacts], cuda_uuids: Sequence[str]) -> tuple[GpuFacts, ...]:
    """The driver's cards in CUDA's order, each with its `cuda_index`; cards that CUDA does not see are left out.

    `cuda_uuids` are CUDA's, with or without the `GPU-` in front. Their orders differ on some machines
    (user-reports.md, row 33), so nothing else but the UUID says which is which.
    """
    known = {_bare(gpu.uuid): gpu for gpu in gpus if gpu.uuid is not None}
    pairs = ((index, known.get(_bare(uuid))) for index, uuid in enumerate(cuda_uuids))
    return tuple(replace(gpu, cuda_index=index) for index, gpu in pairs if gpu is not None)


def choose_card(gpus: Sequence[GpuFacts], *, wanted: str = "auto", remembered: str | None = None) -> CardChoice:
    """The card to render on.

    `wanted` is `auto`, `cpu`, `cuda`, `cuda:N` (CUDA's index where it is known, else the driver's) or a UUID;
    `remembered` the UUID of an earlier choice. Automatic is the remembered card, else the NVIDIA card with the
    most free memory, never an integrated one beside it. Raises Problem(UNSUPPORTED) if a card that is asked
    for by number or UUID is not there.
    """
    usable = tuple(gpu for gpu in gpus if gpu.vendor == "nvidia" and gpu.integrated is not True)
    if wanted == "cpu":
        return CardChoice(None, selectable=usable)
    if wanted not in {"auto", "cuda"}:
        return CardChoice(_asked_for(usable, wanted), selectable=usable)
    if not usable:
        if wanted == "cuda":
            raise _missing("No NVIDIA card was found", "use --device cpu, or check the card and its driver")
        return CardChoice(None, _gone(remembered, "the processor"), ())
    if remembered is not None:
        for gpu in usable:
            if gpu.uuid is not None and _bare(gpu.uuid) == _bare(remembered):
                return CardChoice(gpu, selectable=usable)
    best = max(usable, key=_room)
    return CardChoice(best, _gone(remembered, best.label), usable)


def _asked_for(usable: tuple[GpuFacts, ...], wanted: str) -> GpuFacts:
    if wanted.startswith("cuda:") and wanted[5:].isdigit():
        number = int(wanted[5:])
        for place, gpu in enumerate(usable):
            if (gpu.cuda_index if gpu.cuda_index is not None else place) == number:
                return gpu
    for gpu in usable:
        if gpu.uuid is not None and _bare(gpu.uuid) == _bare(wanted):
            return gpu
    names = ", ".join(f"cuda:{place} ({gpu.label})" for place, gpu in enumerate(usable)) or "none"
    raise _missing(f"There is no card {wanted}", f"the cards are: {names}")


def _gone(remembered: str | None, instead: str) -> str | None:
    if remembered is None:
        return None
    return f"The card chosen earlier ({remembered}) is not there any more; {instead} is used instead."


def _room(gpu: GpuFacts) -> tuple[int, int]:
    return gpu.free_bytes or 0, gpu.total_bytes or 0


def _bare(uuid: str | None) -> str:
    return (uuid or "").lower().removeprefix("gpu-")


def _missing(cause: str, cure: str) -> Problem:
    return Problem(ProblemKind.UNSUPPORTED, f"{cause}; {cure}.", field="device")
