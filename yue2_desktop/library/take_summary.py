"""A take as one row of a list: what it is, how far it is, and what deserves a mark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.belonging import SongOfTake

#: Fewer refinements than this are a draft (design: modes; "sketch" is 16).
DRAFT_BELOW_STEPS: Final = 16
#: The share of clipped samples that is worth a mark: about a hundred of a song of four minutes.
CLIPPED_WORTH_A_MARK: Final = 1e-5


class TakeState(StrEnum):
    """How a take stands on the disk.

    `partial` was asked for only up to a stage, such as its score; `begun` is running or was interrupted, and only the
    queue knows which; `damaged` is one whose records cannot be read.
    """

    FINISHED = "finished"
    PARTIAL = "partial"
    BEGUN = "begun"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DAMAGED = "damaged"


class Badge(StrEnum):
    """What a row marks, in this order."""

    UNFINISHED = "unfinished"
    FAILED = "failed"
    DAMAGED = "damaged"
    DRAFT = "draft"
    TRUNCATED = "truncated"
    EDITED_SCORE = "edited-score"
    BAD_SCORE = "bad-score"
    RESUMED = "resumed"
    CLIPPED = "clipped"
    TAIL_SILENCE = "tail-silence"
    ODD_LENGTH = "odd-length"


@dataclass(frozen=True)
class Loudness:
    """What of a sound's levels is worth a mark: share of clipped samples, and silence at its end in seconds."""

    peak_dbfs: float | None
    clipped: float
    tail_silence_s: float
    silent_tail: bool


@dataclass(frozen=True)
class TakeSummary:
    """One take. What its files do not say is None, empty or false, and `damage` says why in sentences.

    `title` is that of its song, or else the name of its folder; `mode` the one it was computed in (`bf16`, ...);
    `created` is in UTC. `last` is its furthest complete stage. `seconds` is the length of the sound, or of its
    tokens. `edited_score` says that the score was given, not written by the model. `problem` is why it failed.
    `audio` names the file of its sound; `loudness` is None until it was measured, `score_errors` until counted;
    `unsung` says in a sentence what a song that was cut short leaves out, None until that was looked at;
    `words_doubt` that its length does not suit its words.
    """

    folder: Path
    title: str
    created: datetime
    state: TakeState
    song: SongOfTake | None = None
    style: str = ""
    seed: int | None = None
    cot: str = ""
    mode: str = ""
    ode_steps: int | None = None
    last: TakeStage | None = None
    seconds: float | None = None
    score_truncated: bool = False
    song_truncated: bool = False
    has_score: bool = False
    edited_score: bool = False
    resumed: bool = False
    problem: str | None = None
    audio: str | None = None
    loudness: Loudness | None = None
    score_errors: int | None = None
    unsung: str | None = None
    words_doubt: str = ""
    star: bool = False
    note: str = ""
    damage: tuple[str, ...] = ()

    @property
    def is_draft(self) -> bool:
        """Whether its sound was refined in fewer than 16 steps."""
        return self.ode_steps is not None and self.ode_steps < DRAFT_BELOW_STEPS

    @property
    def badges(self) -> tuple[Badge, ...]:
        """What its row marks."""
        loudness = self.loudness
        marked = {
            Badge.UNFINISHED: self.state in {TakeState.BEGUN, TakeState.CANCELLED},
            Badge.FAILED: self.state is TakeState.FAILED,
            Badge.DAMAGED: bool(self.damage),
            Badge.DRAFT: self.is_draft,
            Badge.TRUNCATED: self.score_truncated or self.song_truncated,
            Badge.EDITED_SCORE: self.edited_score,
            Badge.BAD_SCORE: bool(self.score_errors),
            Badge.RESUMED: self.resumed,
            Badge.CLIPPED: loudness is not None and loudness.clipped >= CLIPPED_WORTH_A_MARK,
            Badge.TAIL_SILENCE: loudness is not None and loudness.silent_tail,
            Badge.ODD_LENGTH: bool(self.words_doubt),
        }
        return tuple(badge for badge in Badge if marked[badge])

    def to_json(self) -> dict[str, object]:
        """The summary as plain values, without its folder."""
        values = asdict(self)
        del values["folder"]
        return {**values, "created": self.created.isoformat(), "damage": list(self.damage)}


def summary_from_json(values: Mapping[str, Any], folder: Path) -> TakeSummary:
    """The summary of the take in `folder` that `to_json` gave; ValueError, TypeError or KeyError for anything else."""
    song, loudness, last = values["song"], values["loudness"], values["last"]
    return TakeSummary(**{
        **values,
        "folder": folder,
        "created": datetime.fromisoformat(values["created"]),
        "state": TakeState(values["state"]),
        "last": None if last is None else TakeStage(last),
        "song": None if song is None else SongOfTake(**song),
        "loudness": None if loudness is None else Loudness(**loudness),
        "damage": tuple(values["damage"]),
    })
