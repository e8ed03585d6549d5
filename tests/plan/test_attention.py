"""The attention kernel: user-reports.md, row 29."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yue2_desktop.plan.attention import choose_attention, plain_attention_bytes
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.memory_nar import longest_chunk
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.sizes import GIB

CARD = GpuFacts(name="RTX 3060", total_bytes=12 * GIB, free_bytes=10 * GIB, capability=(8, 6), driver="581.29")


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        (("cudnn", "efficient", "flash"), "flash"),
        (("cudnn", "efficient"), "efficient"),
        (("cudnn",), "cudnn"),
        (("math",), None),
        ((), None),
    ],
)
def test_never_the_plain_path(accepted: tuple[str, ...], chosen: str | None) -> None:
    assert choose_attention(accepted) == chosen


def test_row_29_another_kernel_is_chosen_and_named(laptop: MachineFacts, song_216: SongDemand) -> None:
    torch = TorchFacts("2.13.0+cu130", "13.0", attention=("efficient", "math"))
    answer = make_plan(replace(laptop, torch=torch), CARD, song_216)
    assert answer.plan is not None
    assert answer.plan.candidate.nar_device == "cuda"
    assert (
        "Attention runs on the efficient kernel, since flash does not work with torch 2.13.0+cu130." in answer.notices
    )


def test_without_a_fused_kernel_the_card_is_passed_over(laptop: MachineFacts, song_216: SongDemand) -> None:
    torch = TorchFacts("2.13.0+cu130", "13.0", attention=())
    answer = make_plan(replace(laptop, torch=torch), CARD, song_216)
    assert answer.plan is not None
    assert answer.plan.card_bytes == 0
    assert "no fused attention of torch 2.13.0+cu130 works on this card" in answer.reason


def test_before_the_probe_nothing_is_held_against_it(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(replace(laptop, torch=TorchFacts("2.13.0+cu130", "13.0")), CARD, song_216)
    assert answer.plan is not None
    assert answer.plan.candidate.nar_device == "cuda"


def test_what_the_plain_path_would_take(song_216: SongDemand) -> None:
    """16 heads of 5,373 rows over 14,896 keys are 4.8 GiB of float32; the whole path was seen to take 9.7."""
    assert plain_attention_bytes(RELEASED, longest_chunk(RELEASED, song_216)) / GIB == pytest.approx(4.77, abs=0.01)
