"""The course of a command that makes a take: check everything, write nothing before, then run the stages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from yue2_desktop import paths
from yue2_desktop.cli.events import event_line
from yue2_desktop.cli.failures import OK, fail
from yue2_desktop.cli.interrupt import Interruptible
from yue2_desktop.cli.journaling import JournalKeys
from yue2_desktop.cli.keeping import kept
from yue2_desktop.cli.measuring import remember
from yue2_desktop.cli.opened import Opened, OpenedFiles, open_all, open_files, opened_by
from yue2_desktop.cli.options import Talk
from yue2_desktop.cli.order import Order
from yue2_desktop.cli.plan_options import options_for
from yue2_desktop.cli.planning import plan_render
from yue2_desktop.cli.recipe import Recipe, config_json
from yue2_desktop.cli.report import Report
from yue2_desktop.cli.resume import require_same_weights, write_invocation
from yue2_desktop.cli.summary import TakeSummary, levels_of, summarise
from yue2_desktop.cli.take_job import TakeJob
from yue2_desktop.cli.weights_watch import WeightsHashes
from yue2_desktop.engine.decoding import require_core
from yue2_desktop.engine.device import choose_device, configure_torch
from yue2_desktop.engine.flow.solver import require_steps
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.text.room import require_room
from yue2_desktop.library.hash_cache import HashCache
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import CONFIG, REQUEST, TakeStage
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.plan.held import Held
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import CONTEXT

#: How long the end of a render waits for the hash of a weights file that was not known.
_HASH_PATIENCE_S: Final = 1.0


def make(order: Order, talk: Talk, report: Report) -> int:
    """Carries the order out and reports; the exit status. Everything is checked before anything is written."""
    with Interruptible() as interruptible:
        job: TakeJob | None = None

        def began(begun: TakeJob) -> None:
            nonlocal job
            job = begun
            _say_at_a_forced_end(interruptible, begun, talk)

        try:
            report.finishes(make_take(order, report, interruptible.cancel, on_begun=began))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the user learns what was kept
            what = None if job is None else kept(order.folder, job.writer.record, job.standing)
            return fail(error, report, verbose=talk.verbose, kept=what)
    return OK


def make_take(
    order: Order,
    report: Report,
    cancel: CancelToken,
    *,
    on_begun: Callable[[TakeJob], None],
    opened_for: Callable[[Order], Opened] | None = None,
) -> TakeSummary:
    """Makes the take of the order, and what came of it. Everything is checked before anything is written.

    `on_begun` gets the job once its folder is written to; `opened_for` gives the model and decoder of an order, by
    default newly opened. Raises Problem, or whatever else ended the work.
    """
    opened, recipe = _checked(order, opened_for or open_for)
    cancel.check()
    with _hashes(opened) as hashes:
        job = _begun(order, recipe, opened, hashes, report, cancel)
        on_begun(job)
        report.starts(order.folder, recipe.request, opened.device.label, opened.dtype)
        report.follows(opened.plan_label)
        audio = job.run()
        hashes.stop(_HASH_PATIENCE_S)
        job.writer.know_weights({}, hashes.model_files())
        job.writer.finish() if recipe.last is TakeStage.AUDIO else job.writer.stop_here()
        if opened.planned is not None:
            remember(opened.planned, job.writer.record)
    levels = None if audio is None else levels_of(audio)
    return summarise(order.folder, job.writer.record, levels, recipe.last)


def _checked(order: Order, opened_for: Callable[[Order], Opened]) -> tuple[Opened, Recipe]:
    """The opened model, and the recipe with what the decoder says. Raises Problem; nothing is written."""
    recipe, saved = order.recipe, order.saved
    require_steps(recipe.ode_steps)
    if recipe.vae_core is not None:
        require_core(recipe.vae_core)
    configure_torch(order.invocation.threads)
    opened = opened_for(order)
    if opened.vae is not None and recipe.vae_core is None:
        core = opened.vae.config.core_frames if opened.planned is None else opened.planned.arrangement.vae_core
        recipe = replace(recipe, vae_core=core)
    if opened.pipeline is not None and saved.plan is not None:
        opened.pipeline.check_plan(saved.plan, recipe.semantic)
    return opened, recipe


def open_for(order: Order, files: OpenedFiles | None = None, held: Held | None = None) -> Opened:
    """Model and decoder, computing as the plan says that fits this machine now; `files` are opened already.

    `held` is what this process still holds of an earlier render.

    Raises Problem(DOES_NOT_FIT) where none does and it is not tried anyway.
    """
    where, recipe = order.invocation, order.recipe
    choose_device(where.device, order.dtype)  # a device that is not there is refused in its own words
    if where.model is None:
        return open_all(choose_device(where.device, order.dtype), None, where.vae)
    files = files or open_files(where.model, where.vae)
    if files.model is None:
        raise RuntimeError("no model is open")
    if order.saved.plan is None:
        # A score alone need not leave room for a whole song behind it.
        alone = recipe.last is TakeStage.PLAN
        song = replace(recipe.semantic, min_tokens=0, max_tokens=1) if alone else recipe.semantic
        model = files.model
        require_room(model.tokenizer, model.config.context, recipe.request, recipe.abc, song)
    planned = plan_render(
        recipe,
        options_for(order.options, order.dtype, recipe.vae_core),
        where.device,
        files.model,
        files.vae,
        order.folder,
        written=order.saved.plan,
        run_anyway=order.run_anyway,
        held=held,
    )
    return opened_by(planned, files.model, files.vae)


def _begun(
    order: Order, recipe: Recipe, opened: Opened, hashes: WeightsHashes, report: Report, cancel: CancelToken
) -> TakeJob:
    """The job on its folder, which from here on is written to."""
    weights = {**order.weights, **{part.name: part.identity() for part in opened.parts()}}
    if order.resumes:
        writer = TakeWriter.reopen(order.folder)
        require_same_weights(order.folder, writer.record.weights, weights)
        writer.know_weights(weights, hashes.model_files())
    else:
        config = config_json(
            recipe,
            device=opened.device.device.type,
            dtype=opened.dtype,
            context=opened.model.config.context if opened.model else CONTEXT,
            weights={**opened.weights_config, **order.kept_weights},
        )
        writer = TakeWriter.create(
            order.folder,
            request=recipe.request,
            config=config,
            weights=weights,
            made_with=opened.made_with(hashes.model_files(), earlier=order.made_with),
            seeds=order.saved.seeds,
            song=order.song,
        )
    write_invocation(order.folder, order.invocation)
    keys = JournalKeys(
        read_members(order.folder / REQUEST).values, read_members(order.folder / CONFIG).values, writer.record.weights
    )
    return TakeJob(writer, recipe, opened, order.saved, keys, report, cancel, allow_bad_score=order.allow_bad_score)


@contextmanager
def _hashes(opened: Opened) -> Iterator[WeightsHashes]:
    hashes = WeightsHashes(opened.parts(), HashCache(paths.cache_folder() / "hashes.json"))
    hashes.start()
    try:
        yield hashes
    finally:
        hashes.stop(0.0)


def _say_at_a_forced_end(interruptible: Interruptible, job: TakeJob, talk: Talk) -> None:
    """What is said when the process ends itself in the middle of a layer: past Python's streams, which may be held."""

    def last_words() -> None:
        what = kept(job.writer.folder, job.writer.record, job.standing)
        problem = Problem(ProblemKind.CANCELLED, "Cancelled. What was finished is kept.")
        if talk.json:
            line = event_line("problem", kind=problem.kind.value, sentence=problem.sentence, data={}, kept=what)
            os.write(1, f"{line}\n".encode())
        os.write(2, f"\n{problem.sentence}\n{what}\n".encode())

    interruptible.last_words = last_words
