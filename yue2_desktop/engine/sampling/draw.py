"""The draw itself: compatible with `torch.multinomial` over the whole vocabulary at an equal seed.

`multinomial(p, 1)` takes argmax(p / e) where e is one Exponential(1) variate for every id of the vocabulary, drawn in
p's dtype from the generator (spec yue2, section 8). Only the candidates' variates matter, but the generator must move
past all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Protocol

import torch

from yue2_desktop.engine.sampling.distribution import Candidates
from yue2_desktop.song.errors import Problem, ProblemKind

#: Far more than float32 roundings of a sum of probabilities can make of a ratio.
_CLEARLY: Final = 1.0001


class Draw(Protocol):
    """Picks one of the candidates."""

    def __call__(self, found: Candidates, ids: torch.Tensor) -> torch.Tensor:
        """The place that was drawn, int64 []; ids [c] are the ids of all places in the whole vocabulary."""
        ...


class SeededDraw:
    """Draws from one generator that was seeded for one phase."""

    def __init__(self, seed: int, vocab_size: int, device: torch.device) -> None:
        self._vocab_size = vocab_size
        self.generator = torch.Generator(device=device if device.type == "cuda" else "cpu")
        self.generator.manual_seed(seed)

    def __call__(self, found: Candidates, ids: torch.Tensor) -> torch.Tensor:
        wait = self._exponentials(found.scores.dtype)
        if found.tie is None:
            return found.places[_merit(found, ids, wait).argmax()]
        merit = _merit(found, ids, wait)
        first, second = merit.topk(2).values
        best = merit.argmax()
        # Those who do not stay change the others' probabilities by one factor, that is, by a rounding: a clear winner
        # that stays in any case is the winner among those who stay, too.
        if merit.dtype is torch.float32 and first > _CLEARLY * second and found.scores[best] > found.tie.at:
            return found.places[best]
        stay = found.tie.settled()
        return stay.places[_merit(stay, ids, wait).argmax()]

    def state(self) -> bytes:
        """The generator's state, to go on from after a break."""
        return self.generator.get_state().numpy().tobytes()

    def restore(self, state: bytes) -> None:
        """Puts the generator where `state` was taken. Raises Problem(BAD_FILE) for bytes that are no such state."""
        try:
            self.generator.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))
        except (RuntimeError, ValueError, TypeError) as error:
            raise Problem(
                ProblemKind.BAD_FILE,
                "The saved state of the random numbers does not fit this device. Render the tokens again.",
            ) from error

    def _exponentials(self, dtype: torch.dtype) -> Callable[[torch.Tensor], torch.Tensor]:
        """Draws one variate for every id of the vocabulary; what it gives looks up those [m] of ids [m]."""
        if self.generator.device.type != "cpu":
            row = torch.empty(self._vocab_size, dtype=dtype, device=self.generator.device)
            row.exponential_(generator=self.generator)
            return lambda ids: row[ids]
        # On the CPU `exponential_` is -log1p(-u) of one double u an id, which costs thirty times what u itself costs
        # (31 ms against 1 ms for the whole vocabulary): take the logarithm for the candidates only.
        uniform = torch.empty(self._vocab_size, dtype=torch.float64).uniform_(generator=self.generator)

        def wait(ids: torch.Tensor) -> torch.Tensor:
            logarithms = [-math.log1p(-u) for u in uniform[ids.cpu()].tolist()]
            return torch.tensor(logarithms, dtype=torch.float64).to(dtype).to(ids.device)

        return wait


def _merit(found: Candidates, ids: torch.Tensor, wait: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """What the candidates are compared by: probability over waiting time [m]."""
    return found.scores.softmax(-1) / wait(ids[found.places])
