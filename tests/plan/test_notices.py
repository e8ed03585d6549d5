"""What a user should know beyond the verdict."""

from __future__ import annotations

from dataclasses import replace

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CardUser, GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.sizes import GIB, MIB

CARD = GpuFacts(name="RTX 3060", total_bytes=12 * GIB, free_bytes=10 * GIB, capability=(8, 6), driver="576.02")


def test_who_else_uses_the_card(laptop: MachineFacts, song_216: SongDemand) -> None:
    users = (CardUser(1, "game", GIB), CardUser(2, None, None), CardUser(3, "desktop", 5 * MIB))
    notices = make_plan(laptop, replace(CARD, users=users), song_216).notices
    assert "Other programs use RTX 3060: game 1.0 GiB, a process (size unknown)." in notices


def test_row_28_an_old_driver_is_said_once_and_blocks_nothing(laptop: MachineFacts, song_216: SongDemand) -> None:
    machine = replace(laptop, torch=TorchFacts("2.13.0+cu126", "12.6"))
    old = make_plan(machine, CARD, song_216)
    assert old.plan is not None
    assert sum("Update the NVIDIA driver from 576.02" in notice for notice in old.notices) == 1
    new = make_plan(machine, replace(CARD, driver="580.10"), song_216)
    assert not any("driver" in notice for notice in new.notices)


def test_an_unknown_capability_is_said(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, replace(CARD, capability=None), song_216)
    assert any("compute capability of RTX 3060 is not known" in notice for notice in answer.notices)


def test_a_bound_is_said(laptop: MachineFacts) -> None:
    answer = make_plan(laptop, CARD, SongDemand(text_tokens=3_000, bounded=True))
    assert any("upper bound" in notice for notice in answer.notices)


def test_row_25_the_warning_comes_before_the_start(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(replace(laptop, ram_free=3 * GIB), CARD, song_216)
    assert answer.plan is not None
    assert not answer.plan.host.pinned
    assert any(notice.startswith("Only 3.0 GiB of main memory are free") for notice in answer.notices)


def test_another_method_is_said_with_its_published_figure(laptop: MachineFacts, song_216: SongDemand) -> None:
    notices = make_plan(laptop, CARD, replace(song_216, ode_method="ab2")).notices
    assert any("mel correlation 0.9996" in notice for notice in notices)
