"""The sampling settings of the two token phases: defaults, ranges, and overrides merged over them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import shown


@dataclass(frozen=True)
class Sampling:
    """How tokens are drawn in one phase (spec/yue2.md, section 8).

    `temperature` 0 takes the likeliest token; `penalty_window` counts generated tokens of the phase that the
    repetition penalty looks back on; `min_tokens` and `max_tokens` bound the length of the phase in tokens.
    """

    temperature: float
    top_p: float
    top_k: int
    repetition_penalty: float
    penalty_window: int
    min_tokens: int
    max_tokens: int

    def to_json(self) -> dict[str, object]:
        """The settings by name, in the order of the reference's configuration file."""
        return asdict(self)


ABC_SAMPLING: Final = Sampling(
    temperature=0.7,
    top_p=0.9,
    top_k=30,
    repetition_penalty=1.005,
    penalty_window=100,
    min_tokens=32,
    max_tokens=4096,
)
SEMANTIC_SAMPLING: Final = Sampling(
    temperature=1.0,
    top_p=0.95,
    top_k=100,
    repetition_penalty=1.2,
    penalty_window=50,
    min_tokens=200,
    max_tokens=9000,
)

_NAMES: Final = tuple(field.name for field in fields(Sampling))
_COUNTS: Final = frozenset({"top_k", "penalty_window", "min_tokens", "max_tokens"})


def merged(base: Sampling, overrides: Mapping[str, object], *, where: str = "sampling") -> Sampling:
    """`base` with `overrides` laid over it, checked.

    Raises Problem(BAD_REQUEST) for an unknown name, a wrong type (counts are exact ints, so neither true nor
    1.0), or a value out of the ranges of spec/yue2.md, section 8. `where` names the place in the sentence,
    for example `abc_sampling`.
    """
    for name in overrides:
        if name not in _NAMES:
            raise _bad(where, name, f"is not a setting; use {', '.join(_NAMES)}")
    values = {**base.to_json(), **overrides}
    numbers = {name: _number(where, name, values[name]) for name in _NAMES if name not in _COUNTS}
    counts = {name: _count(where, name, values[name]) for name in _NAMES if name in _COUNTS}
    result = Sampling(
        temperature=numbers["temperature"],
        top_p=numbers["top_p"],
        top_k=counts["top_k"],
        repetition_penalty=numbers["repetition_penalty"],
        penalty_window=counts["penalty_window"],
        min_tokens=counts["min_tokens"],
        max_tokens=counts["max_tokens"],
    )
    _check_ranges(where, result)
    return result


def _count(where: str, name: str, value: object) -> int:
    if type(value) is not int:
        raise _bad(where, name, f"must be a whole number such as 100, but is {shown(value)}")
    return value


def _number(where: str, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(where, name, f"must be a number such as 0.9, but is {shown(value)}")
    try:
        number = float(value)
    except OverflowError as error:
        raise _bad(where, name, "is far too large") from error
    if not math.isfinite(number):
        raise _bad(where, name, f"must be an ordinary number, but is {number}")
    return number


def _check_ranges(where: str, s: Sampling) -> None:
    rules = (
        ("temperature", 0 <= s.temperature <= 5, "must lie between 0 and 5"),
        ("top_p", 0 < s.top_p <= 1, "must be above 0 and at most 1"),
        ("top_k", s.top_k >= 1, "must be 1 or more"),
        ("repetition_penalty", s.repetition_penalty > 0, "must be above 0 (1 means no penalty)"),
        ("penalty_window", 1 <= s.penalty_window <= 100, "must lie between 1 and 100"),
        ("min_tokens", s.min_tokens >= 0, "must be 0 or more"),
        ("max_tokens", s.max_tokens >= 1, "must be 1 or more"),
    )
    for name, holds, rule in rules:
        if not holds:
            raise _bad(where, name, f"{rule}, but is {shown(getattr(s, name))}")
    if s.min_tokens > s.max_tokens:
        raise _bad(
            where,
            "min_tokens",
            f"is {s.min_tokens}, more than max_tokens {s.max_tokens}; lower min_tokens or raise max_tokens",
        )


def _bad(where: str, name: str, rest: str) -> Problem:
    return Problem(ProblemKind.BAD_REQUEST, f"{where}.{name} {rest}.", where=where, field=name)
