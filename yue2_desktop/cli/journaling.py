"""What a running stage keeps as it goes, and where a broken one goes on from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from yue2_desktop.cli.weights_watch import MOT
from yue2_desktop.engine.flow.acoustic import SolverState
from yue2_desktop.engine.pipeline import Resumption
from yue2_desktop.library.arrays import Latents
from yue2_desktop.library.json_style import canonical_bytes, sha256_of
from yue2_desktop.library.names import ODE_STATE
from yue2_desktop.library.ode_state import OdeState, read_ode_state, write_ode_state
from yue2_desktop.library.token_journal import TokenJournal
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import ScorePlan, SemanticTokens

Note = Callable[[str], None]


@dataclass(frozen=True)
class JournalKeys:
    """What ties a journal to its render: request, settings and the weights of the transformer."""

    request: Mapping[str, object]
    config: Mapping[str, object]
    weights: Mapping[str, object]

    def of_score(self) -> str:
        """The key of the score's tokens."""
        return self._key("score")

    def of_song(self, plan: ScorePlan) -> str:
        """The key of the semantic tokens of `plan`."""
        return self._key("semantic", *plan.prefix)

    def of_sound(self, tokens: SemanticTokens) -> str:
        """The key of the solver's state for `tokens`."""
        return self._key("sound", *tokens.plan.prefix, -1, *tokens.codec)

    def _key(self, *what: object) -> str:
        values = [self.request, self.config, self.weights.get(MOT), what]
        return sha256_of(canonical_bytes(values))


def open_tokens(path: Path, key: str, note: Note) -> tuple[TokenJournal, Resumption | None]:
    """The journal of a token stage, and where it stood if a broken run has left one.

    A journal that cannot be used is said and begun again. Raises Problem when it cannot be written.
    """
    if path.exists():
        try:
            journal, found = TokenJournal.resume(path, key)
        except Problem as problem:
            if problem.kind is not ProblemKind.BAD_FILE:
                raise
            note(f"{problem.sentence.rstrip('.')}. This stage is begun again.")
        else:
            return journal, Resumption(found.ids, found.state) if found.ids else None
    return TokenJournal.create(path, key), None


def solver_state(folder: Path, key: str, note: Note) -> SolverState | None:
    """Where the solver stood if a broken run has left its state; one that cannot be used is said and passed over."""
    path = folder / ODE_STATE
    try:
        state = read_ode_state(path)
    except Problem as problem:
        note(f"{problem.sentence.rstrip('.')}. This stage is begun again.")
        return None
    if state is None:
        return None
    if state.key != key:
        note(
            "The state of the sound that is kept there belongs to other tokens or settings. This stage is begun again."
        )
        return None
    return SolverState(
        torch.from_numpy(state.finished),
        state.chunk,
        state.step,
        torch.from_numpy(state.x),
        None if state.slope is None else torch.from_numpy(state.slope),
    )


def keep_solver_state(folder: Path, key: str, steps: int, state: SolverState) -> None:
    """Saves the solver's state after a step, in place of the one before."""
    write_ode_state(
        folder / ODE_STATE,
        OdeState(
            key=key,
            chunk=state.chunk,
            step=state.step,
            steps=steps,
            x=_values(state.x),
            finished=_values(state.finished),
            slope=None if state.slope is None else _values(state.slope),
        ),
    )


def _values(x: torch.Tensor) -> Latents:
    return np.asarray(x.numpy(), dtype=np.float32)
