"""Several takes of one song: each is the request that a single run with its seed would have."""

from __future__ import annotations

from dataclasses import replace

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SEED_LIMIT, SongRequest


def batch(request: SongRequest, count: int) -> tuple[SongRequest, ...]:
    """`count` requests that differ only in their seed: song i has `request.seed + i` (row 120 of user-reports.md).

    Raises Problem(BAD_REQUEST) when `count` is below 1 or a seed would reach 2^63.
    """
    if count < 1:
        raise Problem(ProblemKind.BAD_REQUEST, f"count must be 1 or more, but is {count}.", field="count")
    if request.seed + count > SEED_LIMIT:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{count} takes from seed {request.seed} would pass the largest seed {SEED_LIMIT - 1}; "
            "start from a lower seed or ask for fewer takes.",
            field="seed",
        )
    return tuple(replace(request, seed=request.seed + i) for i in range(count))
