"""Progress for people, on stderr: a line a stage that counts up in a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from yue2_desktop.cli.durations import about, clock, spent
from yue2_desktop.cli.report import StageEnd
from yue2_desktop.engine.progress import Progress, Stage
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.stages import SAMPLE_RATE
from yue2_desktop.song.wording import path_text

if TYPE_CHECKING:
    from yue2_desktop.cli.summary import Summary

TITLES: Final = {
    TakeStage.PLAN: "Writing the score",
    TakeStage.SEMANTIC: "Singing",
    TakeStage.LATENTS: "Shaping the sound",
    TakeStage.AUDIO: "Making the audio",
}
_STAGES: Final = {
    Stage.SCORE: TakeStage.PLAN,
    Stage.SEMANTIC: TakeStage.SEMANTIC,
    Stage.ACOUSTIC: TakeStage.LATENTS,
    Stage.DECODE: TakeStage.AUDIO,
}
_TITLE_WIDTH: Final = max(len(title) for title in TITLES.values()) + 2
#: In a file or a pipe one line in so many seconds is enough.
_PLAIN_EVERY_S: Final = 10.0


class Quiet:
    """Says nothing but what went wrong."""

    def note(self, sentence: str) -> None: ...

    def starts(self, folder: Path | None, request: SongRequest, device: str, dtype: str) -> None: ...

    def follows(self, plan: str) -> None: ...

    def begins(self, stage: TakeStage) -> None: ...

    def progress(self, progress: Progress) -> None: ...

    def ends(self, end: StageEnd) -> None: ...

    def finishes(self, summary: Summary) -> None: ...

    def fails(self, problem: Problem, kept: str | None) -> None:
        for line in (problem.sentence, kept):
            if line:
                print(line, file=sys.stderr, flush=True)


class Screen(Quiet):
    """Writes to stderr, so that what a command prints on stdout can be piped on; the summary goes to stdout."""

    def __init__(
        self,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        summary_on_stdout: bool = True,
    ) -> None:
        self._stream = stream or sys.stderr
        self._summary_on_stdout = summary_on_stdout
        self._live = self._stream.isatty()
        self._clock = clock
        self._open = ""
        self._last_line_at = float("-inf")

    def note(self, sentence: str) -> None:
        self._line(sentence)

    def starts(self, folder: Path | None, request: SongRequest, device: str, dtype: str) -> None:
        where = f" in {path_text(folder)}" if folder is not None else ""
        self._line(f"Making a take{where} (seed {request.seed}, {device}, {dtype})")

    def begins(self, stage: TakeStage) -> None:
        self._last_line_at = self._clock()
        if self._live:
            self._live_line(f"{TITLES[stage]:<{_TITLE_WIDTH}}...")

    def progress(self, progress: Progress) -> None:
        line = _progress_line(progress)
        if self._live:
            self._live_line(line)
        elif self._clock() - self._last_line_at >= _PLAIN_EVERY_S:
            self._last_line_at = self._clock()
            self._line(line)

    def ends(self, end: StageEnd) -> None:
        self._line(f"{TITLES[end.stage]:<{_TITLE_WIDTH}}{_end_words(end)}")

    def finishes(self, summary: Summary) -> None:
        for line in summary.lines():
            if self._summary_on_stdout:
                print(line, flush=True)
            else:
                self._line(line)

    def fails(self, problem: Problem, kept: str | None) -> None:
        for line in (problem.sentence, kept):
            if line:
                self._line(line)

    def _line(self, text: str) -> None:
        padding = " " * max(0, len(self._open) - len(text))
        start = "\r" if self._open else ""
        self._stream.write(f"{start}{text}{padding}\n")
        self._stream.flush()
        self._open = ""

    def _live_line(self, text: str) -> None:
        text = text[: max(20, shutil.get_terminal_size().columns - 1)]
        padding = " " * max(0, len(self._open) - len(text))
        self._stream.write(f"\r{text}{padding}")
        self._stream.flush()
        self._open = text


def _progress_line(progress: Progress) -> str:
    title = TITLES[_STAGES[progress.stage]]
    may_end_early = progress.unit == "tokens"
    of = "of at most" if may_end_early else "of"
    parts = [f"{progress.done:,} {of} {progress.total:,} {progress.unit}"]
    if progress.rate:
        per_second = progress.rate >= 1
        parts.append(f"{progress.rate:.1f} a second" if per_second else f"{1 / progress.rate:.1f} s each")
    if progress.remaining_s:
        left = about(progress.remaining_s)
        parts.append(f"at most {left} left" if may_end_early else f"{left} left")
    return f"{title:<{_TITLE_WIDTH}}{', '.join(parts)}"


def _end_words(end: StageEnd) -> str:
    sizes = {
        TakeStage.PLAN: f"{end.size:,} tokens",
        TakeStage.SEMANTIC: f"{clock(end.size / FRAMES_PER_SECOND)} of song, {end.size:,} tokens",
        TakeStage.LATENTS: f"{end.size:,} frames",
        TakeStage.AUDIO: clock(end.size / SAMPLE_RATE),
    }
    if end.origin == "none":
        return "none (cot off)"
    size = sizes[end.stage]
    if end.origin == "supplied":
        return f"{size}, supplied"
    if end.origin == "reused":
        return f"{size}, from the earlier take"
    resumed = ", gone on from the journal" if end.resumed else ""
    return f"{size} in {spent(end.seconds)}{resumed}"
