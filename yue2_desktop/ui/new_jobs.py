"""What a song asks for, as jobs that are about to be queued: its takes, its score, the final of a draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from yue2_desktop.queue.job import Job, JobPart, NewJob
from yue2_desktop.runtime.orders import Places, finishing_order, take_order
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.filenames import safe_file_name
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.render_settings import FINAL_STEPS
from yue2_desktop.ui.job_plan import job_plan
from yue2_desktop.ui.take_folders import free_folder


def new_jobs(
    document: SongDocument,
    seeds: tuple[int, int],
    folder: Path,
    places: Places,
    jobs: Sequence[Job],
    *,
    part: JobPart,
    run_anyway: bool,
    plan: str,
) -> tuple[NewJob, ...]:
    """Takes or scores of a song below `folder`; `seeds` are the first one and how many, `jobs` all that there are.

    `plan` is the planner's words for the plan that it has, empty where it has none. Raises Problem where the song
    cannot be asked for.
    """
    first, count = seeds
    if part is JobPart.SCORE:
        # Another score is asked for: the one that is there would be handed back as the new one, or refused as faulty.
        document = replace(document, score=None)
    order = render_order(document, first, count=count)
    home, taken = folder / safe_file_name(document.shown_title), {job.folder for job in jobs}
    made = []
    for request in order.requests:
        place = free_folder(home, request.seed, taken)
        asked = take_order(order, request, place, places, part=part.value, run_anyway=run_anyway)
        made.append(
            NewJob(document.id, document.shown_title, request.seed, part, str(place), asked, job_plan(plan, asked))
        )
    return tuple(made)


def final_of(
    document: SongDocument, draft: Path, folder: Path, places: Places, jobs: Sequence[Job], *, plan: str
) -> NewJob:
    """The final of a draft: the same tokens and noise, with all steps. `document` is the song as the draft has it.

    The rest as `new_jobs`.
    """
    order = render_order(document, document.seed.value)
    seed = order.requests[0].seed
    place = free_folder(folder / safe_file_name(document.shown_title), seed, {job.folder for job in jobs})
    asked = finishing_order(order, place, places, draft, ode_steps=FINAL_STEPS)
    title = document.shown_title
    return NewJob(document.id, title, seed, JobPart.TAKE, str(place), asked, job_plan(plan, asked))
