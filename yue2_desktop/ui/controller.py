"""The glue between the window and the renders: the primary action, the model's place, scores that come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop import paths
from yue2_desktop.plan.patience import is_standstill
from yue2_desktop.queue.job import Job, JobPart, JobState
from yue2_desktop.queue.opening import open_queue
from yue2_desktop.queue.store import QueueStore
from yue2_desktop.runtime.driver import EngineFactory
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.runtime.environment import process_factory
from yue2_desktop.runtime.orders import Places
from yue2_desktop.score.admission import is_of_a_judgement
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.engine_words import engine_words, progress_words
from yue2_desktop.ui.from_takes import FromTakes
from yue2_desktop.ui.idle_memory import IdleMemory
from yue2_desktop.ui.model_place import ModelPlace
from yue2_desktop.ui.models import FoundModels
from yue2_desktop.ui.pending import Pending
from yue2_desktop.ui.pending_score import PendingScore
from yue2_desktop.ui.primary import PrimaryKind, nothing_to_sing, primary_action
from yue2_desktop.ui.render_faults import RenderFaults
from yue2_desktop.ui.rendering import Rendering
from yue2_desktop.ui.song_plans import written_score

_QUEUE = "queue.sqlite3"
#: The notice of what could not be queued, which is no longer so once something was.
_REFUSED = "refused"
#: The one of a song that has nothing to sing yet.
_BLANK = "blank"
#: The one of a new score beside one that was worked on.
_WRITTEN = "written"
_STILL = "still"


@dataclass(frozen=True)
class _Written:
    """A score that the model wrote, and for which song."""

    song: str
    plan: PlannedScore


class Controller(QObject):
    """Belongs to one desk. `play_wanted` carries a take's folder, `takes_changed` says that there is a new one."""

    play_wanted = Signal(str)
    takes_changed = Signal()

    def __init__(self, desk: Desk, *, factory: EngineFactory | None = None, store: QueueStore | None = None) -> None:
        super().__init__(desk)
        self._desk = desk
        self._session = desk.session
        self._own_factory = factory
        self._count = 1
        self._newest: tuple[str, str] | None = None
        self._gpu = desk.settings.gpu
        self._is_player_there = False
        self._engine = EngineState.IDLE
        self.model = ModelPlace(desk, self)
        self._stood_still = False
        self._wish: Callable[[], None] | None = None
        store, trouble = (store, "") if store is not None else open_queue(paths.data_folder() / _QUEUE)
        self.rendering = Rendering(store, factory or process_factory(desk.settings.gpu), self)
        if trouble:
            desk.tell("queue", trouble, "doubtful")
        self.faults = RenderFaults(desk, self.rendering, self)
        self.from_takes = FromTakes(desk, self.rendering, self._refused, self._waits, self)
        self._idle = IdleMemory(self)
        self.pending = PendingScore(self._session, self.rendering, self)
        self._wire()

    def _wire(self) -> None:
        window, rendering = self._desk.window, self.rendering
        actions = window.actions_of_window
        actions["render"].triggered.connect(self.render_song)
        actions["write_score"].triggered.connect(self.write_score)
        actions["pause_queue"].setChecked(rendering.is_paused)
        rendering.paused_changed.connect(actions["pause_queue"].setChecked)
        rendering.paused_changed.connect(self._show_paused)
        actions["pause_queue"].toggled.connect(rendering.pause_all)
        actions["free_memory"].triggered.connect(rendering.free_memory)
        window.status.free_memory_requested.connect(rendering.free_memory)
        window.top_bar.primary_pressed.connect(self._primary)
        window.top_bar.count_chosen.connect(self._choose_count)
        rendering.engine_changed.connect(self._show_engine)
        rendering.engine_changed.connect(self._idle.follow)
        self._idle.due.connect(rendering.free_memory)
        rendering.jobs_changed.connect(self._show_jobs)
        self.pending.changed.connect(self._show_pending)
        rendering.made.connect(self._made)
        rendering.went_wrong.connect(self._desk.complain)
        rendering.warned.connect(self._warn)
        self._session.changed.connect(self._show_primary)
        for told in (_WRITTEN, _REFUSED):  # of the song that was open before
            self._session.document_loaded.connect(partial(window.notices.withdraw, told))
        self._desk.settings_changed.connect(self._use)
        self._desk.keep_open_while(self._may_leave)
        self._desk.when_closing(rendering.close)
        self.model.found.connect(self._found)
        self._show_primary(self._session.document)

    @Slot()
    def begin(self) -> None:
        """Looks for a model beside the window; the engine starts where there is one. What is asked for waits."""
        self.model.look()

    def offers_playing(self) -> None:
        """There is a player: a finished take is what the primary action plays next."""
        self._is_player_there = True

    @Slot()
    def render_song(self) -> None:
        """Queues as many takes as are chosen."""
        self._queue(self._count, JobPart.TAKE)

    @Slot(int)
    def render_takes(self, count: int) -> None:
        """Queues takes with seeds in a row."""
        self._queue(count, JobPart.TAKE)

    @Slot()
    def write_score(self) -> None:
        """Queues a score only, unless the same is on its way."""
        if self.pending.now is Pending.NO:
            self._queue(1, JobPart.SCORE)

    def _waits(self, wish: Callable[[], None]) -> bool:
        """Whether a wish waits until it is known what model there is; only the last one does."""
        if self.model.is_looking:
            self._wish = wish
        return self.model.is_looking

    def _queue(self, count: int, part: JobPart) -> None:
        document = self._session.document
        if part is JobPart.SCORE:
            document = replace(document, cot=document.cot_with_score)
        if reason := nothing_to_sing(document):
            self._desk.tell(_BLANK, f"{reason}.", "doubtful")
            self._desk.window.actions_of_window["focus_words"].trigger()
            return
        if self._waits(partial(self._queue, count, part)):
            return
        folder, fit = self._desk.settings.output_folder, self._desk.window.fit_line
        try:
            after = self.rendering.queue(
                document, count, folder, part=part, run_anyway=fit.runs_anyway, plan=fit.plan_to_follow
            )
        except Problem as problem:
            self._refused(problem)
            return
        self._newest = None
        self._desk.window.notices.withdraw(_REFUSED)
        self._session.apply(self.tr("Write score"), document)  # no step where a score is to be sung already
        self._session.amend(after)
        self._show_primary(self._session.document)

    @Slot(str)
    def _primary(self, kind: str) -> None:
        match PrimaryKind(kind):
            case PrimaryKind.WRITE_SCORE:
                self.write_score()
            case PrimaryKind.RENDER:
                self.render_song()
            case PrimaryKind.PLAY:
                if self._newest is not None:
                    self.play_wanted.emit(self._newest[1])
                    self._newest = None
                    self._show_primary(self._session.document)

    @Slot(int)
    def _choose_count(self, count: int) -> None:
        self._count = count
        self._show_primary(self._session.document)

    @Slot(object)
    def _show_primary(self, document: SongDocument) -> None:
        if not nothing_to_sing(document):
            self._desk.window.notices.withdraw(_BLANK)
        waits = self._newest is not None and self._newest[0] == document.asked and self._is_player_there
        shown = primary_action(document, count=self._count, has_newest_take=waits, pending=self.pending.now)
        self._desk.window.top_bar.set_primary(shown)

    @Slot(object)
    def _show_pending(self, pending: Pending) -> None:
        self._desk.window.actions_of_window["write_score"].setEnabled(pending is Pending.NO)
        self._show_primary(self._session.document)

    @Slot(object)
    def _show_engine(self, state: EngineState) -> None:
        self._engine = state
        can_free = state in {EngineState.READY, EngineState.BUSY}
        self._desk.window.status.set_engine(engine_words(state, paused=self.rendering.is_paused), can_free=can_free)
        self._desk.window.actions_of_window["free_memory"].setEnabled(can_free)

    @Slot(bool)
    def _show_paused(self, paused: bool) -> None:
        self._show_engine(self._engine)

    @Slot(object)
    def _show_jobs(self, jobs: tuple[Job, ...]) -> None:
        words = next((words for words in map(progress_words, jobs) if words), "")
        if words and self._engine is not EngineState.STOPPING:  # that it is being cancelled stays in sight
            self._desk.window.status.set_engine(words, can_free=True)
        running = [job.standing for job in jobs if job.state is JobState.RUNNING]
        is_still = any(one is not None and one.still_s is not None for one in running)
        if not running or (self._stood_still and not is_still):
            self._desk.window.notices.withdraw(_STILL)
        self._stood_still = is_still

    @Slot(object, str)
    def _made(self, job: Job, folder: str) -> None:
        self.takes_changed.emit()
        if job.part is JobPart.SCORE:
            self._desk.background.run(partial(_written, job, Path(folder)), self._take_score, self._refused)
        elif job.song == self._session.document.id:
            self._newest = (self._session.document.asked, folder)
            self._show_primary(self._session.document)

    def _take_score(self, written: _Written) -> None:
        document = self._session.document
        if document.id != written.song:
            return
        if document.score is None or document.score.is_unchanged_plan:
            self._use_score(written)
            return
        # Somebody has worked on the score that is there: it is not taken away unasked.
        text = self.tr("A new score is written. Yours is kept; the new one is among the plans of the song.")
        self._desk.tell(_WRITTEN, text, "info", self.tr("Use the new one"), partial(self._use_score, written))

    def _use_score(self, written: _Written) -> None:
        self._desk.window.notices.withdraw(_WRITTEN)
        document = self._session.document
        if document.id == written.song:
            self._session.apply(self.tr("Write score"), document.with_plan(written.plan))

    @Slot(object)
    def _found(self, found: FoundModels) -> None:
        settings = self._desk.settings
        places = None
        if found.model is not None and found.vae is not None:
            device = "auto" if settings.gpu is None else "cuda:0"
            places = Places(found.model, found.vae, device=device, threads=settings.threads)
        self.rendering.begin(places)
        wish, self._wish = self._wish, None
        if wish is not None:
            wish()

    @Slot(object)
    def _use(self, settings: Settings) -> None:
        if settings.gpu != self._gpu and self._own_factory is None:
            self._gpu = settings.gpu
            self.rendering.restart(process_factory(settings.gpu))
        self.begin()

    def _may_leave(self) -> bool:
        return self.rendering.running is None or self._desk.dialogs.leave_running()

    @Slot(str)
    def _warn(self, sentence: str) -> None:
        # What the test model writes is noise, which is said where it is chosen: no news, and no reason to worry.
        if not (self.model.is_test and is_of_a_judgement(sentence)):
            self._desk.tell(_STILL if is_standstill(sentence) else "engine", sentence, "doubtful")

    def _refused(self, problem: Problem) -> None:
        if problem.kind is ProblemKind.MODEL_MISSING:
            self.model.miss(problem.sentence)
        else:
            self._desk.tell(_REFUSED, problem.sentence, "bad")


def _written(job: Job, folder: Path) -> _Written:
    """The score in a folder, as a document keeps it. Raises Problem(BAD_FILE)."""
    plan = written_score(folder)
    if plan is None:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"There is no score of the model's own in {path_text(folder)}; have it write one again.",
        )
    return _Written(job.song, plan)
