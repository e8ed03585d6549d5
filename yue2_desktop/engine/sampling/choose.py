"""One step of choosing: from the logits of a phase to the place of the next token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch

from yue2_desktop.engine.model.head import PhaseVocabulary
from yue2_desktop.engine.sampling.distribution import candidates, guided
from yue2_desktop.engine.sampling.draw import Draw
from yue2_desktop.song.sampling import Sampling


class Chooser(Protocol):
    """Picks the next token. The one place where a value leaves the device, and so the seam of the memory meter."""

    def __call__(self, rows: Sequence[torch.Tensor], history: Sequence[int]) -> int:
        """rows: logits [c] of the conditional branch, then of the negative one if there is one; history: places.

        Returns a place in the phase's vocabulary.
        """
        ...


class SampledChoice:
    """The chooser of a render: guidance, distribution, draw (spec yue2, section 8)."""

    def __init__(
        self,
        vocabulary: PhaseVocabulary,
        vocab_size: int,
        sampling: Sampling,
        guidance: float,
        draw: Draw,
        device: torch.device,
        *,
        keep_dtype: bool,
    ) -> None:
        self._ids = vocabulary.ids().to(device)
        self._vocab_size = vocab_size
        self._sampling = sampling
        self._guidance = guidance
        self._draw = draw
        self._end_place = vocabulary.place(vocabulary.end_id)
        self._keep_dtype = keep_dtype

    def __call__(self, rows: Sequence[torch.Tensor], history: Sequence[int]) -> int:
        logits = guided(rows[0], rows[1] if len(rows) > 1 else None, self._guidance)
        found = candidates(
            logits,
            self._sampling,
            ids=self._ids,
            vocab_size=self._vocab_size,
            end_place=self._end_place,
            history=history,
            keep_dtype=self._keep_dtype,
        )
        if self._sampling.temperature == 0:
            return int(found.places[0])
        return int(self._draw(found, self._ids))
