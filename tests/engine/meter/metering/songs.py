"""Songs that are lengths only, and what stands in for their words and their choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from yue2_desktop.engine.model.head import PhaseVocabulary
from yue2_desktop.engine.sampling.distribution import guided
from yue2_desktop.engine.text.prompt import semantic_prefix
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged
from yue2_desktop.song.stages import ScorePlan, SemanticTokens

#: Tokens of the longest instruction, which the second branch of guidance is given alone; the planner's own bound.
INSTRUCTION_TOKENS = 40
#: Tokens that each phase draws before it ends: the cache is there from the beginning, so one step tells all.
DRAWN = 1


@dataclass(frozen=True)
class Song:
    """`text` tokens of words, `abc` of score, and a ceiling of `frames`, of which the acoustic stage sounds all."""

    text: int
    abc: int
    frames: int
    guidance: float = 1.0

    @property
    def prefix(self) -> int:
        return self.text + 2 + self.abc + 2

    @property
    def request(self) -> SongRequest:
        return SongRequest.validated(style="a song", lyrics="la", seed=1, cfg_scale=self.guidance)

    @property
    def sampling(self) -> Sampling:
        return merged(SEMANTIC_SAMPLING, {"min_tokens": 1, "max_tokens": self.frames})

    @property
    def abc_sampling(self) -> Sampling:
        return merged(ABC_SAMPLING, {"min_tokens": 1})

    @property
    def words(self) -> CountedWords:
        return CountedWords(self.text)

    @property
    def plan(self) -> ScorePlan:
        ids = (7,) * self.abc
        prefix = semantic_prefix(self.words, self.request, ids)  # type: ignore[arg-type]
        assert len(prefix) == self.prefix
        return ScorePlan(self.request, ids, "", prefix, truncated=False, supplied=False)

    @property
    def tokens(self) -> SemanticTokens:
        return SemanticTokens(self.plan, (3,) * self.frames, truncated=False)


@dataclass(frozen=True)
class CountedWords:
    """A tokenizer that gives a song's prompt `text` tokens, and the instruction alone its own number."""

    text: int

    def encode(self, text: str) -> list[int]:
        return [1] * (self.text if "[Lyrics]" in text else INSTRUCTION_TOKENS)

    def decode(self, ids: Sequence[int]) -> str:
        return " ".join(map(str, ids))


class FixedChoice:
    """In the place of `SampledChoice`: computes the scores as it does, and then draws what was settled before."""

    def __init__(
        self,
        vocabulary: PhaseVocabulary,
        vocab_size: int,
        sampling: Sampling,
        guidance: float,
        draw: object,
        device: torch.device,
        *,
        keep_dtype: bool,
    ) -> None:
        self._ids = vocabulary.ids().to(device)
        self._guidance = guidance
        self._end = vocabulary.place(vocabulary.end_id)
        self._other = 0 if self._end else 1

    def __call__(self, rows: Sequence[torch.Tensor], history: Sequence[int]) -> int:
        logits = guided(rows[0], rows[1] if len(rows) > 1 else None, self._guidance)
        logits.float().clone().softmax(-1)
        return self._other if len(history) < DRAWN else self._end


def nothing(*_arguments: Any) -> None:
    """A callback that does nothing."""
