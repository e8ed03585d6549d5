"""All plans that could be tried for a song, in the order of preference: sound first, then waiting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from yue2_desktop.plan.facts import CpuFacts, GpuFacts
from yue2_desktop.plan.formats import BF16_CAPABILITY, FORMATS, NAR_RANK_LIMIT
from yue2_desktop.plan.memory_nar import Residency
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.weights import Half, Inventory, half, on_processor
from yue2_desktop.song.render_settings import Mode

Device = Literal["cuda", "cpu"]


@dataclass(frozen=True)
class Candidate:
    """One way to render: the weights of either half, where each computes, how NAR is kept."""

    mode: Mode
    ar: Half
    nar: Half
    ar_device: Device
    nar_device: Device
    residency: Residency

    @property
    def both_resident(self) -> bool:
        """Whether both halves stay on the card through all stages (mode bf16)."""
        return self.mode == "bf16" and self.nar_device == "cuda" and self.ar_device == "cuda"

    @property
    def exact(self) -> bool:
        """Whether it computes with the checkpoint's own weights."""
        return self.ar.format.exact and self.nar.format.exact

    @property
    def label(self) -> str:
        """What users read: which weights, where, how kept."""
        if self.ar_device != self.nar_device:
            return f"AR {_name(self.ar)} on the processor, NAR {_name(self.nar)} {self.residency} on the card"
        if self.ar_device == "cpu":
            return f"on the processor, AR {_name(self.ar)}, NAR {_name(self.nar)}"
        if self.both_resident:
            return f"{_name(self.ar)} with both halves resident"
        if self.exact:
            return f"{_name(self.ar)} with halves parked" + (
                " and NAR streamed" if self.residency == "streamed" else ""
            )
        return f"AR {_name(self.ar)}, NAR {_name(self.nar)} {self.residency}"


def candidates(
    inventory: Inventory, options: Options, gpu: GpuFacts | None, cpu: CpuFacts, *, split: bool
) -> tuple[Candidate, ...]:
    """Every plan worth a look for these weights and forced choices, best first.

    On the card: BF16 with both halves there, BF16 with halves parked (NAR resident, then streamed), then AR in
    the file formats by what they keep. Then AR on the processor and NAR on the card, then the processor alone.
    FP8 is another take at a doubtful price, so it is only tried when asked for (user-reports.md, row 7).
    """
    if options.float32:
        return _wide(inventory, options, None if options.device == "cpu" else gpu)
    found: list[Candidate] = []
    card = None if options.device == "cpu" else gpu
    # What is asked for beside a card is asked of the card: it is refused there, and never run elsewhere instead.
    elsewhere = options.device == "auto" and not options.forced
    if card is not None:
        found += _on_card(inventory, options)
    if card is not None and elsewhere and split:
        found += _split(inventory, options, card, cpu)
    if options.device == "cpu" or elsewhere or (gpu is None and options.device == "auto"):
        found += _on_processor(inventory, options, cpu)
    wanted = (candidate for candidate in found if _as_asked(candidate, options))
    return tuple(dict.fromkeys(wanted))


def _wide(inventory: Inventory, options: Options, card: GpuFacts | None) -> tuple[Candidate, ...]:
    """The released weights in float32 throughout, in the exact modes."""
    ar, nar = inventory.exact("ar"), inventory.exact("nar")
    if ar is None or nar is None or (card is None and options.device == "cuda"):
        return ()
    device: Device = "cpu" if card is None else "cuda"
    wide_ar, wide_nar = half("f32", ar.source), half("f32", nar.source)
    kept: tuple[tuple[Mode, Residency], ...] = (("bf16", "resident"), *(("offload-ar", r) for r in _residencies()))
    found = (Candidate(mode, wide_ar, wide_nar, device, device, residency) for mode, residency in kept)
    return tuple(candidate for candidate in found if _as_asked(candidate, options))


def _as_asked(candidate: Candidate, options: Options) -> bool:
    if options.mode not in {"auto", candidate.mode}:
        return False
    if options.ar_precision not in {"auto", candidate.ar.format.name}:
        return False
    return options.nar_residency in {"auto", candidate.residency}


def _on_card(inventory: Inventory, options: Options) -> Iterator[Candidate]:
    exact_ar, exact_nar = inventory.exact("ar"), inventory.exact("nar")
    if exact_ar is not None and exact_nar is not None:
        yield Candidate("bf16", exact_ar, exact_nar, "cuda", "cuda", "resident")
        for residency in _residencies():
            yield Candidate("offload-ar", exact_ar, exact_nar, "cuda", "cuda", residency)
        if options.mode == "fp8" or options.ar_precision == "fp8":
            for residency in _residencies():
                yield Candidate("fp8", half("fp8", exact_ar.source), exact_nar, "cuda", "cuda", residency)
    nars = _nar_choices(inventory)
    pairs = [(ar, nar) for ar in inventory.quantised_ar() for nar in nars]
    pairs.sort(key=lambda pair: (pair[1].format.rank > NAR_RANK_LIMIT, pair[0].format.rank, pair[1].format.rank))
    for ar, nar in pairs:
        for residency in _residencies():
            yield Candidate("gguf", ar, nar, "cuda", "cuda", residency)


def _residencies() -> tuple[Residency, ...]:
    return ("resident", "streamed")


def _nar_choices(inventory: Inventory) -> tuple[Half, ...]:
    # Streamed BF16 takes less than any other format resident, so a smaller NAR is only for who has nothing else.
    exact = inventory.exact("nar")
    return (exact,) if exact is not None else inventory.quantised_nar()


def _split(inventory: Inventory, options: Options, gpu: GpuFacts, cpu: CpuFacts) -> Iterator[Candidate]:
    nar = inventory.exact("nar")
    if nar is None:
        return
    if gpu.capability is not None and gpu.capability < BF16_CAPABILITY:
        nar = half("f32", nar.source)
    for ar in _processor_ar(inventory, options, cpu):
        for residency in _residencies():
            yield Candidate("offload-ar" if ar.format.exact else "gguf", ar, nar, "cpu", "cuda", residency)


def _on_processor(inventory: Inventory, options: Options, cpu: CpuFacts) -> Iterator[Candidate]:
    for ar in _processor_ar(inventory, options, cpu):
        for nar in _processor_nar(inventory, cpu):
            exact = ar.format.exact and nar.format.exact
            modes: tuple[Mode, ...] = ("bf16", "offload-ar") if exact else ("gguf",)
            for mode in modes:
                yield Candidate(mode, ar, nar, "cpu", "cpu", "resident")


def _processor_ar(inventory: Inventory, options: Options, cpu: CpuFacts) -> Iterator[Half]:
    """On a processor waiting is the limit, not memory: W8A8, then the files' formats; BF16 when asked for."""
    exact = inventory.exact("ar")
    asked = options.mode in {"bf16", "offload-ar"} or options.ar_precision == "bf16"
    if exact is not None and asked:
        yield exact
    if exact is not None and cpu.avx2 is not False:
        yield half("int8", exact.source)
    yield from map(on_processor, inventory.quantised_ar())
    if exact is not None and not asked:
        yield exact


def _processor_nar(inventory: Inventory, cpu: CpuFacts) -> Iterator[Half]:
    exact = inventory.exact("nar")
    if exact is None:
        yield from inventory.quantised_nar()
        return
    bf16, wide, int8 = exact, half("f32", exact.source), half("int8", exact.source)
    if cpu.fast_bf16:
        yield bf16
    elif not cpu.vnni:
        yield wide
    if cpu.avx2 is not False:
        yield int8
    yield from (wide,) if cpu.vnni and not cpu.fast_bf16 else ()


def _name(part: Half) -> str:
    return FORMATS[part.format.name].label
