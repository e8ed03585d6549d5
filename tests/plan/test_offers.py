"""Less waiting is offered with its price in published figures, and never taken unasked."""

from __future__ import annotations

from dataclasses import replace

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Offer
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.published import format_cost


def _offers(machine: MachineFacts, card: str, song: SongDemand) -> dict[str, Offer]:
    return {offer.name: offer for offer in make_plan(machine, parse_pretend(card), song).offers}


def test_a_6_gb_card_is_offered_both_best_and_fast(laptop: MachineFacts, song_216: SongDemand) -> None:
    offers = _offers(laptop, "6GB", song_216)
    assert list(offers) == ["fast", "sketch", "draft"]
    fast = offers["fast"]
    assert fast.plan.candidate.ar.format.name == "q8_0"
    assert fast.plan.candidate.nar.format.name == "bf16"
    assert fast.cost.startswith("AR in Q8_0: 24.0 dB SNR")
    assert "published by others, on the real weights" in fast.cost
    assert fast.other_take


def test_fewer_steps_are_the_same_song(laptop: MachineFacts, song_216: SongDemand) -> None:
    offers = _offers(laptop, "6GB", song_216)
    assert (offers["sketch"].plan.demand.ode_steps, offers["draft"].plan.demand.ode_steps) == (16, 8)
    assert offers["sketch"].cost.startswith("16 steps: 21.3 dB SNR against 32 steps")
    assert offers["draft"].cost.startswith("8 steps: 16.6 dB SNR against 32 steps")
    assert not offers["draft"].other_take
    assert offers["draft"].plan.stages == make_plan(laptop, parse_pretend("6GB"), song_216).plan.stages  # type: ignore[union-attr]


def test_a_draft_is_not_offered_a_draft(laptop: MachineFacts, song_216: SongDemand) -> None:
    assert "sketch" not in _offers(laptop, "6GB", replace(song_216, ode_steps=16))
    assert list(_offers(laptop, "6GB", replace(song_216, ode_steps=8))) == ["fast"]


def test_where_ar_is_quantised_already_nothing_smaller_is_offered(laptop: MachineFacts, song_216: SongDemand) -> None:
    assert list(_offers(laptop, "4GB", song_216)) == ["sketch", "draft"]


def test_what_nobody_published_is_said() -> None:
    assert format_cost("q4_0") == "no listening figure is published for it"
