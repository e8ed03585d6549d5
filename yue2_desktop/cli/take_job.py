"""A take in the making: the stages that are not there yet, each saved before the next begins."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, TypeVar

from yue2_desktop.cli.failures import as_problem, with_cure
from yue2_desktop.cli.journaling import JournalKeys, keep_solver_state, open_tokens, solver_state
from yue2_desktop.cli.meter import Meter
from yue2_desktop.cli.opened import Opened
from yue2_desktop.cli.recipe import Recipe
from yue2_desktop.cli.report import Origin, Report, StageEnd
from yue2_desktop.cli.saved import SavedStages
from yue2_desktop.cli.stall import StallWatch
from yue2_desktop.engine.flow.acoustic import SolverState
from yue2_desktop.engine.flow.solver import OdeMethod
from yue2_desktop.engine.pipeline import Resumption, Watch
from yue2_desktop.engine.progress import CancelToken, OnProgress
from yue2_desktop.library.arrays import Latents
from yue2_desktop.library.audio_file import Audio, read_audio
from yue2_desktop.library.names import SCORE_TOKENS_JOURNAL, SEMANTIC_TOKENS_JOURNAL, StageState, TakeStage
from yue2_desktop.library.record import StageNote
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.plan.peaks import Stage as PlanStage
from yue2_desktop.score.admission import judge_model_score
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import ScorePlan, SemanticTokens

_T = TypeVar("_T")
_ORDER: Final = tuple(TakeStage)
_PLAN_STAGES: Final[dict[TakeStage, PlanStage]] = {
    TakeStage.PLAN: "score",
    TakeStage.SEMANTIC: "semantic",
    TakeStage.LATENTS: "acoustic",
    TakeStage.AUDIO: "decode",
}


@dataclass(frozen=True)
class Standing:
    """Where a job is: the running stage and how many of its tokens or steps are kept in the journal."""

    stage: TakeStage | None = None
    count: int = 0


class TakeJob:
    """Makes what is missing of one take. `standing` can be read from any thread."""

    def __init__(
        self,
        writer: TakeWriter,
        recipe: Recipe,
        opened: Opened,
        saved: SavedStages,
        keys: JournalKeys,
        report: Report,
        cancel: CancelToken,
        *,
        allow_bad_score: bool = False,
    ) -> None:
        self.writer = writer
        self.standing = Standing()
        self._recipe = recipe
        self._opened = opened
        self._saved = saved
        self._keys = keys
        self._report = report
        self._cancel = cancel
        self._allow_bad_score = allow_bad_score

    def run(self) -> Audio | None:
        """The sound, float32 [samples, 2]; None where the recipe stops before it.

        Whatever ends the work early is noted in take.json and raised as a `Problem` (a broken pipe as it is); what is
        complete stays.
        """
        try:
            return self._run()
        except BaseException as error:
            problem = as_problem(error)
            if self.standing.stage is not None:
                self.writer.failed(self.standing.stage, problem)
            if isinstance(error, Problem | BrokenPipeError):
                raise
            raise problem from error

    def _run(self) -> Audio | None:
        recipe, saved = self._recipe, self._saved
        plan = self._planned() if saved.plan is None else self._kept_plan(saved.plan)
        if recipe.last is TakeStage.PLAN:
            return None
        if saved.tokens is None:
            self._require_finished(plan)
        tokens = self._sung(plan) if saved.tokens is None else self._kept_tokens(saved.tokens)
        if recipe.last is TakeStage.SEMANTIC:
            return None
        latents = self._shaped(tokens) if saved.latents is None else self._kept_latents(saved.latents)
        if recipe.last is TakeStage.LATENTS:
            return None
        if self._is_complete(TakeStage.AUDIO):
            return read_audio(self.writer.folder / self.writer.record.audio_file)[0]
        return self._decoded(latents)

    def _planned(self) -> ScorePlan:
        request = self._recipe.request
        if request.cot == "off" or request.abc is not None:
            return self._do(
                TakeStage.PLAN,
                lambda watch: self._opened.computing().plan(request, self._recipe.abc, watch),
                self.writer.plan,
                origin="none" if request.cot == "off" else "supplied",
                size=lambda plan: len(plan.abc_ids),
            )
        plan = self._draw(
            TakeStage.PLAN,
            SCORE_TOKENS_JOURNAL,
            self._keys.of_score(),
            lambda watch, resumed: self._opened.computing().plan(request, self._recipe.abc, watch, resumed=resumed),
            self._save_written,
            size=lambda plan: len(plan.abc_ids),
        )
        refused = plan.truncated and not self._allow_bad_score and self._recipe.last is not TakeStage.PLAN
        for sentence in judge_model_score(plan.abc or "", plan.truncated and not refused).sentences:
            self._report.note(sentence)
        return plan

    def _save_written(self, plan: ScorePlan, note: StageNote) -> None:
        judged = judge_model_score(plan.abc or "", plan.truncated)
        self.writer.plan(plan, replace(note, score_errors=judged.errors, score_warnings=judged.warnings))

    def _require_finished(self, plan: ScorePlan) -> None:
        """A score that met its token limit is not sung unless that is allowed; its tokens are kept."""
        if not plan.truncated or plan.supplied or self._allow_bad_score:
            return
        sentences = judge_model_score(plan.abc or "", truncated=True).sentences
        raise Problem(ProblemKind.BAD_SCORE, sentences[0], unfinished=True)

    def _sung(self, plan: ScorePlan) -> SemanticTokens:
        return self._draw(
            TakeStage.SEMANTIC,
            SEMANTIC_TOKENS_JOURNAL,
            self._keys.of_song(plan),
            lambda watch, resumed: self._opened.computing().semantic(
                plan, self._recipe.semantic, watch, resumed=resumed
            ),
            self.writer.semantic,
            size=lambda tokens: len(tokens.codec),
        )

    def _shaped(self, tokens: SemanticTokens) -> Latents:
        folder, key, steps = self.writer.journal, self._keys.of_sound(tokens), self._recipe.ode_steps
        resumed = solver_state(folder, key, self._report.note)
        tries = count()

        def keep(state: SolverState) -> None:
            keep_solver_state(folder, key, steps, state)
            self.standing = replace(self.standing, count=state.chunk * steps + state.step)

        return self._do(
            TakeStage.LATENTS,
            lambda watch: self._opened.computing().acoustic(
                tokens,
                steps,
                replace(watch, on_state=keep),
                method=OdeMethod(self._recipe.ode_method),
                # A second try goes on from the last step of the first.
                resumed=resumed if next(tries) == 0 else solver_state(folder, key, self._report.note),
            ),
            self.writer.latents,
            generator="cpu mt19937",
            resumed=resumed is not None,
            size=len,
        )

    def _decoded(self, latents: Latents) -> Audio:
        return self._do(
            TakeStage.AUDIO,
            lambda watch: self._opened.decode(latents, self._tile, watch),
            self.writer.audio,
            size=len,
        )

    @property
    def _tile(self) -> int | None:
        """Frames decoded at a time, as the plan that is followed now has it."""
        planned = self._opened.planned
        return self._recipe.vae_core if planned is None else planned.arrangement.vae_core

    def _draw(
        self,
        stage: TakeStage,
        name: str,
        key: str,
        work: Callable[[Watch, Resumption | None], _T],
        save: Callable[[_T, StageNote], None],
        *,
        size: Callable[[_T], int],
    ) -> _T:
        """A stage that draws tokens, each of which goes into the journal `name`."""
        with ExitStack() as stack:
            journal, resumed = open_tokens(self.writer.journal / name, key, self._report.note)
            stack.enter_context(journal)
            already = len(resumed.ids) if resumed else 0

            def keep(token: int, state: bytes) -> None:
                journal.append((token,), state)
                self.standing = replace(self.standing, count=self.standing.count + 1)

            return self._do(
                stage,
                lambda watch: work(replace(watch, on_token=keep), resumed),
                save,
                generator=self._opened.generator,
                resumed=resumed is not None,
                decodes=True,
                already=already,
                size=size,
            )

    def _do(
        self,
        stage: TakeStage,
        work: Callable[[Watch], _T],
        save: Callable[[_T, StageNote], None],
        *,
        size: Callable[[_T], int],
        origin: Origin = "made",
        generator: str | None = None,
        resumed: bool = False,
        decodes: bool = False,
        already: int = 0,
    ) -> _T:
        self._cancel.check()
        self.standing = Standing(stage, already)
        self.writer.begin(stage)
        self._report.begins(stage)
        with Meter(self._opened.device.device) as meter, StallWatch(self._report.note) as watch:
            made, stepped_down = self._stepping_down(stage, work, watch.through(self._report.progress))
        note = replace(
            meter.note(generator=generator, resumed=resumed),
            stepped_down=stepped_down,
            decoding=self._opened.decoded_by if decodes else None,
            attention=self._opened.attended_by if stage is TakeStage.LATENTS else None,
        )
        save(made, note)
        self.standing = Standing()
        self._tell(stage, origin, note.seconds, size(made), resumed=resumed)
        return made

    def _stepping_down(
        self, stage: TakeStage, work: Callable[[Watch], _T], on_progress: OnProgress
    ) -> tuple[_T, str | None]:
        """The stage's result; out of memory, a smaller plan is tried, which is said, and never the same plan twice."""
        said: str | None = None
        while True:
            try:
                return work(Watch(on_progress=on_progress, cancel=self._cancel)), said
            except Problem as problem:
                if problem.kind is not ProblemKind.OUT_OF_MEMORY:
                    raise
                lower = self._opened.lower(_PLAN_STAGES[stage])
                if lower is None:
                    raise with_cure(problem, stage) from problem
            self._opened, sentence = lower
            said = sentence if said is None else f"{said} {sentence}"
            self._report.note(sentence)
            self._report.follows(self._opened.plan_label)

    def _kept_plan(self, plan: ScorePlan) -> ScorePlan:
        self._keep(TakeStage.PLAN, lambda note: self.writer.plan(plan, note), len(plan.abc_ids))
        return plan

    def _kept_tokens(self, tokens: SemanticTokens) -> SemanticTokens:
        self._keep(TakeStage.SEMANTIC, lambda note: self.writer.semantic(tokens, note), len(tokens.codec))
        return tokens

    def _kept_latents(self, latents: Latents) -> Latents:
        self._keep(TakeStage.LATENTS, lambda note: self.writer.latents(latents, note), len(latents))
        return latents

    def _keep(self, stage: TakeStage, save: Callable[[StageNote], None], size: int) -> None:
        """Takes over a result of an earlier take; one of this take is there already."""
        self._cancel.check()
        if self._is_complete(stage):
            return
        note = self._saved.notes.get(stage, StageNote(0.0))
        save(replace(note, reused_from=self._saved.origin))
        self._tell(stage, "reused", 0.0, size)

    def _tell(self, stage: TakeStage, origin: Origin, seconds: float, size: int, *, resumed: bool = False) -> None:
        truncated = self.writer.record.stages[stage].truncated
        self._report.ends(StageEnd(stage, origin, seconds, size, truncated, resumed))

    def _is_complete(self, stage: TakeStage) -> bool:
        return self.writer.record.stages[stage].state is StageState.COMPLETE
