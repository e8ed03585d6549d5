"""A take's row: what its files say, what they do not say, and what deserves a mark."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.marks import UserMarks, write_marks
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.record import StageNote
from yue2_desktop.library.summarising import summarise
from yue2_desktop.library.take_summary import (
    CLIPPED_WORTH_A_MARK,
    Badge,
    Loudness,
    TakeState,
    TakeSummary,
    summary_from_json,
)
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind

NOTE = StageNote(1.0)
BARE = TakeSummary(Path("x"), "x", datetime(2026, 9, 14, tzinfo=UTC), TakeState.FINISHED)


def test_a_finished_take(song, tmp_path: Path) -> None:
    folder = tmp_path / "Дождь 1"
    song.finish(folder, song=SongOfTake("a1", "Дождь", 1))
    write_marks(folder, UserMarks(star=True, note="keep"))
    made = summarise(folder)
    summary = made.summary
    assert (summary.folder, summary.title, summary.song) == (folder, "Дождь", SongOfTake("a1", "Дождь", 1))
    assert (summary.state, summary.last, summary.audio) == (TakeState.FINISHED, TakeStage.AUDIO, "audio.flac")
    assert (summary.seed, summary.cot, summary.mode, summary.ode_steps) == (831_001, "full", "bf16", 4)
    assert summary.seconds == 7 / 25
    assert (summary.star, summary.note, summary.style) == (True, "keep", "folk, ☃")
    assert abs(datetime.now(UTC) - summary.created) < timedelta(minutes=5)
    assert summary.badges == (Badge.DRAFT, Badge.TRUNCATED)
    assert summary.damage == ()
    for word in ("Дождь", "folk", "雨", "keep", "831001"):
        assert word in made.words


def test_a_take_without_a_song_has_the_name_of_its_folder(song, tmp_path: Path) -> None:
    song.finish(tmp_path / "my take")
    assert summarise(tmp_path / "my take").summary.title == "my take"


def test_a_supplied_score_is_marked(make_song, tmp_path: Path) -> None:
    make_song(abc="X:1\nK:C\n|C|").finish(tmp_path / "a")
    assert Badge.EDITED_SCORE in summarise(tmp_path / "a").summary.badges
    make_song(cot="off").finish(tmp_path / "b")
    off = summarise(tmp_path / "b").summary
    assert (off.has_score, off.edited_score, off.score_truncated) == (False, False, False)


def test_a_resumed_stage_is_marked(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, replace(NOTE, resumed=True))
    assert Badge.RESUMED in summarise(tmp_path).summary.badges


def test_how_far_it_is(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    assert summarise(tmp_path).summary.state is TakeState.BEGUN
    writer.begin(TakeStage.PLAN)
    running = summarise(tmp_path).summary
    assert (running.state, running.last, running.badges[0]) == (TakeState.BEGUN, None, Badge.UNFINISHED)
    writer.plan(song.plan, NOTE)
    writer.stop_here()
    score = summarise(tmp_path).summary
    assert (score.state, score.last, score.has_score, score.seconds) == (
        TakeState.PARTIAL, TakeStage.PLAN, True, None,
    )  # fmt: skip
    assert Badge.UNFINISHED not in score.badges
    writer.journal.mkdir()
    assert summarise(tmp_path).summary.state is TakeState.BEGUN
    writer.semantic(song.tokens, NOTE)
    assert summarise(tmp_path).summary.seconds == 7 / 25


@pytest.mark.parametrize(
    ("kind", "state", "badge"),
    [
        (ProblemKind.CANCELLED, TakeState.CANCELLED, Badge.UNFINISHED),
        (ProblemKind.OUT_OF_MEMORY, TakeState.FAILED, Badge.FAILED),
    ],
)
def test_why_it_ended(song, tmp_path: Path, kind: ProblemKind, state: TakeState, badge: Badge) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, NOTE)
    writer.failed(TakeStage.SEMANTIC, Problem(kind, "So it went."))
    summary = summarise(tmp_path).summary
    assert (summary.state, summary.problem, summary.badges[0]) == (state, "So it went.", badge)


def test_a_take_of_the_reference(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "take.json").unlink()
    os.utime(tmp_path / "result.json", (1_000_000_000, 1_000_000_000))
    summary = summarise(tmp_path).summary
    assert (summary.state, summary.last, summary.seconds) == (TakeState.FINISHED, TakeStage.AUDIO, 7 / 25)
    assert (summary.seed, summary.song_truncated) == (831_001, True)
    assert summary.created == datetime.fromtimestamp(1_000_000_000, UTC)


@pytest.mark.parametrize("name", ["take.json", "request.json", "config.json", "result.json", "marks.json"])
def test_damage_is_said_and_the_rest_is_shown(song, tmp_path: Path, name: str) -> None:
    song.finish(tmp_path)
    (tmp_path / name).write_bytes(b"{\xff")
    summary = summarise(tmp_path).summary
    assert any(name in sentence for sentence in summary.damage)
    assert Badge.DAMAGED in summary.badges
    assert summary.audio == "audio.flac"
    assert (summary.state is TakeState.DAMAGED) == (name == "take.json")


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is not a readable folder"):
        summarise(tmp_path / "gone")


@pytest.mark.parametrize(
    ("steps", "draft"), [(None, False), (1, True), (8, True), (15, True), (16, False), (32, False)]
)
def test_what_a_draft_is(steps: int | None, draft: bool) -> None:
    assert (Badge.DRAFT in replace(BARE, ode_steps=steps).badges) is draft


def test_marks_of_the_sound_and_the_score() -> None:
    def of(clipped: float, silent_tail: bool) -> tuple[Badge, ...]:
        return replace(BARE, loudness=Loudness(-1.0, clipped, 9.0, silent_tail), score_errors=2).badges

    assert BARE.badges == ()
    assert of(CLIPPED_WORTH_A_MARK, True) == (Badge.BAD_SCORE, Badge.CLIPPED, Badge.TAIL_SILENCE)
    assert of(CLIPPED_WORTH_A_MARK / 2, False) == (Badge.BAD_SCORE,)
    assert replace(BARE, score_errors=0).badges == ()


def test_a_summary_survives_json(song, tmp_path: Path) -> None:
    song.finish(tmp_path, song=SongOfTake("a", "t", 2))
    whole = replace(summarise(tmp_path).summary, loudness=Loudness(None, 0.0, 1.0, False), damage=("x", "y"))
    for summary in (whole, BARE):
        text = json.dumps(summary.to_json())
        assert summary_from_json(json.loads(text), summary.folder) == summary


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.pop("created"),
        lambda values: values.update(created="yesterday"),
        lambda values: values.update(state="new"),
        lambda values: values.update(more=1),
        lambda values: values.update(song={"id": "a"}),
    ],
)
def test_json_of_something_else(change: Callable[[dict], object]) -> None:
    values = BARE.to_json()
    change(values)
    with pytest.raises((ValueError, TypeError, KeyError)):
        summary_from_json(values, Path("x"))


def test_nothing_is_read_of_the_sound_itself(song, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    song.finish(tmp_path)
    (tmp_path / "audio.flac").write_bytes(np.zeros(10).tobytes())
    assert summarise(tmp_path).summary.damage == ()
