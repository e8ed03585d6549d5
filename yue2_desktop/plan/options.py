"""What a user may force: mode, precision, residency, tile, device; and what the engine at hand can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from yue2_desktop.plan.formats import FORMATS
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_settings import MODES, RESIDENCIES, Mode, ResidencyChoice
from yue2_desktop.song.wording import shown

#: Formats that `--ar-precision` takes; `auto` leaves it to the planner.
AR_PRECISIONS: Final = ("auto", *FORMATS)


@dataclass(frozen=True)
class Options:
    """Forced choices; the defaults force nothing.

    `vae_core` is a tile in frames (25 a second) or None for automatic. `device` is `auto`, `cpu` or `cuda`
    (which card is chosen elsewhere). `budget_bytes` caps what may be used of the card. `float32` asks for the
    released weights computed in float32 throughout (`--dtype float32`).
    """

    mode: Mode = "auto"
    ar_precision: str = "auto"
    nar_residency: ResidencyChoice = "auto"
    vae_core: int | None = None
    device: Literal["auto", "cpu", "cuda"] = "auto"
    budget_bytes: int | None = None
    float32: bool = False

    @property
    def forced(self) -> bool:
        """Whether the user asked for a particular plan."""
        choices = (self.mode, self.ar_precision, self.nar_residency)
        return self.float32 or any(choice != "auto" for choice in choices)


def options_from(
    *, mode: str = "auto", ar_precision: str = "auto", nar_residency: str = "auto", vae_core: str | int = "auto"
) -> Options:
    """Options from the command line's words. Raises Problem(BAD_REQUEST) naming the option and its values."""
    if mode not in MODES:
        raise _bad("mode", mode, MODES)
    if ar_precision.lower() not in AR_PRECISIONS:
        raise _bad("ar-precision", ar_precision, AR_PRECISIONS)
    if nar_residency not in RESIDENCIES:
        raise _bad("nar-residency", nar_residency, RESIDENCIES)
    return Options(
        mode=mode,
        ar_precision=ar_precision.lower(),
        nar_residency=nar_residency,
        vae_core=_core(vae_core),
    )


def _core(value: str | int) -> int | None:
    if value == "auto":
        return None
    text = str(value)
    if not text.isdecimal() or not 1 <= int(text) <= 24_576:
        raise _bad("vae-core", value, ("auto", "a whole number of frames such as 256"))
    return int(text)


def _bad(option: str, value: object, choices: tuple[str, ...]) -> Problem:
    return Problem(
        ProblemKind.BAD_REQUEST,
        f"--{option} cannot be {shown(value)}; use {', '.join(choices[:-1])} or {choices[-1]}.",
        field=option,
    )


@dataclass(frozen=True)
class Abilities:
    """What the engine of this version can do; a plan that needs more is not offered.

    `split` is AR on the processor with NAR on the card. `kernels` are the products it has.
    """

    split: bool = True
    kernels: frozenset[str] = frozenset({"dense", "packed-fp16", "int4", "int4x2", "fp8", "w8a8", "dequantise"})


ALL_ABILITIES: Final = Abilities()
