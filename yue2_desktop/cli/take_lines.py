"""A take's description in words: what was asked for, how far it is, what it was made with."""

from __future__ import annotations

from collections.abc import Mapping

from yue2_desktop.cli.durations import clock
from yue2_desktop.library.describe import TakeDescription
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.record import model_files

_STAGES = {
    TakeStage.PLAN: "score",
    TakeStage.SEMANTIC: "singing",
    TakeStage.LATENTS: "sound",
    TakeStage.AUDIO: "audio",
}
_STATES = {
    StageState.WAITING: "to be made",
    StageState.RUNNING: "begun (running, or interrupted)",
    StageState.COMPLETE: "done",
    StageState.FAILED: "failed",
    StageState.CANCELLED: "cancelled",
}
_SHOWN_CHARS = 100


def take_facts(found: TakeDescription) -> tuple[tuple[str, str], ...]:
    """(name, words) for people."""
    facts: list[tuple[str, str]] = []
    request = found.request
    if request is not None:
        facts += [
            ("style", _short(request.style)),
            ("lyrics", _short(request.lyrics) or "none"),
            ("asked for", f"cot {request.cot}, seed {request.seed}, guidance {request.guidance:g}"),
        ]
    for stage, state in found.stages.items():
        facts.append((_STAGES[stage], ", ".join([_STATES[state], *_sizes(found, stage)])))
    if found.seconds is not None:
        facts.append(("length", clock(found.seconds)))
    if found.made_with is not None:
        facts += _made_with(found.made_with)
    if found.journal:
        facts.append(("journal", "there: 'yue2-desktop render --resume' goes on from it"))
    return tuple(facts)


def _sizes(found: TakeDescription, stage: TakeStage) -> list[str]:
    words: list[str] = []
    if stage is TakeStage.PLAN and found.abc_tokens is not None:
        words.append(f"{found.abc_tokens:,} tokens")
        if found.abc_truncated:
            words.append("cut at its ceiling of tokens")
    if stage is TakeStage.SEMANTIC and found.frames is not None:
        words.append(f"{found.frames:,} tokens")
        if found.semantic_truncated:
            words.append("cut at its ceiling of frames")
    return words


def _made_with(made_with: Mapping[str, object]) -> list[tuple[str, str]]:
    version, device, dtype = (made_with.get(name) for name in ("app_version", "device", "dtype"))
    facts = [("made by", f"YuE2 Desktop {version} on {device} in {dtype}")]
    facts += [(file.part, f"{file.name}  {file.sha256 or 'sha256 not known'}") for file in model_files(made_with)]
    facts.append(("licence", f"weights: {made_with.get('weights_licence')}"))
    return facts


def _short(text: str) -> str:
    line = " / ".join(part.strip() for part in text.splitlines() if part.strip())
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 3]}..."
