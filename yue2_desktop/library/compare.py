"""What differs between the settings of two takes, in words, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from yue2_desktop.library.making import Making, Settings, Surroundings
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.sampling import Sampling

_NONE: Final = "none"
_UNKNOWN: Final = "not known"
_SHOWN_CHARS: Final = 60
_SHOWN_BEFORE: Final = 20
_HASH_CHARS: Final = 12
_SAMPLING_WORDS: Final = {
    "temperature": "temperature",
    "top_p": "top p",
    "top_k": "top k",
    "repetition_penalty": "repetition penalty",
    "penalty_window": "penalty window",
    "min_tokens": "shortest",
    "max_tokens": "longest",
}
_COT_WORDS: Final = {"full": "melody and chords", "melody": "melody", "off": "no score"}
_PRECISION_WORDS: Final = {
    "ar_weights": "precision of the tokens",
    "nar_weights": "precision of the sound",
    "ar_device": "tokens drawn on",
}
_PARTS: Final = {"mot": "model", "vae": "audio decoder"}


@dataclass(frozen=True)
class Difference:
    """One row: what differs, and how it is in the first and in the second take."""

    topic: str
    first: str
    second: str

    @property
    def words(self) -> str:
        """The row as one line."""
        return f"{self.topic}: {self.first} / {self.second}"


def compare(first: Making, second: Making) -> tuple[Difference, ...]:
    """What differs between two takes: settings first, then what made them. Nothing for equal ones."""
    rows = (*_settings(first.settings, second.settings), *_surroundings(first.surroundings, second.surroundings))
    return tuple(row for row in rows if row.first != row.second)


def _settings(a: Settings, b: Settings) -> Iterator[Difference]:
    yield Difference("seed", str(a.request.seed), str(b.request.seed))
    yield Difference("score asked for", _COT_WORDS[a.request.cot], _COT_WORDS[b.request.cot])
    yield from _texts("style", a.request.style, b.request.style)
    yield from _texts("lyrics", a.request.lyrics, b.request.lyrics)
    yield Difference("score", _origin(a), _origin(b))
    yield from _texts("notes of the score", a.score or "", b.score or "")
    yield Difference("guidance", f"{a.request.guidance:g}", f"{b.request.guidance:g}")
    yield from _sampling("score", a.abc, b.abc, "tokens")
    yield from _sampling("singing", a.semantic, b.semantic, "frames")
    yield Difference("steps", _count(a.ode_steps), _count(b.ode_steps))
    if a.ode_method is not None and b.ode_method is not None:
        yield Difference("solver", a.ode_method, b.ode_method)
    yield Difference("frames a tile", _count(a.vae_core), _count(b.vae_core))


def _surroundings(a: Surroundings, b: Surroundings) -> Iterator[Difference]:
    for part, name in _PARTS.items():
        yield Difference(name, _hash(a.weights, part), _hash(b.weights, part))
    for name, topic in _PRECISION_WORDS.items():
        yield Difference(topic, a.precision.get(name, _UNKNOWN), b.precision.get(name, _UNKNOWN))
    for topic, name in (
        ("mode", "mode"),
        ("computed in", "dtype"),
        ("on", "machine"),
        ("driver", "driver"),
        ("version", "app_version"),
    ):
        yield Difference(topic, getattr(a, name) or _UNKNOWN, getattr(b, name) or _UNKNOWN)


def _sampling(phase: str, a: Sampling, b: Sampling, unit: str) -> Iterator[Difference]:
    ours, theirs = a.to_json(), b.to_json()
    for name, words in _SAMPLING_WORDS.items():
        first, second = (_setting(name, values[name], unit) for values in (ours, theirs))
        yield Difference(f"{phase}: {words}", first, second)


def _setting(name: str, value: object, unit: str) -> str:
    if name not in {"min_tokens", "max_tokens"} or type(value) is not int:
        return f"{value:g}" if isinstance(value, float) else str(value)
    if unit != "frames":
        return f"{value:,} {unit}"
    minutes, seconds = divmod(value // FRAMES_PER_SECOND, 60)
    return f"{value:,} frames ({minutes}:{seconds:02})"


def _texts(topic: str, a: str, b: str) -> Iterator[Difference]:
    """A row that says how many lines differ and shows the first of them, where they part."""
    if a == b:
        return
    ours, theirs = a.splitlines(), b.splitlines()
    # Without the guess at junk, which leaves out lines that occur often, such as those of a chorus.
    changes = [one for one in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes() if one[0] != "equal"]
    if not changes:
        yield Difference(topic, "the same words", "with other line ends")
        return
    count = sum(max(i2 - i1, j2 - j1) for _, i1, i2, j1, j2 in changes)
    _, i1, i2, j1, j2 = changes[0]
    title = topic if max(len(ours), len(theirs)) <= 1 else f"{topic}, {count} line{'s' if count > 1 else ''}"
    first, second = ours[i1] if i1 < i2 else None, theirs[j1] if j1 < j2 else None
    pairs = enumerate(zip(first or "", second or "", strict=False))
    apart = next((place for place, (a, b) in pairs if a != b), min(len(first or ""), len(second or "")))
    yield Difference(title, _cut(first, apart), _cut(second, apart))


def _cut(line: str | None, apart: int) -> str:
    if line is None:
        return _NONE
    start = max(0, apart - _SHOWN_BEFORE) if len(line) > _SHOWN_CHARS else 0
    end = start + _SHOWN_CHARS
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def _origin(settings: Settings) -> str:
    if settings.request.cot == "off":
        return _NONE
    return "given" if settings.request.abc is not None else "written by the model"


def _count(value: int | None) -> str:
    return _UNKNOWN if value is None else f"{value:,}"


def _hash(weights: Mapping[str, str], part: str) -> str:
    return weights[part][:_HASH_CHARS] if part in weights else _UNKNOWN
