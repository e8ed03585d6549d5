"""What the window and the engine process say to each other: one JSON object a line, versioned, checked on both sides.

A message is a frozen dataclass. Its line is `{"v": 1, "type": ..., fields...}`. A field that is not known is left
alone, so that a newer side may say more; a line that is no message is a `MessageError`, never a crash.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Final, TypeVar, get_args, get_type_hints

VERSION: Final = 1
#: A longer line is no message of ours; reading stops counting it as one.
MAX_LINE: Final = 4 << 20


class MessageError(ValueError):
    """A line that is no message of this protocol, with the reason."""


@dataclass(frozen=True)
class Command:
    """From the window to the engine."""


@dataclass(frozen=True)
class Event:
    """From the engine to the window."""


@dataclass(frozen=True)
class ReadFacts(Command):
    """Asks what the machine has, and what the model at a path (and the audio decoder at another) offers the planner."""

    model: str = ""
    vae: str = ""


@dataclass(frozen=True)
class Make(Command):
    """Asks for a take, or a score only; `order` is a render order as JSON values."""

    job: int
    order: Mapping[str, object]


@dataclass(frozen=True)
class Cancel(Command):
    """Asks the running job to stop; one that does not run is left alone."""

    job: int


@dataclass(frozen=True)
class CountTokens(Command):
    """Asks how many tokens come before what the model writes, with the tokenizer of the model at a path.

    `ask` is a number that the answer has, too; `score` is empty where the model writes one. Answered also while a
    job runs.
    """

    ask: int
    model: str
    cot: str
    style: str
    lyrics: str
    score: str = ""


@dataclass(frozen=True)
class FreeMemory(Command):
    """Asks to drop the weights between jobs."""


@dataclass(frozen=True)
class Quit(Command):
    """Asks the engine to end."""


@dataclass(frozen=True)
class Ready(Event):
    """The engine is there: torch is imported."""

    protocol: int
    app_version: str
    torch: str
    pid: int


@dataclass(frozen=True)
class FactsRead(Event):
    """What the machine has, as JSON values."""

    facts: Mapping[str, object]


@dataclass(frozen=True)
class TokensCounted(Event):
    """The answer to `CountTokens`; None where they cannot be counted."""

    ask: int
    tokens: int | None = None


@dataclass(frozen=True)
class Progressed(Event):
    """How far the running job is: `done` of `total` in `unit`."""

    job: int
    stage: str
    done: int
    total: int
    unit: str
    rate: float | None = None
    remaining_s: float | None = None


@dataclass(frozen=True)
class PlanTaken(Event):
    """The plan that the running job follows from here on, in the planner's words; again where it takes another."""

    job: int
    plan: str


@dataclass(frozen=True)
class StageDone(Event):
    """A stage is on the disk."""

    job: int
    stage: str
    seconds: float


@dataclass(frozen=True)
class Made(Event):
    """The job is done; `summary` holds length, levels, marks."""

    job: int
    folder: str
    summary: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed(Event):
    """The job ended otherwise: `kind` is a problem kind (also `cancelled`), `kept` says what is on the disk."""

    job: int
    kind: str
    sentence: str
    kept: str = ""
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Freed(Event):
    """The weights are dropped; bytes of memory that the engine still holds."""

    resident_bytes: int
    device_bytes: int | None = None


@dataclass(frozen=True)
class Noted(Event):
    """Something for the log, or (level `warning`) for the user."""

    level: str
    text: str


_COMMANDS: Final = (ReadFacts, Make, Cancel, CountTokens, FreeMemory, Quit)
_EVENTS: Final = (Ready, FactsRead, TokensCounted, Progressed, PlanTaken, StageDone, Made, Failed, Freed, Noted)

M = TypeVar("M", Command, Event)


def encode(message: Command | Event) -> str:
    """The line of a message, without its line end. Raises MessageError for values that are not as declared."""
    values = {item.name: getattr(message, item.name) for item in fields(message)}
    hints = get_type_hints(type(message))
    for name, value in values.items():
        _checked(name, value, hints[name])
    try:
        text = json.dumps({"v": VERSION, "type": _name(type(message)), **values}, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise MessageError(f"not JSON: {error}") from error
    if len(text) >= MAX_LINE:
        raise MessageError(f"a message of {len(text)} characters is too long")
    return text


def decode_command(line: str) -> Command:
    """The command of a line. Raises MessageError."""
    return _decoded(line, {_name(kind): kind for kind in _COMMANDS})


def decode_event(line: str) -> Event:
    """The event of a line. Raises MessageError."""
    return _decoded(line, {_name(kind): kind for kind in _EVENTS})


def _decoded(line: str, kinds: Mapping[str, type[M]]) -> M:
    if len(line) > MAX_LINE:
        raise MessageError(f"a line of {len(line)} characters is no message")
    try:
        values = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from error
    if not isinstance(values, dict):
        raise MessageError("not an object")
    if values.get("v") != VERSION:
        raise MessageError(f"version {values.get('v')!r} is not {VERSION}")
    kind = kinds.get(str(values.get("type")))
    if kind is None:
        raise MessageError(f"no message is called {values.get('type')!r}")
    hints = get_type_hints(kind)
    return kind(**{
        item.name: _checked(item.name, values[item.name], hints[item.name])
        for item in fields(kind)
        if item.name in values or _needed(kind, item)
    })


def _needed(kind: type[object], item: Field[Any]) -> bool:
    if item.default is MISSING and item.default_factory is MISSING:
        raise MessageError(f"{kind.__name__} lacks '{item.name}'")
    return False


def _checked(name: str, value: object, hint: Any) -> Any:
    """`value` if it is of the declared type; an int may stand where a float is declared."""
    allowed = get_args(hint) if type(None) in get_args(hint) else (hint,)
    for kind in allowed:
        if kind is type(None) and value is None:
            return None
        if kind is float and type(value) in {int, float} and math.isfinite(float(value)):  # type: ignore[arg-type]
            return float(value)  # type: ignore[arg-type]
        if kind in {int, str} and type(value) is kind:
            return value
        if getattr(kind, "__origin__", None) is not None and isinstance(value, dict):
            return value
    raise MessageError(f"'{name}' is {type(value).__name__} ({str(value)[:40]!r})")


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number of JSON")


def _name(kind: type[object]) -> str:
    """CamelCase to kebab-case: the type's name on the line."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()
