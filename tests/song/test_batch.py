"""A batch is nothing but single requests with seed + i (row 120)."""

from __future__ import annotations

import pytest

from yue2_desktop.song.batch import batch
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.request import SongRequest

FIELDS = {"style": "folk", "lyrics": "la", "cot": "melody", "cfg_scale": 1.5}


def test_song_i_is_the_single_song_with_seed_plus_i() -> None:
    songs = batch(SongRequest.validated(**FIELDS, seed=41), 4)
    assert songs == tuple(SongRequest.validated(**FIELDS, seed=seed) for seed in (41, 42, 43, 44))


def test_the_largest_seed_is_the_last() -> None:
    assert batch(SongRequest.validated(**FIELDS, seed=2**63 - 2), 2)[1].seed == 2**63 - 1
    with pytest.raises(Problem, match="3 takes from seed 9223372036854775806 would pass the largest seed"):
        batch(SongRequest.validated(**FIELDS, seed=2**63 - 2), 3)


@pytest.mark.parametrize("count", [0, -1])
def test_a_batch_has_songs(count: int) -> None:
    with pytest.raises(Problem, match="count must be 1 or more"):
        batch(SongRequest.validated(**FIELDS), count)
