"""Takes, jobs and sounds for tests and pictures of the list, as values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from yue2_desktop.audio.measured import measured
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.soundings import Sounding
from yue2_desktop.library.take_summary import Loudness, TakeState, TakeSummary
from yue2_desktop.queue.job import Job, JobPart, JobStanding, JobState
from yue2_desktop.song.belonging import SongOfTake

RATE = 48_000
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def take(number: int = 1, **changes: object) -> TakeSummary:
    """A finished take of the song `ferry`; later numbers are newer."""
    made = TakeSummary(
        folder=Path("/music/ferry") / f"take-{number}",
        title="The ferry at nine",
        created=NOON + timedelta(minutes=number),
        state=TakeState.FINISHED,
        song=SongOfTake("ferry", "The ferry at nine", number),
        style="English, folk, guitar",
        seed=40 + number,
        cot="full",
        mode="bf16",
        ode_steps=32,
        last=TakeStage.AUDIO,
        seconds=158.4,
        audio="audio.flac",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def job(number: int = 1, state: JobState = JobState.WAITING, **changes: object) -> Job:
    """A render of the same song."""
    made = Job(
        id=number,
        song="ferry",
        title="The ferry at nine",
        take=10 + number,
        seed=70 + number,
        part=JobPart.TAKE,
        folder=f"/music/ferry/take-{10 + number}",
        order={},
        state=state,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def singing(done: int = 1204, remaining_s: float | None = 190.0) -> JobStanding:
    """A job in the middle of its tokens."""
    return JobStanding("semantic", done, 4000, "tokens", 21.0, remaining_s)


def sounding(seconds: float = 8.0, seed: int = 1) -> Sounding:
    """A sound with louder and softer parts, measured."""
    rng = np.random.default_rng(seed)
    count = int(seconds * RATE)
    shape = np.interp(np.linspace(0, 24, count), np.arange(25), rng.uniform(0.1, 0.95, 25))
    sound = (rng.uniform(-1, 1, count) * shape).astype(np.float32)
    found = measured([np.stack([sound, sound], axis=1)], RATE)
    return Sounding(
        samples=count,
        sample_rate=RATE,
        peak_dbfs=found.levels.peak_dbfs,
        rms_dbfs=found.levels.rms_dbfs,
        clipped=found.levels.clipped,
        tail_silence_s=found.levels.tail_silence_s,
        silent_tail=found.levels.has_silent_tail,
        waveform=found.peaks.levels,
    )


def silent_end() -> Loudness:
    """Levels of a sound that ends in silence, and is clipped before."""
    return Loudness(peak_dbfs=0.0, clipped=0.01, tail_silence_s=83.0, silent_tail=True)
