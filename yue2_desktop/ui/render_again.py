"""The same render once more: with the next seed that its song has not had, in a folder of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from yue2_desktop.queue.job import Job, NewJob
from yue2_desktop.runtime.orders import reseeded
from yue2_desktop.song.request import SEED_LIMIT
from yue2_desktop.song.wording import path_text
from yue2_desktop.ui.take_folders import free_folder


def render_again(old: Job, jobs: Sequence[Job]) -> NewJob:
    """What is to be queued; `jobs` are all that there are. A final of a draft keeps the draft's seed, as it must."""
    seed = (max(other.seed for other in jobs if other.song == old.song) + 1) % SEED_LIMIT
    order = reseeded(old.order, seed)
    if order == old.order:
        seed = old.seed
    place = free_folder(Path(old.folder).parent, seed, {other.folder for other in jobs})
    order["folder"] = path_text(place)
    return NewJob(old.song, old.title, seed, old.part, str(place), order, old.plan)
