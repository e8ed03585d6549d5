"""What a command tells while it works, whoever listens: a terminal, a program that reads JSON, or nobody."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from yue2_desktop.cli.options import Talk
from yue2_desktop.engine.progress import Progress
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.request import SongRequest

if TYPE_CHECKING:
    from yue2_desktop.cli.summary import Summary

#: Where a stage's result is from: computed now, an earlier take, the user (a supplied score), or there is none (off).
Origin = Literal["made", "reused", "supplied", "none"]


@dataclass(frozen=True)
class StageEnd:
    """A stage that is done and saved. `size` counts tokens, frames or samples; `truncated` is for token stages."""

    stage: TakeStage
    origin: Origin
    seconds: float
    size: int
    truncated: bool | None = None
    resumed: bool = False


class Report(Protocol):
    """Every method may raise BrokenPipeError when whatever read the output is gone."""

    def note(self, sentence: str) -> None:
        """Something that was decided on the user's behalf, or could not be had."""
        ...

    def starts(self, folder: Path | None, request: SongRequest, device: str, dtype: str) -> None:
        """The work begins; everything was checked."""
        ...

    def follows(self, plan: str) -> None:
        """The plan that is followed from here on, in the planner's words; again where a smaller one is taken.

        Empty where there is none.
        """
        ...

    def begins(self, stage: TakeStage) -> None: ...

    def progress(self, progress: Progress) -> None: ...

    def ends(self, end: StageEnd) -> None: ...

    def finishes(self, summary: Summary) -> None: ...

    def fails(self, problem: Problem, kept: str | None) -> None:
        """Says what went wrong and what was kept; the sentence on stderr is this method's, too."""
        ...


def report_for(talk: Talk, *, summary_on_stdout: bool = True) -> Report:
    """The report that the options ask for. A command that prints its result itself leaves stdout to that."""
    if talk.json:
        from yue2_desktop.cli.events import JsonEvents

        return JsonEvents()
    if talk.quiet:
        from yue2_desktop.cli.screen import Quiet

        return Quiet()
    from yue2_desktop.cli.screen import Screen

    return Screen(summary_on_stdout=summary_on_stdout)
