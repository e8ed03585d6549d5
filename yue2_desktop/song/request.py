"""What a song is asked for with: style, lyrics and the few choices of the request protocol, validated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.filenames import native_path
from yue2_desktop.song.limits import require_singable
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged
from yue2_desktop.song.textfile import read_utf8
from yue2_desktop.song.wording import shown

Cot = Literal["full", "melody", "off"]

COTS: Final[tuple[Cot, ...]] = ("full", "melody", "off")
DEFAULT_SEED: Final = 831_001
DEFAULT_ID: Final = "song"
SEED_LIMIT: Final = 2**63
CFG_SCALE_MAX: Final = 20.0

#: Keys that request files of the reference's tools carry; they are read over.
METADATA_KEYS: Final = ("lang", "eval_index", "clip_id", "prompt")

_REQUEST_KEYS: Final = frozenset({"style", "tags", "lyrics", "cot", "seed", "abc", "cfg_scale", "id"})
_FIELDS: Final = (
    "style", "lyrics", "cot", "seed", "abc", "abc_path", "cfg_scale", "id",
    "abc_sampling", "semantic_sampling",
)  # fmt: skip
_JSON_KEYS: Final = _REQUEST_KEYS.union(_FIELDS, METADATA_KEYS)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,179}")


@dataclass(frozen=True)
class SongRequest:
    """One song, as asked for (spec/yue2.md, section 7); a user's values go through `validated`.

    `style` and `lyrics` go into the prompt raw, untrimmed. `cot` says what is written before singing: a score
    with chords (`full`), a melody (`melody`), nothing (`off`). `abc` is a score supplied instead of a sampled
    one. `cfg_scale` None means the protocol's own guidance.
    """

    style: str
    lyrics: str
    cot: Cot = "full"
    seed: int = DEFAULT_SEED
    abc: str | None = None
    cfg_scale: float | None = None
    id: str = DEFAULT_ID

    @classmethod
    def validated(
        cls,
        *,
        style: object = None,
        lyrics: object = None,
        cot: object = "full",
        seed: object = DEFAULT_SEED,
        abc: object = None,
        cfg_scale: object = None,
        id: object = DEFAULT_ID,  # noqa: A002 - the protocol's name of the field
        tags: object = None,
    ) -> SongRequest:
        """The request, once every rule of spec/yue2.md, section 7, holds.

        `tags` is another name for `style`; both may be given if equal. Raises Problem(BAD_REQUEST) whose
        sentence names the field and the cure.
        """
        choice = _cot(cot)
        return cls(
            style=_style(style, tags),
            lyrics=_lyrics(lyrics),
            cot=choice,
            seed=_seed(seed),
            abc=_abc(abc, choice),
            cfg_scale=_cfg_scale(cfg_scale),
            id=_id(id),
        )

    @property
    def guidance(self) -> float:
        """The guidance factor of the semantic stage: `cfg_scale`, else 1.0 (full, melody) or 1.01 (off)."""
        if self.cfg_scale is not None:
            return self.cfg_scale
        return 1.01 if self.cot == "off" else 1.0

    def to_json(self) -> dict[str, object]:
        """The fields by name: style, lyrics, cot, seed, abc, cfg_scale, id."""
        return asdict(self)


@dataclass(frozen=True)
class RequestFile:
    """A request read from JSON, with what may stand beside it there (spec/yue2.md, section 7).

    `abc_overrides` and `semantic_overrides` hold only the settings that the file names, so that others can be
    laid over them before `merged`; `metadata` holds the tolerated keys, which mean nothing to a render.
    """

    request: SongRequest
    abc_overrides: Mapping[str, object]
    semantic_overrides: Mapping[str, object]
    metadata: Mapping[str, object]

    @property
    def abc_sampling(self) -> Sampling:
        """The score phase's settings with the file's overrides."""
        return merged(ABC_SAMPLING, self.abc_overrides, where="abc_sampling")

    @property
    def semantic_sampling(self) -> Sampling:
        """The semantic phase's settings with the file's overrides."""
        return merged(SEMANTIC_SAMPLING, self.semantic_overrides, where="semantic_sampling")


def request_from_json(obj: object, *, base_dir: Path | None = None) -> RequestFile:
    """The request that a parsed JSON object asks for; `base_dir` is the folder that `abc_path` starts from.

    Raises Problem(BAD_REQUEST) for anything that is not in the protocol, naming the field, and
    Problem(BAD_FILE) when the file at `abc_path` cannot be read as UTF-8.
    """
    if not isinstance(obj, dict):
        raise _bad("request", f"The request must be a JSON object in braces, but is {shown(obj)}")
    members: dict[str, object] = obj
    for key in members:
        if key not in _JSON_KEYS:
            raise _bad(key, f"The request has an unknown field {shown(key)}; known are {', '.join(_FIELDS)}")
    fields = {key: value for key, value in members.items() if key in _REQUEST_KEYS}
    if members.get("abc_path") is not None:
        if fields.get("abc") is not None:
            raise _bad("abc_path", "abc and abc_path both give a score; keep one of them")
        fields["abc"] = _abc_from(members["abc_path"], base_dir)
    return RequestFile(
        request=SongRequest.validated(**fields),
        abc_overrides=_overrides("abc_sampling", ABC_SAMPLING, members.get("abc_sampling")),
        semantic_overrides=_overrides("semantic_sampling", SEMANTIC_SAMPLING, members.get("semantic_sampling")),
        metadata={key: value for key, value in members.items() if key in METADATA_KEYS},
    )


def _abc_from(path: object, base_dir: Path | None) -> str:
    name = require_text("abc_path", path)
    if not name.strip() or "\0" in name:
        raise _bad("abc_path", f"abc_path must name a score file, but is {shown(path)}")
    if base_dir is None:
        raise _bad("abc_path", "abc_path needs a request file that it is relative to; give the score as abc")
    return read_utf8(base_dir / native_path(name), "score file")


def _overrides(where: str, base: Sampling, value: object) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _bad(where, f'{where} must be an object such as {{"temperature": 0.8}}, but is {shown(value)}')
    overrides: dict[str, object] = value
    merged(base, overrides, where=where)
    return overrides


def _style(style: object, tags: object) -> str:
    if style is None and tags is None:
        raise _bad("style", "style is missing; describe the music, for example 'English, folk, guitar, warm'")
    if style is not None and tags is not None and style != tags:
        raise _bad("style", "style and tags are two names for one thing but differ; give only style")
    return require_text("style" if style is not None else "tags", style if style is not None else tags)


def _lyrics(lyrics: object) -> str:
    if lyrics is None:
        raise _bad("lyrics", "lyrics are missing; give the words to sing, or an empty text for none")
    text = require_text("lyrics", lyrics)
    require_singable(text)
    return text


def _cot(cot: object) -> Cot:
    for choice in COTS:
        if cot == choice:
            return choice
    raise _bad("cot", f"cot must be full, melody or off, but is {shown(cot)}")


def _seed(seed: object) -> int:
    if type(seed) is not int:
        raise _bad("seed", f"seed must be a whole number such as 831001 (no quotation marks), but is {shown(seed)}")
    if not 0 <= seed < SEED_LIMIT:
        raise _bad("seed", f"seed must lie between 0 and {SEED_LIMIT - 1}, but is {shown(seed)}")
    return seed


def _abc(abc: object, cot: Cot) -> str | None:
    if abc is None:
        return None
    text = require_text("abc", abc)
    if cot == "off":
        raise _bad("abc", "abc (a supplied score) cannot be used with cot off; choose cot full or melody")
    if not text.strip():
        raise _bad("abc", "abc (the supplied score) is blank; leave it out to have a score written")
    return text


def _cfg_scale(scale: object) -> float | None:
    if scale is None:
        return None
    if isinstance(scale, bool) or not isinstance(scale, int | float):
        raise _bad("cfg_scale", f"cfg_scale must be a number between 0 and 20, but is {shown(scale)}")
    if not 0 <= scale <= CFG_SCALE_MAX:  # false for NaN, too
        raise _bad("cfg_scale", f"cfg_scale must lie between 0 and 20, but is {shown(scale)}")
    return float(scale)


def _id(value: object) -> str:
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        raise _bad(
            "id",
            "id must begin with a letter or digit and hold at most 180 of A-Z a-z 0-9 _ . - in all, "
            f"but is {shown(value)}",
        )
    return value


def require_text(field: str, value: object) -> str:
    """`value` if it is a str that can be written as UTF-8; else Problem(BAD_REQUEST) naming `field`."""
    if not isinstance(value, str):
        raise _bad(field, f"{field} must be text, but is {shown(value)}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        place = f"character {error.start + 1}"
        raise _bad(
            field,
            f"{field} holds half of a character (U+{ord(value[error.start]):04X}) at {place}; "
            "type that character again",
        ) from error
    return value


def _bad(field: str, sentence: str) -> Problem:
    return Problem(ProblemKind.BAD_REQUEST, f"{sentence}.", field=field)
