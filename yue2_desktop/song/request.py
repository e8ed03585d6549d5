"""What a song is asked for with: style, lyrics and the few choices of the request protocol, validated."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from typing import Final, Literal

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import require_singable
from yue2_desktop.song.wording import shown

Cot = Literal["full", "melody", "off"]

COTS: Final[tuple[Cot, ...]] = ("full", "melody", "off")
DEFAULT_SEED: Final = 831_001
DEFAULT_ID: Final = "song"
SEED_LIMIT: Final = 2**63
CFG_SCALE_MAX: Final = 20.0

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
        raise _bad(
            "seed", f"seed must be a whole number such as 831001 (no quotation marks), but is {shown(seed)}"
        )
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
    if not math.isfinite(scale) or not 0 <= scale <= CFG_SCALE_MAX:
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
