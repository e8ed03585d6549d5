"""What an exported sound says of its making: one JSON text in its tags, from which the song can be made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged
from yue2_desktop.song.textfile import parse_json
from yue2_desktop.song.wording import path_text, shown

#: The name of the tag: a Vorbis comment (FLAC, Ogg Vorbis, Opus), or the description of a TXXX frame (MP3, WAV).
SONG_TAG: Final = "YUE2_SONG"
#: A request, a score and a few hashes come nowhere near this; more is some other program's tag.
MAX_CHARS: Final = 1 << 20
_FORMAT: Final = "yue2-song"
_VERSION: Final = 1
_WHAT: Final = f"{SONG_TAG} tag"


@dataclass(frozen=True)
class Provenance:
    """What a take was made from. Nothing in it names the user, the machine or a folder.

    `abc_sampling` and `semantic_sampling` hold settings by name, `weights` a hash of each part (`mot`, `vae`),
    `made_with` what may change the sound beside them, in words (app_version, device, dtype, mode, backend). `score`
    is the score as it was sung, None with cot off; `licence` is that of the weights, `created` ISO 8601 in UTC.
    """

    request: SongRequest
    song: SongOfTake | None = None
    score: str | None = None
    abc_sampling: Mapping[str, object] = field(default_factory=dict)
    semantic_sampling: Mapping[str, object] = field(default_factory=dict)
    ode_steps: int | None = None
    weights: Mapping[str, str] = field(default_factory=dict)
    made_with: Mapping[str, str] = field(default_factory=dict)
    licence: str = ""
    identity: str = ""
    created: str = ""

    def to_text(self) -> str:
        """The content of the tag: compact JSON, letters as they are."""
        values = {
            "format": _FORMAT,
            "version": _VERSION,
            "song": None if self.song is None else self.song.to_json(),
            "request": self.request.to_json(),
            "score": self.score,
            "abc_sampling": dict(self.abc_sampling),
            "semantic_sampling": dict(self.semantic_sampling),
            "ode_steps": self.ode_steps,
            "weights": dict(self.weights),
            "made_with": dict(self.made_with),
            "licence": self.licence,
            "identity": self.identity,
            "created": self.created,
        }
        return json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def read_provenance(text: str, path: Path) -> Provenance:
    """What the tag `text` of the file at `path` says. Members of later versions are read over.

    Raises Problem(BAD_FILE) when it is not such a tag, is larger than 1 MiB, is of a later version, or holds a
    request or settings that no song can be made with.
    """
    if len(text) > MAX_CHARS:
        raise _bad(path, "is too large to be one of this program")
    values = parse_json(text, path, _WHAT)
    if not isinstance(values, dict) or values.get("format") != _FORMAT:
        raise _bad(path, "is not of this program")
    if values.get("version") != _VERSION:
        raise _bad(path, f"is of version {shown(values.get('version'))}, this program reads {_VERSION}; update it")
    try:
        abc, semantic = _object(values, "abc_sampling", path), _object(values, "semantic_sampling", path)
        merged(ABC_SAMPLING, abc, where="abc_sampling")
        merged(SEMANTIC_SAMPLING, semantic, where="semantic_sampling")
        request = request_from_json(_object(values, "request", path)).request
    except Problem as problem:
        if problem.kind is ProblemKind.BAD_FILE:
            raise
        raise _bad(path, f"cannot be used: {problem.sentence.rstrip('.')}") from problem
    return Provenance(
        request=request,
        song=_song(values.get("song"), path),
        score=_optional_text(values, "score", path),
        abc_sampling=abc,
        semantic_sampling=semantic,
        ode_steps=_steps(values.get("ode_steps"), path),
        weights=_texts(values, "weights", path),
        made_with=_texts(values, "made_with", path),
        licence=_optional_text(values, "licence", path) or "",
        identity=_optional_text(values, "identity", path) or "",
        created=_optional_text(values, "created", path) or "",
    )


def _song(value: object, path: Path) -> SongOfTake | None:
    if value is None:
        return None
    if isinstance(value, dict):
        song, title, take = (value.get(name) for name in ("id", "title", "take"))
        numbered = take is None or (type(take) is int and take >= 1)
        if isinstance(song, str) and song and isinstance(title, str) and numbered:
            return SongOfTake(song, title, take)
    raise _bad(path, f"names its song as {shown(value)}, which cannot be")


def _steps(value: object, path: Path) -> int | None:
    if value is not None and (type(value) is not int or value < 1):
        raise _bad(path, f"has ode_steps {shown(value)}, which cannot be")
    return value


def _object(values: Mapping[str, object], name: str, path: Path) -> dict[str, object]:
    value = values.get(name)
    if not isinstance(value, dict):
        raise _bad(path, f"has no {name}")
    return value


def _texts(values: Mapping[str, object], name: str, path: Path) -> dict[str, str]:
    return {key: value for key, value in _object(values, name, path).items() if isinstance(value, str)}


def _optional_text(values: Mapping[str, object], name: str, path: Path) -> str | None:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise _bad(path, f"has {name} {shown(value)}, which is not text")
    return value


def _bad(path: Path, rest: str) -> Problem:
    place = path_text(path)
    return Problem(
        ProblemKind.BAD_FILE,
        f"The {_WHAT} of {place} {rest}; the sound itself can be played, but its song cannot be made again from it.",
        path=place,
    )
