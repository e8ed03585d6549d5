"""From the options of a command to the order for a take: fresh, continued from another take, or resumed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
from yue2_desktop.library.saved_settings import SavedSettings
from yue2_desktop.plan.options import Options
from yue2_desktop.score.admission import admit
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
    model: Path | None
    vae: Path | None
    machine: Machine
    ode_steps: int | None = None
    ode_method: str | None = None
    vae_core: int | None = None
    options: Options = field(default_factory=Options)
    run_anyway: bool = False
    allow_bad_score: bool = False


def fresh(options: RequestOptions, course: Course, report: Report) -> Order:
    """A new song. Raises Problem for whatever can be seen without opening the model."""
    return ordered(new_song(options), course, report)


def ordered(song: Song, course: Course, report: Report) -> Order:
    """The order for a song that is known already; as `fresh`."""
    song = _admitted(song, course)
    chosen = user_settings(report)
    last = course.last or TakeStage.AUDIO
    recipe = _recipe(song, course, last)
    folder = _output(course.output, chosen, song.request, report)
    for note in song.notes:
        report.note(note)
    return Order(
        recipe=recipe,
        folder=folder,
        saved=SavedStages(),
        invocation=_invocation(course, chosen, None, last),
        dtype=course.machine.dtype or "auto",
        options=course.options,
        run_anyway=course.run_anyway,
        allow_bad_score=course.allow_bad_score,
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
    recipe = _recipe(earlier.song, course, last, earlier.settings)
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
        kept_weights=_kept_weights(earlier.settings, earlier.stages),
        options=course.options,
        run_anyway=course.run_anyway,
        allow_bad_score=course.allow_bad_score,
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
            allow_bad_score=course.allow_bad_score or begun.allow_bad_score,
            run_anyway=course.run_anyway or begun.run_anyway,
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
        # The same weights in the same bits, or it would go on as another song.
        options=Options(ar_precision=found.settings.ar_weights or "auto"),
        run_anyway=course.run_anyway,
        allow_bad_score=course.allow_bad_score,
    )


def _recipe(song: Song, course: Course, last: TakeStage, settings: SavedSettings | None = None) -> Recipe:
    return Recipe(
        request=song.request,
        abc=song.abc,
        semantic=song.semantic,
        ode_steps=course.ode_steps or (settings.ode_steps if settings else None) or DEFAULT_ODE_STEPS,
        ode_method=course.ode_method or (settings.ode_method if settings else None) or "midpoint",
        vae_core=course.vae_core or (settings.vae_core if settings else None),
        last=last,
    )


def _kept_weights(settings: SavedSettings, stages: SavedStages) -> dict[str, str]:
    """In which precision what is kept was computed, by the names of config.json."""
    kept: dict[str, str | None] = {}
    if stages.tokens is not None:
        kept |= {"ar_weights": settings.ar_weights, "ar_device": settings.ar_device}
    if stages.latents is not None:
        kept["nar_weights"] = settings.nar_weights
    return {name: value for name, value in kept.items() if value is not None}


def _admitted(song: Song, course: Course) -> Song:
    """The song with a supplied score as the model gets it. Raises Problem(BAD_SCORE) for one with errors."""
    if song.request.abc is None:
        return song
    admission = admit(song.request.abc, song.request.cot, allow_bad=course.allow_bad_score)
    return replace(song, request=replace(song.request, abc=admission.text), notes=(*song.notes, *admission.notes))


def _invocation(course: Course, chosen: Settings, done: TakeStage | None, last: TakeStage) -> Invocation:
    """Where and with what to compute; a model or decoder that no stage needs is not asked for."""
    needs_model, needs_vae = done is not TakeStage.LATENTS, last is TakeStage.AUDIO
    return Invocation(
        model=model_folder(course.model, chosen) if needs_model else None,
        vae=vae_folder(course.vae, chosen) if needs_vae else None,
        device=course.machine.device or "auto",
        threads=course.machine.threads or chosen.threads,
        last=last,
        allow_bad_score=course.allow_bad_score,
        run_anyway=course.run_anyway,
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
