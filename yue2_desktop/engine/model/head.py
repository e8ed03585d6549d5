"""The output rows that a phase can choose from, and nothing else of `lm_head`."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.tokens import ABC_END, CODEC_OFFSET, CODEC_SIZE, MUSIC_END, TEXT_TOKENS


@dataclass(frozen=True)
class PhaseVocabulary:
    """The admissible ids of a phase: ascending runs [start, stop) of the vocabulary; a place is an index into them.

    `makes` is the word for what the phase makes, for sentences.
    """

    name: str
    makes: str
    runs: tuple[tuple[int, int], ...]
    end_id: int

    @property
    def size(self) -> int:
        return sum(stop - start for start, stop in self.runs)

    def ids(self) -> torch.Tensor:
        """All ids in order, int64 [size]."""
        return torch.cat([torch.arange(start, stop) for start, stop in self.runs])

    def place(self, token: int) -> int:
        """The place of an id. Raises ValueError for one outside the phase."""
        before = 0
        for start, stop in self.runs:
            if start <= token < stop:
                return before + token - start
            before += stop - start
        raise ValueError(f"token {token} is not in the {self.name} phase")

    def id_at(self, place: int) -> int:
        """The id at a place."""
        for start, stop in self.runs:
            if place < stop - start:
                return start + place
            place -= stop - start
        raise ValueError(f"there is no place {place} behind the {self.name} phase")


#: The score phase: all text tokens and ABC_END.
ABC_VOCABULARY = PhaseVocabulary("score", "score", ((0, TEXT_TOKENS), (ABC_END, ABC_END + 1)), ABC_END)
#: The semantic phase: MUSIC_END and the codec tokens, which lie behind it.
SEMANTIC_VOCABULARY = PhaseVocabulary("semantic", "song", ((MUSIC_END, CODEC_OFFSET + CODEC_SIZE),), MUSIC_END)


@dataclass(frozen=True)
class PhaseHead:
    """`lm_head` cut to a phase: maps normalised rows [n, hidden] to logits [n, vocabulary.size]."""

    vocabulary: PhaseVocabulary
    rows: Linear

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return self.rows(x)
