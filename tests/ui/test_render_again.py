"""The same render once more: another seed, another folder, everything else as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from yue2_desktop.queue.job import Job, JobPart
from yue2_desktop.ui.render_again import render_again


def job(tmp_path: Path, **order: object) -> Job:
    asked = {"version": 1, "folder": "old", "request": {"style": "folk", "seed": 7}, **order}
    return Job(1, "song", "Ferry", 1, 7, JobPart.TAKE, str(tmp_path / "old"), asked, plan="BF16 · 32 steps")


def test_the_next_seed_that_the_song_has_not_had(tmp_path: Path) -> None:
    old = job(tmp_path)
    others = (old, replace(old, id=2, seed=9, folder="b"), replace(old, id=3, song="another", seed=40, folder="c"))
    again = render_again(old, others)
    assert again.seed == 10
    assert again.order["request"] == {"style": "folk", "seed": 10}
    assert again.order["folder"] == again.folder
    assert Path(again.folder).parent == tmp_path
    assert "seed 10" in again.folder
    assert old.order["request"] == {"style": "folk", "seed": 7}
    assert again.plan == old.plan == "BF16 · 32 steps"


def test_a_final_keeps_the_seed_of_its_draft(tmp_path: Path) -> None:
    old = job(tmp_path, from_take="draft", reuse="semantic")
    again = render_again(old, (old,))
    assert (again.seed, again.order["request"]) == (7, old.order["request"])
    assert again.folder != old.folder


def test_the_largest_seed_is_followed_by_the_smallest(tmp_path: Path) -> None:
    old = replace(job(tmp_path), seed=2**63 - 1)
    assert render_again(old, (old,)).seed == 0
