"""After a job that was stopped nothing of the model is held any more, whichever stage it was in."""

from __future__ import annotations

import gc
from pathlib import Path

import torch

from yue2_desktop.engine.messages import Event, Failed, Made, Progressed
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.enginehost.jobs import Jobs
from yue2_desktop.runtime.orders import Places, new_order
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.render_settings import RenderSettings


def held() -> int:
    """The bytes of all tensors that anybody still holds."""
    gc.collect()
    seen: dict[int, int] = {}
    for thing in gc.get_objects():
        if type(thing) in {torch.Tensor, torch.nn.Parameter}:
            storage = thing.untyped_storage()
            seen[storage.data_ptr()] = storage.nbytes()
    return sum(seen.values())


def test_row_99_a_cancel_in_any_stage_gives_all_memory_back(test_model: TestModel, tmp_path: Path) -> None:
    document = SongDocument(
        title="Ferry",
        style="folk",
        lyrics="[Verse]\nla la\n",
        abc_sampling={"min_tokens": 4, "max_tokens": 6},
        render=RenderSettings(ode_steps=2, vae_core=8, max_frames=24),
    )
    order = render_order(document, 7)
    places = Places(test_model.model_dir, test_model.vae_dir, device="cpu", dtype="float32", threads=1)
    said: list[Event] = []
    stop: dict[int, tuple[str, CancelToken]] = {}

    def say(event: Event) -> None:
        said.append(event)
        if isinstance(event, Progressed) and event.job in stop and event.unit != "layers loaded":
            stage, cancel = stop[event.job]
            if event.stage == stage:
                cancel.cancel()

    def make(job: int) -> Event:
        said.clear()
        values = new_order(order, order.requests[0], tmp_path / str(job), places, allow_bad_score=True)
        jobs.make(job, values, stop[job][1] if job in stop else CancelToken())
        return next(event for event in said if isinstance(event, Failed | Made))

    jobs = Jobs(say)
    assert isinstance(make(1), Made)
    jobs.free()
    base = held()  # what is loaded once and stays: tables, the tokenizer
    for job, stage in enumerate(("score", "semantic", "acoustic", "decode"), 2):
        stop[job] = (stage, CancelToken())
        ended = make(job)
        assert isinstance(ended, Failed), stage
        assert ended.kind == "cancelled"
        assert any(isinstance(event, Progressed) and event.stage == stage for event in said)
        assert held() <= base, stage
    # The next one is made as if nothing had been.
    assert isinstance(make(9), Made)
