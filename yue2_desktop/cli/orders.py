"""From the options of a command to the order for a take: fresh, continued from another take, or resumed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from yue2_desktop.cli.model_folders import model_folder, user_settings, vae_folder
from yue2_desktop.cli.options import Machine, RequestOptions
from yue2_desktop.cli.order import Order
from yue2_desktop.cli.recipe import DEFAULT_ODE_STEPS, Recipe
from yue2_desktop.cli.report import Report
from yue2_desktop.cli.resume import Invocation, interrupted_take
from yue2_desktop.cli.saved import SavedStages, earlier_take
from yue2_desktop.cli.song_request import Song, new_song
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.output_folder import require_free
from yue2_desktop.settings import Settings
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.filenames import safe_file_name
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.wording import path_text

_ORDER = tuple(TakeStage)


@dataclass(frozen=True)
class Course:
    """How a take is to be made, apart from the song; None where the options say nothing."""

    output: Path | None
    last: TakeStage | None
    ode_steps: int | None
    vae_core: int | None
    model: Path | None
    vae: Path | None
    machine: Machine


def fresh(options: RequestOptions, course: Course, report: Report) -> Order:
    """A new song. Raises Problem for whatever can be seen without opening the model."""
    song = new_song(options)
    chosen = user_settings(report)
    last = course.last or TakeStage.AUDIO
    recipe = _recipe(song, course, last, DEFAULT_ODE_STEPS, None)
    folder = _output(course.output, chosen, song.request, report)
    for note in song.notes:
        report.note(note)
    return Order(
        recipe=recipe,
        folder=folder,
        saved=SavedStages(),
        invocation=_invocation(course, chosen, None, last),
        dtype=course.machine.dtype or "auto",
    )


def continued(folder: Path, reuse: TakeStage | None, options: RequestOptions, course: Course, report: Report) -> Order:
    """A new take that keeps the first stages of the one in `folder`; its settings hold where no option is given."""
    earlier = earlier_take(folder, reuse, options)
    last = course.last or TakeStage.AUDIO
    if _ORDER.index(last) <= _ORDER.index(earlier.last):
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"--stop-after {last.value} leaves nothing to do after --reuse {earlier.last.value}; "
            "stop later or reuse less.",
        )
    chosen = user_settings(report)
    recipe = _recipe(earlier.song, course, last, earlier.settings.ode_steps, earlier.settings.vae_core)
    target = _output(course.output, chosen, earlier.song.request, report)
    for note in earlier.song.notes:
        report.note(note)
    return Order(
        recipe=recipe,
        folder=target,
        saved=earlier.stages,
        invocation=_invocation(course, chosen, earlier.last, last),
        dtype=course.machine.dtype or "auto",
        weights=earlier.record.weights if earlier.record else {},
        made_with=earlier.record.made_with if earlier.record else {},
    )


def resumed(folder: Path, course: Course, report: Report) -> Order:
    """The rest of the interrupted take in `folder`, as it was begun."""
    found = interrupted_take(folder)
    chosen = user_settings(report)
    last = course.last or found.recipe.last
    begun = found.invocation
    if begun is not None:
        course = replace(
            course,
            model=course.model or begun.model,
            vae=course.vae or begun.vae,
            machine=replace(course.machine, threads=course.machine.threads or begun.threads),
        )
    done = TakeStage.LATENTS if found.stages.latents is not None else None
    kind = found.settings.device or "cpu"
    device = begun.device if begun is not None and begun.device.startswith(kind) else kind
    course = replace(course, machine=replace(course.machine, device=device))
    return Order(
        recipe=replace(found.recipe, last=last),
        folder=folder,
        saved=found.stages,
        invocation=_invocation(course, chosen, done, last),
        dtype=found.settings.dtype or "auto",
        resumes=True,
    )


def _recipe(song: Song, course: Course, last: TakeStage, ode_steps: int | None, vae_core: int | None) -> Recipe:
    return Recipe(
        song.request,
        song.abc,
        song.semantic,
        course.ode_steps or ode_steps or DEFAULT_ODE_STEPS,
        course.vae_core or vae_core,
        last,
    )


def _invocation(course: Course, chosen: Settings, done: TakeStage | None, last: TakeStage) -> Invocation:
    """Where and with what to compute; a model or decoder that no stage needs is not asked for."""
    needs_model, needs_vae = done is not TakeStage.LATENTS, last is TakeStage.AUDIO
    return Invocation(
        model=model_folder(course.model, chosen) if needs_model else None,
        vae=vae_folder(course.vae, chosen) if needs_vae else None,
        device=course.machine.device or "auto",
        threads=course.machine.threads or chosen.threads,
        last=last,
    )


def _output(option: Path | None, chosen: Settings, request: SongRequest, report: Report) -> Path:
    """The folder of the new take: the one asked for if it is free, else a new one among the user's takes."""
    if option is not None:
        require_free(option)
        return option
    name = safe_file_name(request.id)
    number = 1
    while (folder := chosen.output_folder / (name if number == 1 else f"{name} {number}")).exists():
        number += 1
    report.note(f"No --output was given; the take goes to {path_text(folder)}.")
    return folder
