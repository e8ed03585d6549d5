"""What the engine is told of a job: what was asked for, or the rest of what was begun, and whose take it is."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.queue.job import Job, JobPart
from yue2_desktop.runtime.orders import Places, resumed_order
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.ui.take_folders import holds_something


def job_order(job: Job, places: Places) -> dict[str, object]:
    """The order for the engine; what is on the disk is gone on from."""
    folder = Path(job.folder)
    order = dict(job.order)
    if job.started is not None and holds_something(folder):
        anyway = job.order.get("run_anyway") is True
        order = resumed_order(folder, places, part=job.part.value, run_anyway=anyway)
    belongs = SongOfTake(job.song, job.title, job.take if job.part is JobPart.TAKE else None)
    return {**order, "song": belongs.to_json()}
