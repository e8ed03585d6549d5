"""Sampling settings: the protocol's defaults, overrides, and a sentence for each range."""

from __future__ import annotations

import math

import pytest

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged


def test_defaults() -> None:
    assert Sampling(0.7, 0.9, 30, 1.005, 100, 32, 4096) == ABC_SAMPLING
    assert Sampling(1.0, 0.95, 100, 1.2, 50, 200, 9000) == SEMANTIC_SAMPLING


def test_overrides_lie_over_the_base() -> None:
    result = merged(SEMANTIC_SAMPLING, {"temperature": 0, "max_tokens": 300})
    assert result == Sampling(0.0, 0.95, 100, 1.2, 50, 200, 300)
    assert type(result.temperature) is float


def test_nothing_to_override_changes_nothing() -> None:
    assert merged(ABC_SAMPLING, {}) == ABC_SAMPLING


@pytest.mark.parametrize(
    "good",
    [
        {"temperature": 5},
        {"top_p": 1},
        {"top_p": 1e-9},
        {"top_k": 1},
        {"repetition_penalty": 0.01},
        {"penalty_window": 1},
        {"penalty_window": 100},
        {"min_tokens": 0},
        {"min_tokens": 1, "max_tokens": 1},
        {"min_tokens": 9000},
    ],
)
def test_edges_are_inside(good: dict[str, object]) -> None:
    result = merged(SEMANTIC_SAMPLING, good).to_json()
    assert {name: result[name] for name in good} == good


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"temperature": math.nan}, "x.temperature must be an ordinary number, but is nan"),
        ({"temperature": math.inf}, "x.temperature must be an ordinary number, but is inf"),
        ({"temperature": 10**400}, "x.temperature is far too large"),
        ({"temperature": -0.1}, "x.temperature must lie between 0 and 5, but is -0.1"),
        ({"temperature": 5.1}, "x.temperature must lie between 0 and 5"),
        ({"temperature": "1"}, "x.temperature must be a number such as 0.9, but is '1'"),
        ({"temperature": True}, "x.temperature must be a number"),
        ({"temperature": None}, "x.temperature must be a number such as 0.9, but is null"),
        ({"top_p": 0}, "x.top_p must be above 0 and at most 1"),
        ({"top_p": 1.01}, "x.top_p must be above 0 and at most 1"),
        ({"top_k": 0}, "x.top_k must be 1 or more, but is 0"),
        ({"top_k": 30.0}, "x.top_k must be a whole number such as 100, but is 30.0"),
        ({"top_k": True}, "x.top_k must be a whole number"),
        ({"repetition_penalty": 0}, "x.repetition_penalty must be above 0"),
        ({"penalty_window": 0}, "x.penalty_window must lie between 1 and 100"),
        ({"penalty_window": 101}, "x.penalty_window must lie between 1 and 100"),
        ({"min_tokens": -1}, "x.min_tokens must be 0 or more"),
        ({"max_tokens": 0, "min_tokens": 0}, "x.max_tokens must be 1 or more"),
        ({"min_tokens": 301, "max_tokens": 300}, "x.min_tokens is 301, more than max_tokens 300; lower min_tokens"),
        ({"max_tokens": 199}, "x.min_tokens is 200, more than max_tokens 199"),
        ({"topk": 5}, "x.topk is not a setting; use temperature, top_p, top_k,"),
    ],
)
def test_each_range_has_a_sentence(bad: dict[str, object], words: str) -> None:
    with pytest.raises(Problem) as caught:
        merged(SEMANTIC_SAMPLING, bad, where="x")
    assert caught.value.kind is ProblemKind.BAD_REQUEST
    assert words in caught.value.sentence
    assert caught.value.data["where"] == "x"
