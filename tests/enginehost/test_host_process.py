"""The engine's own process with the test model: whole takes, scores, cancels in the middle, garbage, its end."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.enginehost.conftest import ROOT, RunningEngine
from tests.pace import pace
from yue2_desktop.engine.messages import (
    FactsRead,
    Failed,
    Freed,
    FreeMemory,
    Made,
    Make,
    Noted,
    PlanTaken,
    Progressed,
    ReadFacts,
    StageDone,
)
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.record import read_record
from yue2_desktop.library.stage_files import load_semantic
from yue2_desktop.plan.known import facts_from_json, model_from_json
from yue2_desktop.plan.weights import Inventory
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.runtime.orders import Places, continued_order, finishing_order, new_order, resumed_order
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import RenderOrder, render_order
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.wording import path_text


def _order(tiny: RenderOrder, folder: Path, places: Places, part: str = "take") -> dict[str, object]:
    return new_order(tiny, tiny.requests[0], folder, places, part=part, allow_bad_score=True)  # type: ignore[arg-type]


def _made(engine: RunningEngine, job: int, order: dict[str, object]) -> Made:
    engine.process.send(Make(job, order))
    ended = engine.wait_for(Made | Failed, lambda event: event.job == job)  # type: ignore[arg-type]
    assert isinstance(ended, Made), ended
    return ended


def test_takes_scores_drafts_and_finals(
    engine: RunningEngine, tiny: RenderOrder, places: Places, tmp_path: Path
) -> None:
    """A score, the take that sings it, and its final from the same tokens and noise, by one engine."""
    score = tmp_path / "Ноты 1"
    engine.heard.clear()
    made = _made(engine, 1, _order(tiny, score, places, "score"))
    assert Path(made.folder) == score
    assert read_record(score).stages[TakeStage.PLAN].state is StageState.COMPLETE
    assert not (score / "audio.flac").exists()
    assert [event.stage for event in engine.heard if isinstance(event, StageDone)] == ["score"]

    draft, final = tmp_path / "draft", tmp_path / "final"
    order = continued_order(tiny, tiny.requests[0], draft, places, score, allow_bad_score=True)
    engine.heard.clear()
    made = _made(engine, 2, order)
    assert [event.stage for event in engine.heard if isinstance(event, StageDone)] == [
        "score", "semantic", "acoustic", "decode",
    ]  # fmt: skip
    counted = {event.stage for event in engine.heard if isinstance(event, Progressed) and event.done}
    assert counted >= {"semantic", "acoustic", "decode"}
    (plan,) = (event for event in engine.heard if isinstance(event, PlanTaken))
    assert (plan.job, plan.plan.startswith("on the processor, AR ")) == (2, True)
    assert made.summary["frames"] == 12
    assert load_semantic(draft).plan.abc_ids == load_plan(score).abc_ids

    _made(engine, 3, finishing_order(tiny, final, places, draft, ode_steps=4))
    assert load_semantic(final).codec == load_semantic(draft).codec
    assert read_record(final).seeds["noise"] == read_record(draft).seeds["noise"]
    assert (final / "audio.flac").read_bytes() != (draft / "audio.flac").read_bytes()


def test_a_cancel_in_the_acoustic_stage_and_the_rest_later(
    engine: RunningEngine, song: SongDocument, places: Places, tmp_path: Path
) -> None:
    folder = tmp_path / "take"
    long = render_order(replace(song, render=RenderSettings(ode_steps=24, vae_core=8, max_frames=40)), 7)
    engine.process.send(Make(10, _order(long, folder, places)))
    engine.wait_for(Progressed, lambda event: event.stage == "acoustic" and event.unit == "steps" and event.done > 0)
    start = time.monotonic()
    engine.process.cancel(10)
    failed = engine.wait_for(Failed)
    assert time.monotonic() - start < 1.0 * pace()
    assert (failed.job, failed.kind) == (10, "cancelled")
    assert "of the sound" in failed.kept
    assert "--resume" not in failed.kept
    assert engine.process.state is EngineState.READY
    assert read_record(folder).stages[TakeStage.SEMANTIC].state is StageState.COMPLETE

    _made(engine, 11, resumed_order(folder, places))
    assert (folder / "audio.flac").exists()


def test_the_engine_survives_what_it_does_not_understand(
    engine: RunningEngine, tiny: RenderOrder, places: Places, tmp_path: Path
) -> None:
    pipe = engine.process._process.stdin  # type: ignore[union-attr]
    assert pipe is not None
    for line in (b"garbage\n", b"\xff\xfe\n", b"[1]\n", b'{"v":9,"type":"quit"}\n', b"x" * 5_000_000 + b"\n"):
        pipe.write(line)
    pipe.flush()
    engine.wait_for(Noted, lambda event: "not a command" in event.text)
    occupied = tmp_path / "occupied"
    occupied.mkdir()
    (occupied / "mine.txt").write_text("keep me", encoding="utf-8")
    for job, (change, kind, words) in enumerate(
        (
            ({"version": 2}, "bad-request", "'version' must be 1"),
            ({"part": "half"}, "bad-request", "'part' must be one of score, take"),
            ({"dtype": "int3"}, "bad-request", "'dtype'"),
            ({"threads": 0}, "bad-request", "'threads'"),
            ({"folder": 7}, "bad-request", "'folder' must be text"),
            ({"request": None}, "bad-request", "'request' must be an object"),
            ({"folder": str(occupied)}, "output-exists", "is not empty"),
            ({"model": str(tmp_path / "absent")}, "model-missing", "absent"),
        ),
        20,
    ):
        order = {**_order(tiny, tmp_path / "new", places), **change}
        engine.process.send(Make(job, order))
        failed = engine.wait_for(Failed)
        assert (failed.job, failed.kind) == (job, kind)
        assert words in failed.sentence
    assert not (tmp_path / "new").exists()
    engine.process.send(ReadFacts(path_text(places.model), path_text(places.vae)))
    facts = engine.wait_for(FactsRead).facts
    assert facts_from_json(facts["machine"]).torch is not None
    model = model_from_json(facts["model"])
    assert (model.shape.hidden, model.shape.layers, model.inventory) == (128, 3, Inventory())
    engine.process.send(ReadFacts(str(tmp_path / "absent")))
    assert engine.wait_for(FactsRead).facts["model"] is None
    engine.process.send(FreeMemory())
    assert engine.wait_for(Freed).resident_bytes > 0


@pytest.mark.skipif(sys.platform == "win32", reason="prints through the C library of POSIX")
def test_the_engine_has_no_qt_and_only_messages_on_its_line() -> None:
    """user-reports.md, row 105; qt-and-packaging, trap 2."""
    script = (
        "import os, sys\n"
        "from yue2_desktop.enginehost import facts, host, jobs\n"
        "load = host._loaded\n"
        "def loud(say):\n"
        "    print('a library greets'); os.write(1, b'from C\\n'); made = load(say)\n"
        "    wrong = [name for name in sys.modules if name.partition('.')[0] in {'PySide6', 'sounddevice'}]\n"
        "    print('wrong', wrong); return made\n"
        "host._loaded = loud\n"
        "from yue2_desktop.__main__ import entry\n"
        "sys.argv[1:] = ['--engine-host']\n"
        "entry()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert [line for line in ended.stdout.splitlines() if not line.startswith(b'{"v": 1')] == []
    assert b"a library greets" in ended.stderr
    assert b"from C" in ended.stderr
    assert b"wrong []" in ended.stderr
