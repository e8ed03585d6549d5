"""How a song is to be computed: mode, precision, steps, tile, ceiling; what the user forces and what is automatic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final, Literal, TypeVar

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import CONTEXT
from yue2_desktop.song.wording import shown

T = TypeVar("T", bound=str)

Mode = Literal["auto", "bf16", "offload-ar", "fp8", "gguf"]
MODES: Final[tuple[Mode, ...]] = ("auto", "bf16", "offload-ar", "fp8", "gguf")
ResidencyChoice = Literal["auto", "resident", "streamed"]
RESIDENCIES: Final[tuple[ResidencyChoice, ...]] = ("auto", "resident", "streamed")
OdeMethod = Literal["midpoint", "ab2"]
ODE_METHODS: Final[tuple[OdeMethod, ...]] = ("midpoint", "ab2")

#: ODE steps by the names that users see (design: modes).
DRAFT_STEPS: Final = 8
SKETCH_STEPS: Final = 16
FINAL_STEPS: Final = 32
MAX_STEPS: Final = 64
#: Formats of weights are the plan's to know; here only the form of a name is checked.
_PRECISION: Final = re.compile(r"[a-z0-9_-]{1,20}")
_KNOWN: Final = ("mode", "ar_precision", "nar_residency", "ode_steps", "ode_method", "vae_core", "max_frames")


@dataclass(frozen=True)
class RenderSettings:
    """The choices of one song; the defaults force nothing.

    `vae_core` is a tile in frames (25 a second) and `max_frames` the ceiling of the song in frames; None is automatic
    for both: the ceiling then follows from the lyrics (user-reports.md, row 81). `kept` holds members of the file
    that this version does not know.
    """

    mode: Mode = "auto"
    ar_precision: str = "auto"
    nar_residency: ResidencyChoice = "auto"
    ode_steps: int = FINAL_STEPS
    ode_method: OdeMethod = "midpoint"
    vae_core: int | None = None
    max_frames: int | None = None
    kept: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def validated(cls, members: Mapping[str, object], *, where: str = "render") -> RenderSettings:
        """The settings in `members`, defaults where a member is absent.

        Raises Problem(BAD_REQUEST) that names `where` and the member.
        """
        defaults = cls()
        values = {name: members.get(name, getattr(defaults, name)) for name in _KNOWN}
        precision = values["ar_precision"]
        if not isinstance(precision, str) or _PRECISION.fullmatch(precision) is None:
            raise _bad(where, "ar_precision", f"must name a format such as q8_0 or auto, but is {shown(precision)}")
        return cls(
            mode=_choice(where, "mode", values["mode"], MODES),
            ar_precision=precision,
            nar_residency=_choice(where, "nar_residency", values["nar_residency"], RESIDENCIES),
            ode_steps=_count(where, "ode_steps", values["ode_steps"], MAX_STEPS),
            ode_method=_choice(where, "ode_method", values["ode_method"], ODE_METHODS),
            vae_core=_optional_count(where, "vae_core", values["vae_core"]),
            max_frames=_optional_count(where, "max_frames", values["max_frames"]),
            kept={name: value for name, value in members.items() if name not in _KNOWN},
        )

    def to_json(self) -> dict[str, object]:
        """The settings by name, with what was kept."""
        values = asdict(self)
        del values["kept"]
        return {**self.kept, **values}


def _choice(where: str, name: str, value: object, choices: tuple[T, ...]) -> T:
    for choice in choices:
        if value == choice:
            return choice
    raise _bad(where, name, f"must be {', '.join(choices[:-1])} or {choices[-1]}, but is {shown(value)}")


def _count(where: str, name: str, value: object, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise _bad(where, name, f"must be a whole number from 1 to {most:,}, but is {shown(value)}")
    return value


def _optional_count(where: str, name: str, value: object) -> int | None:
    return None if value is None else _count(where, name, value, CONTEXT)


def _bad(where: str, name: str, what: str) -> Problem:
    return Problem(ProblemKind.BAD_REQUEST, f"{where}.{name} {what}.", field=f"{where}.{name}")
