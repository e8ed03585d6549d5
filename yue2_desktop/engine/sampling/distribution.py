"""From logits of one step to the few candidates that may follow, with their scores (spec yue2, section 8).

Everything runs on the phase's own rows of the vocabulary: ids outside it would be masked to -inf anyway, and a row of
-inf changes no later step. Places are indices into those rows, in the order of the ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch

from yue2_desktop.song.sampling import Sampling


@dataclass(frozen=True)
class Candidates:
    """Places [m] int64 in ascending order and their scores [m]; m is 1 when the choice is made (greedy)."""

    places: torch.Tensor
    scores: torch.Tensor
    tie: Tie | None = None


@dataclass(frozen=True)
class Tie:
    """Equal scores straddle the cut of top-p: all that have the score `at` are among the candidates.

    `settled` gives those who stay. It sorts the whole vocabulary, and a draw can seldom hang on it.
    """

    at: torch.Tensor
    settled: Callable[[], Candidates]


def guided(conditional: torch.Tensor, unconditional: torch.Tensor | None, guidance: float) -> torch.Tensor:
    """Classifier-free guidance in the logits' own dtype; without a negative branch the logits as they are."""
    if unconditional is None:
        return conditional
    return unconditional + guidance * (conditional - unconditional)


def candidates(
    logits: torch.Tensor,
    sampling: Sampling,
    *,
    ids: torch.Tensor,
    vocab_size: int,
    end_place: int,
    history: Sequence[int],
    keep_dtype: bool = False,
) -> Candidates:
    """The survivors of penalty, temperature, top-k and top-p.

    logits [c] of a phase's vocabulary, whose ids [c] lie in a whole one of `vocab_size`; `history` holds the places
    generated so far in this phase (neither prefix nor end token). `keep_dtype` is the arithmetic of `off` mode: all in
    the logits' dtype, and three candidates survive top-p at least, instead of one.
    """
    scores = logits.clone() if keep_dtype else logits.float().clone()
    if len(history) < sampling.min_tokens:
        scores[end_place] = float("-inf")
    _penalise_(scores, history[-sampling.penalty_window :], sampling.repetition_penalty)
    if sampling.temperature == 0:
        place = scores.argmax().view(1)
        return Candidates(place, scores[place])
    if sampling.temperature != 1:
        scores = scores / sampling.temperature
    places = _top_k(scores, sampling.top_k)
    found = Candidates(places, scores[places])
    if sampling.top_p < 1:
        return _top_p(found, ids, vocab_size, sampling.top_p, always=3 if keep_dtype else 1)
    return found


def _penalise_(scores: torch.Tensor, window: Sequence[int], penalty: float) -> None:
    if penalty == 1 or not window:
        return
    counts = Counter(window)
    places = torch.tensor(list(counts), device=scores.device)
    powers = torch.tensor(list(counts.values()), dtype=scores.dtype, device=scores.device)
    factors = penalty**powers
    seen = scores[places]
    scores[places] = torch.where(seen < 0, seen * factors, seen / factors)


def _top_k(scores: torch.Tensor, k: int) -> torch.Tensor:
    # Scores equal to the k-th largest stay, so more than k may.
    threshold = scores.topk(min(k, scores.shape[0])).values[-1]
    return (scores >= threshold).nonzero().view(-1)


def _top_p(found: Candidates, ids: torch.Tensor, vocab_size: int, top_p: float, *, always: int) -> Candidates:
    scores = found.scores
    ordered, order = scores.sort(descending=True, stable=True)
    kept = _head(ordered, top_p, always)
    if kept == len(ordered) or ordered[kept - 1] != ordered[kept]:
        return _part(found, order[:kept])

    def settled() -> Candidates:
        # Equal scores straddle the cut. Which of them stay is decided by the order in which the reference's sort of
        # the whole row (not a stable one) leaves them, so that very sort is done.
        mine = ids[found.places]
        row = torch.full((vocab_size,), float("-inf"), dtype=scores.dtype, device=scores.device)
        row[mine] = scores
        by_score = row.sort(descending=True).indices[: len(ordered)]
        return _part(found, torch.searchsorted(mine, by_score)[:kept])

    at = ordered[kept]
    return replace(_part(found, (scores >= at).nonzero().view(-1)), tie=Tie(at, settled))


def _part(found: Candidates, which: torch.Tensor) -> Candidates:
    inside = which.sort().values
    return Candidates(found.places[inside], found.scores[inside])


def _head(ordered: torch.Tensor, top_p: float, always: int) -> int:
    # Falling scores make a growing exclusive sum, so what is kept is a head of the order.
    probabilities = ordered.softmax(-1)
    outside = probabilities.cumsum(-1) - probabilities > top_p
    outside[:always] = False
    return int((~outside).sum())
