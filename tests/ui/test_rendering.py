"""The queue at work, with an engine that follows a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import song
from tests.ui.engines import Engines
from yue2_desktop.queue.job import Job, JobPart, JobState, NewJob
from yue2_desktop.queue.store import QueueStore
from yue2_desktop.runtime.fake_engine import Script
from yue2_desktop.runtime.orders import Places
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.seeds import SeedKind, SeedPolicy
from yue2_desktop.ui.new_jobs import final_of
from yue2_desktop.ui.rendering import Rendering

PLACES = Places(Path("/models/mot"), Path("/models/vae"))
Make_ = Callable[..., Rendering]


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
    with qtbot.waitSignal(rendering.failed) as heard:
        rendering.queue(song(), 1, tmp_path)
    (job,) = rendering.jobs()
    assert heard.args == [job, "It needs 2 GiB more."]
    assert (job.state, job.problem_kind) == (JobState.FAILED, "does-not-fit")
    rendering.retry(job.id)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])


def begun_on_disk(job: Job) -> None:
    """What a render leaves when it breaks off."""
    Path(job.folder).mkdir(parents=True)
    (Path(job.folder) / "plan.json").write_text("{}", encoding="utf-8")


def test_row_40_what_the_engine_died_under_goes_on_once_by_itself(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(hold_at="semantic"))
    going: list[tuple[Job, str]] = []
    rendering.goes_on.connect(lambda job, said: going.append((job, said)))
    rendering.queue(song(), 2, tmp_path)
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None)
    begun_on_disk(rendering.jobs()[0])
    engines.script = Script()
    engines.made[0].kill()
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE, JobState.DONE], timeout=20_000)
    assert [(order.job, order.order.get("resume", False)) for order in engines.orders] == [
        (1, False), (1, True), (2, False),
    ]  # fmt: skip
    ((job, said),) = going
    assert (job.id, job.state) == (1, JobState.WAITING)
    assert said.endswith("“Ferry, take 1” goes on by itself from what was made of it.")


def test_an_engine_that_always_dies_costs_each_job_two_tries(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    """And a third one when the user asks for it, which again may be taken up once."""
    rendering, engines = begun(Script(crash_at="semantic"))
    rendering.queue(song(), 2, tmp_path)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.FAILED, JobState.FAILED], timeout=20_000)
    assert [order.job for order in engines.orders] == [1, 1, 2, 2]
    job, _ = rendering.jobs()
    assert job.problem_kind == "engine-died"
    assert job.problem == "The engine ended unexpectedly (SIGSEGV). Nothing was made yet; press ↻ to begin again."
    begun_on_disk(job)
    with qtbot.waitSignal(rendering.failed) as heard:
        rendering.retry(job.id)
    assert [order.job for order in engines.orders] == [1, 1, 2, 2, 1, 1]
    assert heard.args[0].problem.endswith("(SIGSEGV). What was made is kept; press ↻ to go on.")
    assert "“Ferry, take 1” is kept; press ↻ in its row" in heard.args[1]


def test_a_lost_card_is_not_told_to_be_begun_by_hand(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    lost = "The card is gone. What was finished is kept; start the render again, it goes on from there."
    rendering, engines = begun(Script(fail_with=("device-lost", lost)))
    with (
        qtbot.waitSignal(rendering.failed, timeout=20_000) as heard,
        qtbot.waitSignal(rendering.goes_on, timeout=20_000) as going,
    ):
        rendering.queue(song(), 1, tmp_path)
    assert "start the render again" not in going.args[1] + heard.args[1]
    assert "The graphics card stopped answering" in going.args[1]
    assert rendering.jobs()[0].problem_kind == "device-lost"
    qtbot.waitUntil(lambda: len(engines.made) == 3, timeout=20_000)  # each loss takes an engine with it


def test_another_engine_that_was_asked_for_counts_for_nothing(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(hold_at="semantic"))
    told: list[str] = []
    for signal in (rendering.failed, rendering.goes_on):
        signal.connect(lambda job, said: told.append(said))
    rendering.queue(song(), 1, tmp_path)
    for number in range(1, 4):
        qtbot.waitUntil(
            lambda number=number: (
                len(engines.orders) == number
                and rendering.running is not None
                and rendering.running.standing is not None
            ),
            timeout=20_000,
        )
        rendering.restart(engines)
    engines.script = Script()
    qtbot.waitUntil(lambda: len(engines.made) >= 4, timeout=20_000)
    engines.made[-1].released.set()
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE], timeout=20_000)
    assert told == []


@pytest.mark.parametrize(("ask", "then"), [(Rendering.cancel, JobState.CANCELLED), (Rendering.pause, JobState.PAUSED)])
def test_what_was_stopped_as_the_engine_died_does_not_go_on(
    begun: Make_, qtbot: QtBot, tmp_path: Path, ask: Callable[[Rendering, int], None], then: JobState
) -> None:
    """The user's word comes when nobody is there any more to hear it."""
    rendering, engines = begun(Script(hold_at="semantic"))
    rendering.queue(song(), 1, tmp_path)
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None)
    (job,) = rendering.jobs()
    engines.made[0].kill()
    assert engines.made[0]._thread is not None
    engines.made[0]._thread.join()
    ask(rendering, job.id)
    qtbot.waitUntil(lambda: states(rendering) == [then], timeout=20_000)
    assert len(engines.orders) == 1


def test_what_the_engine_died_under_waits_where_the_queue_is_paused(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(hold_at="semantic"))
    rendering.queue(song(), 1, tmp_path)
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None)
    rendering.pause_all(True)
    with qtbot.waitSignal(rendering.goes_on, timeout=20_000) as going:
        engines.made[0].kill()
    assert going.args[1].endswith("“Ferry, take 1” waits until the queue goes on.")
    assert states(rendering) == [JobState.WAITING]
    engines.script = Script()
    rendering.pause_all(False)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE], timeout=20_000)


def test_a_machine_that_dies_under_a_job_does_so_once_more_and_not_at_every_start(
    begun: Make_, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "queue.sqlite3"
    with closing(QueueStore.open(path)) as store:
        (job,) = store.add([NewJob("s", "Ferry", 1, JobPart.TAKE, str(tmp_path / "take"), {})])
        store.start(job.id)
    with closing(QueueStore.open(path)) as store:
        assert store.job(job.id).state is JobState.INTERRUPTED
        store.set_state(job.id, JobState.WAITING)
        store.start(job.id)
    failed: list[str] = []
    engines = Engines(Script())
    rendering = Rendering(QueueStore.open(path), engines)
    rendering.failed.connect(lambda job, said: failed.append(said))
    rendering.begin(PLACES)
    assert states(rendering) == [JobState.FAILED]
    (said,) = failed
    assert said.startswith("The program ended twice while this was made. Nothing was made of “Ferry, take 1” yet; ")
    rendering.retry(job.id)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE], timeout=20_000)
    rendering.close()


@pytest.mark.parametrize("anyway", [True, False])
def test_what_was_refused_is_tried_as_is_ticked_now(begun: Make_, qtbot: QtBot, tmp_path: Path, anyway: bool) -> None:
    rendering, engines = begun(Script(fail_with=("does-not-fit", "It needs 2 GiB more.")))
    rendering.queue(song(), 1, tmp_path, run_anyway=not anyway)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.FAILED])
    (job,) = rendering.jobs()
    begun_on_disk(job)
    rendering.retry(job.id, run_anyway=anyway)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])
    assert [order.order["run_anyway"] for order in engines.orders] == [not anyway, anyway]
    assert engines.orders[-1].order["resume"] is True


def test_what_failed_otherwise_is_tried_as_it_was_asked_for(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(fail_with=("disk-full", "No room.")))
    rendering.queue(song(), 1, tmp_path, run_anyway=True)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.FAILED])
    rendering.retry(rendering.jobs()[0].id, run_anyway=False)
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE])
    assert [order.order["run_anyway"] for order in engines.orders] == [True, True]


def test_a_pause_is_told_and_outlives_the_program(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering = Rendering(QueueStore.open(tmp_path / "queue.sqlite3"), Engines(Script()))
    rendering.begin(PLACES)
    told: list[bool] = []
    rendering.paused_changed.connect(told.append)
    for paused in (True, True):
        rendering.pause_all(paused)
    assert told == [True]
    rendering.queue(song(), 1, tmp_path)
    rendering.close()
    again, engines = begun(Script())
    assert again.is_paused
    assert states(again) == [JobState.WAITING]
    again.pause_all(False)
    qtbot.waitUntil(lambda: states(again) == [JobState.DONE])
    assert len(engines.orders) == 1


def test_an_engine_that_is_silent_is_told_until_it_speaks(begun: Make_, qtbot: QtBot, tmp_path: Path) -> None:
    rendering, engines = begun(Script(hold_at="semantic"))
    rendering.queue(song(), 1, tmp_path)
    qtbot.waitUntil(lambda: rendering.running is not None and rendering.running.standing is not None
                    and rendering.running.standing.stage == "semantic")  # fmt: skip
    told: list[int | None] = []
    rendering.jobs_changed.connect(lambda jobs: told.append(jobs[0].standing.still_s if jobs[0].standing else None))
    for _ in range(600):
        rendering._standings.count_second()
    assert 600 in told
    engines.made[0].released.set()
    qtbot.waitUntil(lambda: states(rendering) == [JobState.DONE], timeout=20_000)
    assert told[-1] is None


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
    rendering.add(partial(final_of, draft, tmp_path / "draft", tmp_path, plan="BF16 with halves parked"))
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
