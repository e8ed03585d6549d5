"""What one song asks of the machine: tokens before and in each phase, guidance, steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.limits import CONTEXT, FRAMES_PER_SECOND
from yue2_desktop.song.render_settings import FINAL_STEPS, OdeMethod
from yue2_desktop.song.request import Cot
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING

#: Ids around the text: EOD, ABC_START; and ABC_END, MUSIC_START behind the score (spec/yue2.md, section 7).
_BEFORE: Final = 2
_BEHIND: Final = 2
#: Tokens of the longest instruction; an upper bound (it has 133 letters).
_INSTRUCTION_TOKENS: Final = 40


@dataclass(frozen=True)
class SongDemand:
    """One song in tokens; a bound counts as the number, so that the planner promises what it can keep.

    `text_tokens` is the encoded prompt text (instruction, style, lyrics); `abc_tokens` the score's ids where
    they are known (supplied or already written), else None, and then `abc_ceiling` bounds them.
    `frames_ceiling` is the semantic phase's max_tokens (25 a second); `frames_expected` how many are likely,
    None if nobody knows. `bounded` says that text_tokens is a bound and not a count.
    """

    text_tokens: int
    abc_tokens: int | None = None
    abc_ceiling: int = ABC_SAMPLING.max_tokens
    frames_ceiling: int = SEMANTIC_SAMPLING.max_tokens
    frames_expected: int | None = None
    cot: Cot = "full"
    guidance: float = 1.0
    ode_steps: int = FINAL_STEPS
    ode_method: OdeMethod = "midpoint"
    bounded: bool = False

    def __post_init__(self) -> None:
        if self.text_tokens < 0 or (self.abc_tokens or 0) < 0:
            raise ValueError("token counts are never negative")
        if self.frames_ceiling < 1 or self.abc_ceiling < 1 or self.ode_steps < 1:
            raise ValueError("ceilings and steps are at least 1")

    @property
    def writes_score(self) -> bool:
        """Whether the score phase runs at all."""
        return self.cot != "off" and self.abc_tokens is None

    @property
    def score_prompt(self) -> int:
        """Tokens before the score."""
        return self.text_tokens + _BEFORE

    @property
    def _abc(self) -> int:
        if self.cot == "off":
            return 0
        return self.abc_ceiling if self.abc_tokens is None else self.abc_tokens

    @property
    def prefix(self) -> int:
        """Tokens before the song itself: text, score and marks."""
        return self.text_tokens + _BEFORE + self._abc + _BEHIND

    @property
    def guided(self) -> bool:
        """Whether a second, unconditional branch runs in the semantic phase."""
        return self.guidance != 1.0

    @property
    def negative_prefix(self) -> int:
        """Tokens before the song in the second branch: the instruction alone and the same score."""
        if self.cot == "off":
            return _INSTRUCTION_TOKENS + 2
        return _INSTRUCTION_TOKENS + _BEFORE + self._abc + _BEHIND

    @property
    def seconds(self) -> float:
        """The longest that the song can become, in seconds."""
        return self.frames_ceiling / FRAMES_PER_SECOND

    @property
    def evaluations(self) -> int:
        """Velocity evaluations of a chunk: two a step, or one and one more with Adams-Bashforth 2."""
        return self.ode_steps + 1 if self.ode_method == "ab2" else 2 * self.ode_steps

    def overflow(self, context: int = CONTEXT) -> int:
        """Tokens by which prefix and ceiling certainly exceed the model's context; 0 where they may fit.

        A bound of the text proves nothing but what the song takes by itself, and a score that is not yet written may
        turn out short.
        """
        if self.bounded:
            return max(0, _BEFORE + _BEHIND + self.frames_ceiling - context)
        score = self.score_prompt + self.abc_ceiling if self.writes_score else 0
        unwritten = self.abc_ceiling if self.writes_score else 0
        return max(0, self.prefix - unwritten + self.frames_ceiling - context, score - context)


def text_token_bound(style: str, lyrics: str) -> int:
    """An upper bound of the prompt text's tokens without a tokenizer: a token is at least one UTF-8 byte."""
    joints = len("\n[Tags]\n\n[Lyrics]\n\n")
    return _INSTRUCTION_TOKENS + joints + len(style.encode("utf-8")) + len(lyrics.encode("utf-8"))
