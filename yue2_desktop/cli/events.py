"""Progress for programs: one JSON object a line on stdout, ASCII only, and nothing else there."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from yue2_desktop.cli.console import say
from yue2_desktop.cli.report import StageEnd
from yue2_desktop.engine.progress import Progress
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.wording import path_text

if TYPE_CHECKING:
    from yue2_desktop.cli.summary import Summary


class JsonEvents:
    """The events `note`, `start`, `stage-begin`, `progress`, `stage-end`, `result` and `problem`.

    Whole numbers are exact: a seed can be as large as 2^63 - 1 (user-reports.md, row 116). A problem is also one
    sentence on stderr.
    """

    def note(self, sentence: str) -> None:
        event("note", sentence=sentence)

    def starts(self, folder: Path | None, request: SongRequest, device: str, dtype: str) -> None:
        place = None if folder is None else path_text(folder)
        event("start", output=place, device=device, dtype=dtype, request=request.to_json())

    def follows(self, plan: str) -> None:
        """Nothing: the plan is in take.json, whole."""

    def begins(self, stage: TakeStage) -> None:
        event("stage-begin", stage=stage.value)

    def progress(self, progress: Progress) -> None:
        event("progress", **asdict(progress))

    def ends(self, end: StageEnd) -> None:
        event("stage-end", **asdict(end))

    def finishes(self, summary: Summary) -> None:
        event("result", **summary.to_json())

    def fails(self, problem: Problem, kept: str | None) -> None:
        event("problem", kind=problem.kind.value, sentence=problem.sentence, data=problem.data, kept=kept)
        for line in (problem.sentence, kept):
            if line:
                say(line)


def event_line(name: str, **values: object) -> str:
    """The line of one event, without the line end."""
    return json.dumps({"event": name, **values}, ensure_ascii=True, allow_nan=False, default=str)


def event(name: str, **values: object) -> None:
    """Writes one event and hands it on at once."""
    print(event_line(name, **values), file=sys.stdout, flush=True)
