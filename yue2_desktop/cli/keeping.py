"""What is kept of a take that was stopped or failed, and how to go on with it."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Final

from yue2_desktop.cli.take_job import Standing
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.record import TakeRecord
from yue2_desktop.song.wording import path_text

_MADE: Final = {
    TakeStage.PLAN: "the score",
    TakeStage.SEMANTIC: "the singing",
    TakeStage.LATENTS: "the sound",
    TakeStage.AUDIO: "the audio",
}
_PART: Final = {
    TakeStage.PLAN: ("token", "the score"),
    TakeStage.SEMANTIC: ("token", "the singing"),
    TakeStage.LATENTS: ("step", "the sound"),
}


def kept(folder: Path, record: TakeRecord, standing: Standing) -> str:
    """For people at a terminal: what is on the disk, and the command that goes on from there."""
    return f"{on_disk(folder, record, standing)} Go on with: yue2-desktop render --resume {in_shell(folder)}"


def on_disk(folder: Path, record: TakeRecord, standing: Standing) -> str:
    """One sentence for people: what is on the disk."""
    made = [_MADE[stage] for stage in TakeStage if record.stages[stage].state is StageState.COMPLETE]
    if standing.stage in _PART and standing.count:
        unit, whole = _PART[standing.stage]
        made.append(f"{standing.count:,} {unit}{'' if standing.count == 1 else 's'} of {whole}")
    what = ", ".join(made) or "the request"
    return f"Kept in {path_text(folder)}: {what}."


def in_shell(path: Path) -> str:
    """`path` as it is typed in this system's shell."""
    text = path_text(path)
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)
