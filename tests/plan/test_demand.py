"""What a song asks for, counted as the prompts of spec/yue2.md, section 7, are built."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.demand import SongDemand, text_token_bound


def test_prefixes() -> None:
    song = SongDemand(text_tokens=500, abc_tokens=3_647)
    assert (song.score_prompt, song.prefix, song.writes_score) == (502, 4_151, False)
    assert SongDemand(text_tokens=500, cot="off").prefix == 504
    assert not SongDemand(text_tokens=500, cot="off").writes_score


def test_an_unwritten_score_counts_as_its_ceiling() -> None:
    song = SongDemand(text_tokens=500)
    assert song.writes_score
    assert song.prefix == 500 + 4 + 4_096


def test_guidance_adds_a_branch_with_the_same_score() -> None:
    song = SongDemand(text_tokens=500, abc_tokens=1_000, guidance=1.5)
    assert song.guided
    assert 1_000 < song.negative_prefix < song.prefix
    assert SongDemand(text_tokens=500, cot="off", guidance=1.01).negative_prefix < 100


def test_evaluations() -> None:
    assert SongDemand(text_tokens=1).evaluations == 64
    assert SongDemand(text_tokens=1, ode_steps=16, ode_method="ab2").evaluations == 17


def test_overflow_is_certain_or_none() -> None:
    assert SongDemand(text_tokens=500, abc_tokens=15_072, frames_ceiling=9_000).overflow() == 0
    assert SongDemand(text_tokens=500, abc_tokens=15_073, frames_ceiling=9_000).overflow() == 1
    # The score may turn out short, and a bound proves nothing.
    assert SongDemand(text_tokens=11_500, frames_ceiling=9_000).overflow() == 0
    assert SongDemand(text_tokens=60_000, bounded=True).overflow() == 0
    assert SongDemand(text_tokens=60, frames_ceiling=24_572, bounded=True).overflow() == 0
    assert SongDemand(text_tokens=60, frames_ceiling=24_600, bounded=True).overflow() == 28
    assert SongDemand(text_tokens=20_479).overflow() > 0


@pytest.mark.parametrize(
    "wrong", [{"text_tokens": -1}, {"abc_tokens": -1}, {"frames_ceiling": 0}, {"abc_ceiling": 0}, {"ode_steps": 0}]
)
def test_impossible_demands_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"never negative|at least 1"):
        SongDemand(**{"text_tokens": 1, **wrong})  # type: ignore[arg-type]


def test_a_token_is_at_least_a_byte() -> None:
    assert text_token_bound("pop", "雪") >= len("pop") + 3
