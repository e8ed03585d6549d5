"""Cards that are not in the machine: `--pretend-gpu` read as facts, and the presets."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from yue2_desktop.plan.facts import Capability, GpuFacts
from yue2_desktop.plan.sizes import GIB, MIB
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import shown

#: (total, what a desktop leaves free) in GiB: the figures of memory-and-speed.md, section 7, for 4, 6 and 8 GB;
#: above, the same kind of desktop.
_USABLE: Final = ((4.0, 3.3), (6.0, 5.2), (8.0, 7.0), (12.0, 10.9), (16.0, 14.8), (24.0, 22.6), (48.0, 46.0))

_PRESETS: Final[dict[int, tuple[str, Capability]]] = {
    4: ("RTX 3050 Laptop 4 GB", (8, 6)),
    6: ("RTX 3050 Laptop 6 GB", (8, 6)),
    8: ("RTX 4060 Laptop 8 GB", (8, 9)),
    12: ("RTX 3060 12 GB", (8, 6)),
    24: ("RTX 4090 24 GB", (8, 9)),
}
PRESETS: Final = tuple(f"{size}GB" for size in _PRESETS)

_SIZE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(MiB|GiB|MB|GB)", re.IGNORECASE)
_CAPABILITY: Final = re.compile(r"(\d{1,2})\.(\d)")


def parse_pretend(text: str) -> GpuFacts:
    """The card that `text` names: a preset (`6GB`) or `NAME,MEMORY,CAPABILITY[,FREE]`.

    An example is `RTX 3050 Laptop,6144MiB,8.6`. Sizes are MiB or GiB (MB and GB are read as these, as the
    makers of cards write them). Without FREE the card has what a desktop usually leaves of it. Raises
    Problem(BAD_REQUEST) that names the part and how it should look.
    """
    preset = _SIZE.fullmatch(text.strip())
    if preset is not None:
        return _preset(text, _bytes(preset))
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in {3, 4} or not parts[0]:
        raise _bad(text, f"is none of {', '.join(PRESETS)}, and not NAME,MEMORY,CAPABILITY")
    total = _size(text, "memory", parts[1])
    free = _size(text, "free memory", parts[3]) if len(parts) == 4 else usable_bytes(total)
    if free > total:
        raise _bad(text, "has more memory free than it has in all")
    return GpuFacts(
        name=parts[0],
        total_bytes=total,
        free_bytes=free,
        capability=_capability(text, parts[2]),
        pretended=True,
    )


def usable_bytes(total: int) -> int:
    """What a desktop usually leaves free of a card with `total` bytes; between known sizes on a line."""
    size = total / GIB
    points = ((0.0, 0.0), *_USABLE)
    for (x0, y0), (x1, y1) in pairwise(points):
        if size <= x1:
            return round((y0 + (y1 - y0) * (size - x0) / (x1 - x0)) * GIB)
    last_total, last_free = _USABLE[-1]
    return round(size * last_free / last_total * GIB)


def _preset(text: str, total: int) -> GpuFacts:
    size = total // GIB
    if size not in _PRESETS or total % GIB:
        raise _bad(text, f"is none of the presets {', '.join(PRESETS)}")
    name, capability = _PRESETS[size]
    return GpuFacts(
        name=name,
        total_bytes=total,
        free_bytes=usable_bytes(total),
        capability=capability,
        pretended=True,
    )


def _size(text: str, what: str, part: str) -> int:
    match = _SIZE.fullmatch(part)
    if match is None:
        raise _bad(text, f"gives its {what} as {shown(part)}")
    size = _bytes(match)
    if not 256 * MIB <= size <= 1024 * GIB and what == "memory":
        raise _bad(text, f"has {shown(part)} of memory, which no card has")
    return size


def _bytes(match: re.Match[str]) -> int:
    unit = GIB if match[2][0].upper() == "G" else MIB
    return round(float(match[1]) * unit)


def _capability(text: str, part: str) -> Capability:
    match = _CAPABILITY.fullmatch(part)
    if match is None:
        raise _bad(text, f"gives its compute capability as {shown(part)}")
    return int(match[1]), int(match[2])


def _bad(text: str, rest: str) -> Problem:
    return Problem(
        ProblemKind.BAD_REQUEST,
        f"The pretended card {shown(text)} {rest}; write for example 6GB or "
        '"RTX 3050 Laptop,6144MiB,8.6" (name, memory, compute capability).',
        field="pretend-gpu",
    )
