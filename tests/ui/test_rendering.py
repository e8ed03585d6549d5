"""The queue at work, with an engine that follows a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import song
from yue2_desktop.engine.messages import Event, Make
from yue2_desktop.queue.job import Job, JobPart, JobState
from yue2_desktop.queue.store import QueueStore
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.orders import Places
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.seeds import SeedKind, SeedPolicy
from yue2_desktop.ui.rendering import Rendering

PLACES = Places(Path("/models/mot"), Path("/models/vae"))
Make_ = Callable[..., Rendering]


class Engines:
    """Makes engines by a script, and keeps them."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.made: list[FakeEngine] = []

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        self.made.append(FakeEngine(on_event, on_end, self.script))
        return self.made[-1]

    @property
    def orders(self) -> list[Make]:
        return [command for engine in self.made for command in engine.commands if isinstance(command, Make)]


@pytest.fixture
def begun(qapp: object, tmp_path: Path) -> Iterator[Callable[[Script], tuple[Rendering, Engines]]]:
    made: list[Rendering] = []

    def begin(script: Script) -> tuple[Rendering, Engines]:
        engines = Engines(script)
        rendering = Rendering(QueueStore.open(tmp_path / "queue.sqlite3"), engines)
        made.append(rendering)
        rendering.begin(PLACES)
        return rendering, engines

    yield begin
    for rendering in made:
        rendering.close()


def states(rendering: Rendering) -> list[JobState]:
    return [job.state for job in rendering.jobs()]


def test_two_takes_one_after_another(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script())
    made: list[tuple[Job, str]] = []
    rendering.made.connect(lambda job, folder: made.append((job, folder)))
    after = rendering.queue(song(), 2, tmp_path)
    qtbot.waitUntil(lambda: len(made) == 2)
    assert states(rendering) == [JobState.DONE, JobState.DONE]
    first, second = (job for job, _ in made)
    assert second.seed == first.seed + 1
    assert first.take == 1
    assert Path(first.folder).parent == tmp_path / "Ferry"
    assert first.folder != second.folder
    assert engines.orders[0].order["part"] == "take"
    assert after == song(id=after.id, seed=SeedPolicy(SeedKind.COUNTING, first.seed + 2)), "the next one is another"


def test_without_a_model_nothing_is_queued(begun: Make_, tmp_path: Path) -> None:
    rendering, _ = begun(Script())
    rendering.begin(None)
    with pytest.raises(Problem, match="choose the folder") as found:
        rendering.queue(song(), 1, tmp_path)
    assert found.value.kind is ProblemKind.MODEL_MISSING
    assert rendering.jobs() == ()


def test_a_cancelled_job_makes_room_for_one_queued_meanwhile(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(hold_at="acoustic"))
    rendering.queue(song(), 1, tmp_path)
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None
                    and rendering.running.standing.stage == "acoustic")  # fmt: skip
    rendering.cancel(rendering.jobs()[0].id)
    rendering.queue(song(), 1, tmp_path, part=JobPart.SCORE)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.CANCELLED, JobState.DONE], timeout=30_000)
    assert [order.order["part"] for order in engines.orders] == ["take", "score"]


def test_what_waits_can_be_put_aside_moved_and_removed(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, _ = begun(Script(hold_at="score"))
    rendering.queue(song(), 3, tmp_path)
    running, second, third = (job.id for job in rendering.jobs())
    rendering.move(third, second)
    assert [job.id for job in rendering.jobs()] == [running, third, second]
    rendering.pause(third)
    assert rendering.jobs()[1].state is JobState.PAUSED
    rendering.resume(third)
    rendering.cancel(second)
    rendering.remove(second)
    assert [job.id for job in rendering.jobs()] == [running, third]
    assert states(rendering) == [JobState.RUNNING, JobState.WAITING]


def test_the_same_seed_twice_has_two_folders(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, _ = begun(Script())
    rendering.pause_all(True)
    rendering.queue(song(), 1, tmp_path)
    rendering.queue(song(), 1, tmp_path)
    first, second = rendering.jobs()
    assert first.seed == second.seed
    assert first.folder != second.folder


def test_a_paused_queue_begins_nothing(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script())
    rendering.pause_all(True)
    rendering.queue(song(), 1, tmp_path)
    assert states(rendering) == [JobState.WAITING]
    rendering.pause_all(False)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])
    assert len(engines.orders) == 1


def test_a_failure_is_kept_told_and_can_be_tried_again(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, _ = begun(Script(fail_with=("does-not-fit", "It needs 2 GiB more.")))
    with qtbot.waitSignal(rendering.went_wrong) as heard:
        rendering.queue(song(), 1, tmp_path)
    assert "2 GiB more" in heard.args[0]
    (job,) = rendering.jobs()
    assert (job.state, job.problem_kind) == (JobState.FAILED, "does-not-fit")
    rendering.retry(job.id)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])


def test_an_engine_that_dies_costs_one_job(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(crash_at="semantic"))
    with qtbot.waitSignal(rendering.went_wrong):
        rendering.queue(song(), 1, tmp_path)
    (job,) = rendering.jobs()
    assert (job.state, job.problem_kind) == (JobState.FAILED, "engine-died")
    engines.script = Script()
    Path(job.folder).mkdir(parents=True)
    (Path(job.folder) / "plan.json").write_text("{}", encoding="utf-8")
    rendering.retry(job.id)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])
    assert engines.orders[-1].order["resume"] is True


def test_closing_while_a_song_is_made_goes_on_next_time(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    """Row 111."""
    engines = Engines(Script(hold_at="semantic"))
    rendering = Rendering(QueueStore.open(tmp_path / "queue.sqlite3"), engines)
    rendering.begin(PLACES)
    rendering.queue(song(), 2, tmp_path)
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None)
    rendering.close()
    again, _ = begun(Script())
    qtbot.waitUntil(lambda: states(again) == [JobState.DONE, JobState.DONE])


@pytest.mark.parametrize("stage", ["starting", "score", "semantic", "acoustic", "decode"])
def test_closing_in_every_stage_leaves_nothing(qtbot: QtBot, tmp_path: Path, stage: str) -> None:
    """Row 106; `nothing_left` looks for threads and timers afterwards."""
    for number in range(20):
        rendering = Rendering(QueueStore.open(tmp_path / f"{number}.sqlite3"), Engines(Script(hold_at=stage)))
        rendering.begin(PLACES)
        rendering.queue(song(), 1, tmp_path)
        if number % 2:
            qtbot.waitUntil(lambda made=rendering: stage == "starting" or made.jobs()[0].standing is not None)
        rendering.close()


def test_what_runs_is_put_aside_and_goes_on_later(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(hold_at="acoustic"))
    rendering.queue(song(), 2, tmp_path)
    first, second = (job.id for job in rendering.jobs())
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None)
    Path(rendering.jobs()[0].folder).mkdir(parents=True)
    (Path(rendering.jobs()[0].folder) / "request.json").write_text("{}", encoding="utf-8")
    rendering.pause(first)
    # The next one has its turn meanwhile.
    qtbot.waitUntil(lambda: states(rendering) == [JobState.PAUSED, JobState.RUNNING])
    rendering.pause(second)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.PAUSED, JobState.PAUSED])
    rendering.resume(first)
    qtbot.waitUntil(lambda: states(rendering)[0] is JobState.RUNNING)
    qtbot.waitUntil(lambda: len(engines.orders) == 3)
    assert (engines.orders[2].job, engines.orders[2].order.get("resume")) == (first, True)
    rendering.cancel(first)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.CANCELLED, JobState.PAUSED])


def test_a_job_has_its_plan_until_the_engine_tells_another(qtbot: QtBot, tmp_path: Path) -> None:
    script = Script(plan="INT4, NAR streamed", hold_at="acoustic")
    rendering = Rendering(QueueStore.open(tmp_path / "queue.sqlite3"), Engines(script))
    rendering.begin(PLACES)
    rendering.queue(song(), 2, tmp_path, plan="BF16 with both halves resident")
    rendering.queue(song(), 1, tmp_path, part=JobPart.SCORE)
    running, waiting, score = (job.id for job in rendering.jobs())
    assert [job.plan for job in rendering.jobs()] == [
        "BF16 with both halves resident · 32 steps", "BF16 with both halves resident · 32 steps", "",
    ]  # fmt: skip
    qtbot.waitUntil(lambda: rendering.jobs()[0].plan == "INT4, NAR streamed · 32 steps")
    rendering.duplicate(running)
    rendering.pause(waiting)
    rendering.close()
    with closing(QueueStore.open(tmp_path / "queue.sqlite3")) as store:
        assert [(job.id, job.plan) for job in store.jobs()[:3]] == [
            (running, "INT4, NAR streamed · 32 steps"), (waiting, "BF16 with both halves resident · 32 steps"),
            (score, ""),
        ]  # fmt: skip
        assert store.jobs()[3].plan == "INT4, NAR streamed · 32 steps"


def test_a_final_has_its_own_steps(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, _ = begun(Script())
    draft = song(render=replace(song().render, ode_steps=8))
    rendering.finish(draft, tmp_path / "draft", tmp_path, plan="BF16 with halves parked")
    assert rendering.jobs()[0].plan == "BF16 with halves parked · 32 steps"
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])


def test_a_take_has_a_number_of_its_own_and_a_score_none(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    """Of jobs that were removed as of takes that the library has from elsewhere."""
    rendering, engines = begun(Script())
    document = song()
    rendering.queue(document, 2, tmp_path, part=JobPart.SCORE)
    rendering.pause_all(True)
    rendering.queue(document, 2, tmp_path)
    second = rendering.jobs()[-1]
    rendering.cancel(second.id)
    rendering.remove(second.id)
    rendering.queue(document, 1, tmp_path)
    rendering.know_numbers({document.id: 7, "another": 20})
    rendering.queue(document, 1, tmp_path)
    rendering.pause_all(False)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE] * 5)
    belongs = [order.order["song"] for order in engines.orders]
    unnumbered = {"id": document.id, "title": "Ferry"}
    assert belongs == [unnumbered, unnumbered, *({**unnumbered, "take": number} for number in (1, 3, 8))]
