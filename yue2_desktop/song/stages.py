"""What each stage of a song hands to the next, as values: the planned score and the semantic tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.request import SongRequest

#: Codec values are 0..32767; the model's ids are these plus an offset (spec/yue2.md, section 6).
CODEC_SIZE: Final = 32_768
#: Ordinary text ids are 0..151642; a score consists of these only (spec/yue2.md, sections 6 and 7).
TEXT_SIZE: Final = 151_643
#: Width of one latent frame.
LATENT_DIM: Final = 64
#: Samples a second of the decoded sound, and its channels.
SAMPLE_RATE: Final = 48_000
CHANNELS: Final = 2


@dataclass(frozen=True)
class ScorePlan:
    """The planned score and the exact prefix of the semantic stage (spec/yue2.md, sections 7 and 9).

    `abc_ids` are the sampled ids (or the encoded supplied score) without the end token; later stages use
    these, `abc` is only their text and None for `cot=off`. `prefix` holds the ids that the semantic stage
    starts from. `truncated` says that the score met its token ceiling before its end token; `supplied`
    that the score came with the request.
    """

    request: SongRequest
    abc_ids: tuple[int, ...]
    abc: str | None
    prefix: tuple[int, ...]
    truncated: bool
    supplied: bool


@dataclass(frozen=True)
class SemanticTokens:
    """The semantic tokens of a song: codec values in [0, 32768), 25 of them a second, offset removed.

    `truncated` says that the tokens met their ceiling before the song's end token.
    """

    plan: ScorePlan
    codec: tuple[int, ...]
    truncated: bool

    @property
    def seconds(self) -> float:
        """Length of the song in seconds."""
        return len(self.codec) / FRAMES_PER_SECOND
