"""The draw itself: compatible with `torch.multinomial` over the whole vocabulary at an equal seed.

`multinomial(p, 1)` takes argmax(p / e) where e is one Exponential(1) variate for every id of the vocabulary, drawn in
p's dtype from the generator (spec yue2, section 8). Only the candidates' variates matter, but the generator must move
past all of them.
"""

from __future__ import annotations

import math
from typing import Protocol

import torch

from yue2_desktop.engine.sampling.distribution import Candidates
from yue2_desktop.song.errors import Problem, ProblemKind


class Draw(Protocol):
    """Picks one of the candidates."""

    def __call__(self, found: Candidates, ids: torch.Tensor) -> torch.Tensor:
        """The place that was drawn, int64 []; ids [m] are the candidates' ids in the whole vocabulary."""
        ...


class SeededDraw:
    """Draws from one generator that was seeded for one phase."""

    def __init__(self, seed: int, vocab_size: int, device: torch.device) -> None:
        self._vocab_size = vocab_size
        self.generator = torch.Generator(device=device if device.type == "cuda" else "cpu")
        self.generator.manual_seed(seed)

    def __call__(self, found: Candidates, ids: torch.Tensor) -> torch.Tensor:
        probabilities = found.scores.softmax(-1)
        waits = self._exponentials(ids, probabilities.dtype).to(probabilities.device)
        return found.places[(probabilities / waits).argmax()]

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

    def _exponentials(self, ids: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        if self.generator.device.type != "cpu":
            row = torch.empty(self._vocab_size, dtype=dtype, device=self.generator.device)
            return row.exponential_(generator=self.generator)[ids]
        # On the CPU `exponential_` is -log1p(-u) of one double u an id, which costs thirty times what u itself costs
        # (31 ms against 1 ms for the whole vocabulary): take the logarithm for the candidates only.
        uniform = torch.empty(self._vocab_size, dtype=torch.float64).uniform_(generator=self.generator)
        chosen = uniform[ids.cpu()].tolist()
        return torch.tensor([-math.log1p(-u) for u in chosen], dtype=torch.float64).to(dtype)
