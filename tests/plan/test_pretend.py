"""`--pretend-gpu`: presets, a card in words, and what a desktop leaves free of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yue2_desktop.plan.pretend import PRESETS, parse_pretend, usable_bytes
from yue2_desktop.plan.sizes import GIB, MIB
from yue2_desktop.song.errors import Problem, ProblemKind


def test_the_card_of_the_issue() -> None:
    card = parse_pretend("RTX 3050 Laptop,6144MiB,8.6")
    assert (card.name, card.total_bytes, card.capability) == ("RTX 3050 Laptop", 6 * GIB, (8, 6))
    assert card.free_bytes == pytest.approx(5.2 * GIB, abs=1)
    assert card.pretended


@pytest.mark.parametrize(("preset", "free"), [("4GB", 3.3), ("6GB", 5.2), ("8GB", 7.0), ("6 GB", 5.2)])
def test_presets_have_the_usable_figures(preset: str, free: float) -> None:
    assert parse_pretend(preset).free_bytes == pytest.approx(free * GIB, abs=1)


def test_all_presets_are_cards_of_their_size() -> None:
    assert PRESETS == ("4GB", "6GB", "8GB", "12GB", "24GB")
    assert [parse_pretend(preset).total_bytes for preset in PRESETS] == [size * GIB for size in (4, 6, 8, 12, 24)]


def test_free_memory_may_be_given() -> None:
    assert parse_pretend("X, 8GiB, 8.9, 6.5GiB").free_bytes == 6656 * MIB


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5GB", "none of the presets 4GB, 6GB"),
        ("RTX 3050", "not NAME,MEMORY,CAPABILITY"),
        ("", "not NAME,MEMORY,CAPABILITY"),
        (",6144MiB,8.6", "not NAME,MEMORY,CAPABILITY"),
        ("X,6144,8.6", "gives its memory as '6144'"),
        ("X,lots,8.6", "gives its memory as 'lots'"),
        ("X,1MiB,8.6", "which no card has"),
        ("X,6GiB,sm_86", "gives its compute capability as 'sm_86'"),
        ("X,6GiB,8.6,7GiB", "more memory free than it has"),
        ("X,6GiB,8.6,none", "gives its free memory as 'none'"),
    ],
)
def test_bad_cards_are_named_with_an_example(text: str, words: str) -> None:
    with pytest.raises(Problem) as caught:
        parse_pretend(text)
    assert caught.value.kind is ProblemKind.BAD_REQUEST
    assert words in caught.value.sentence
    assert '"RTX 3050 Laptop,6144MiB,8.6"' in caught.value.sentence


@settings(deadline=None)
@given(st.integers(0, 200 * GIB))
def test_usable_is_less_than_all_and_grows(total: int) -> None:
    assert 0 <= usable_bytes(total) <= total
    assert usable_bytes(total) <= usable_bytes(total + GIB)
