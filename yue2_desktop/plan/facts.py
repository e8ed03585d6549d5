"""What is known of a machine: its graphics cards, torch build, processor, memory and disk, as values.

Every field may be None, which means unknown: a reader of facts that fails leaves None and never a guess, and
the planner says "unknown" rather than counting with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

#: Compute capability as CUDA writes it: (8, 6) is 8.6.
Capability = tuple[int, int]


@dataclass(frozen=True)
class CardUser:
    """A process that holds memory of a card; `used_bytes` is None where the driver does not tell (WDDM)."""

    pid: int | None
    name: str | None
    used_bytes: int | None


@dataclass(frozen=True)
class GpuFacts:
    """One graphics card. Sizes in bytes; `free_bytes` is what is free now, before our own CUDA context.

    `uuid` is the driver's (`GPU-...`). `cuda_index` is the card's place in CUDA's order, which may differ from
    the driver's. `users` are other processes on the card. `pretended` marks a card that is not in the machine.
    Raises ValueError for a negative size or more free than in all.
    """

    name: str | None = None
    uuid: str | None = None
    total_bytes: int | None = None
    free_bytes: int | None = None
    capability: Capability | None = None
    driver: str | None = None
    vendor: str | None = "nvidia"
    integrated: bool | None = None
    cuda_index: int | None = None
    users: tuple[CardUser, ...] | None = None
    pretended: bool = False

    def __post_init__(self) -> None:
        for name in ("total_bytes", "free_bytes"):
            size = getattr(self, name)
            if size is not None and size < 0:
                raise ValueError(f"{name} is {size}; a size is never negative, an unknown one is None")
        if self.total_bytes is not None and self.free_bytes is not None and self.free_bytes > self.total_bytes:
            raise ValueError(f"free_bytes {self.free_bytes} exceeds total_bytes {self.total_bytes}")

    @property
    def label(self) -> str:
        """The name for a sentence."""
        return self.name or "the graphics card"


@dataclass(frozen=True)
class TorchFacts:
    """The torch that the engine will import. `cuda` is its CUDA version (`12.6`), None in a build without GPU.

    `attention` names the fused attention kernels (plan/attention.py) that a probe on the card accepted, None
    before the probe.
    """

    version: str
    cuda: str | None
    attention: tuple[str, ...] | None = None


@dataclass(frozen=True)
class CpuFacts:
    """The processor: `cores` that may be used, and the instruction sets that decide which kernels are fast."""

    name: str | None = None
    cores: int | None = None
    avx2: bool | None = None
    avx512_bf16: bool | None = None
    amx: bool | None = None
    vnni: bool | None = None

    @property
    def fast_bf16(self) -> bool:
        """Whether bf16 products run in hardware; without them a velocity takes about 9 times longer."""
        return bool(self.avx512_bf16) or bool(self.amx)


@dataclass(frozen=True)
class MachineFacts:
    """One machine, now. `gpus` None means that the cards could not be read, () that there are none.

    `platform` is `windows` or `linux`. `commit_bytes` is what may still be promised to processes (the page
    file counts), None where the system does not limit it. Sizes in bytes.
    """

    gpus: tuple[GpuFacts, ...] | None = None
    torch: TorchFacts | None = None
    platform: str | None = None
    cpu: CpuFacts = field(default_factory=CpuFacts)
    ram_total: int | None = None
    ram_free: int | None = None
    commit_bytes: int | None = None
    disk_free: int | None = None
    pretended: bool = False

    def with_card(self, gpu: GpuFacts) -> MachineFacts:
        """This machine with `gpu` in place of its own cards and no torch facts of its own, marked pretended."""
        return replace(self, gpus=(gpu,), torch=None, pretended=True)
