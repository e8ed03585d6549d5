"""Which card renders: user-reports.md, rows 31, 33, 34 and 35."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.cards import choose_card, in_cuda_order
from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.song.errors import Problem, ProblemKind

SMALL = GpuFacts(name="RTX 3050", uuid="GPU-aaaa", total_bytes=6 * GIB, free_bytes=5 * GIB)
LARGE = GpuFacts(name="RTX 3090", uuid="GPU-bbbb", total_bytes=24 * GIB, free_bytes=20 * GIB)
INTEGRATED = GpuFacts(name="Iris Xe", vendor="intel", integrated=True, total_bytes=16 * GIB, free_bytes=16 * GIB)


def test_row_33_cards_are_matched_by_uuid() -> None:
    ordered = in_cuda_order((SMALL, LARGE), ("bbbb", "GPU-AAAA"))
    assert [(card.name, card.cuda_index) for card in ordered] == [("RTX 3090", 0), ("RTX 3050", 1)]
    assert choose_card(ordered, wanted="cuda:1").gpu == ordered[1]


def test_cards_that_cuda_does_not_see_are_left_out() -> None:
    assert [card.name for card in in_cuda_order((SMALL, LARGE), ("cccc", "bbbb"))] == ["RTX 3090"]


def test_row_31_the_discrete_card_is_chosen_beside_an_integrated_one() -> None:
    choice = choose_card((INTEGRATED, SMALL))
    assert choice.gpu == SMALL
    assert choice.selectable == (SMALL,), "one card is no choice"


def test_row_35_two_cards_can_be_chosen_and_the_choice_is_remembered() -> None:
    choice = choose_card((SMALL, LARGE))
    assert (choice.gpu, choice.selectable, choice.notice) == (LARGE, (SMALL, LARGE), None)
    assert choose_card((SMALL, LARGE), remembered="gpu-AAAA").gpu == SMALL


def test_row_35_a_card_that_has_vanished_is_replaced_and_said() -> None:
    choice = choose_card((LARGE,), remembered="GPU-aaaa")
    assert choice.gpu == LARGE
    assert choice.notice == "The card chosen earlier (GPU-aaaa) is not there any more; RTX 3090 is used instead."
    none = choose_card((), remembered="GPU-aaaa")
    assert none.gpu is None
    assert none.notice is not None
    assert "the processor is used instead" in none.notice


def test_row_34_the_choice_goes_into_the_environment_of_the_engine() -> None:
    assert choose_card((SMALL, LARGE), wanted="GPU-aaaa").environment == {
        "CUDA_VISIBLE_DEVICES": "GPU-aaaa",
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
    }
    assert choose_card((SMALL,), wanted="cpu").environment == {"CUDA_VISIBLE_DEVICES": ""}
    assert choose_card((GpuFacts(name="no uuid"),)).environment == {}


@pytest.mark.parametrize("wanted", ["cuda:2", "cuda:x", "GPU-cccc", ""])
def test_a_card_that_is_not_there_is_refused_with_those_that_are(wanted: str) -> None:
    with pytest.raises(Problem) as caught:
        choose_card((SMALL, LARGE), wanted=wanted)
    assert caught.value.kind is ProblemKind.UNSUPPORTED
    assert "cuda:0 (RTX 3050), cuda:1 (RTX 3090)" in caught.value.sentence


def test_asking_for_a_card_where_there_is_none() -> None:
    with pytest.raises(Problem, match="No NVIDIA card was found; use --device cpu"):
        choose_card((INTEGRATED,), wanted="cuda")
    assert choose_card(()).gpu is None


def test_a_card_of_unknown_size_is_a_card() -> None:
    unknown = GpuFacts(name="X", uuid="GPU-x")
    assert choose_card((unknown,)).gpu == unknown
