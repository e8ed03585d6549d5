"""Why the same seed will not give the same take again: a sentence each (user-reports.md, rows 82 and 119)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from yue2_desktop.library.making import Making, Surroundings
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.limits import FRAMES_PER_SECOND

_PARTS: Final = {"mot": "model", "vae": "audio decoder"}
_STAGES: Final = {
    TakeStage.PLAN: "score",
    TakeStage.SEMANTIC: "singing",
    TakeStage.LATENTS: "sound",
    TakeStage.AUDIO: "audio",
}
#: Modes that differ only in where the weights wait (design: modes).
_SAME_BITS: Final = frozenset({"bf16", "offload-ar"})


def reasons_to_differ(then: Making, now: Making) -> tuple[str, ...]:
    """Why a take that was made as `then` says will come out otherwise when it is made as `now` says.

    Clauses to follow "because", most weighty first; nothing where the same take is to be expected. What one of the two
    does not say is no reason. Settings that the user changed on purpose (words, seed, steps) are none either: for these
    see `compare`. A take that was resumed, or whose stages have several seeds, gives a reason whatever `now` says.
    """
    before, after = then.surroundings, now.surroundings
    return (*_program(before, after), *_numbers(before, after), *_ceilings(then, now), *_history(then))


def banner(reasons: tuple[str, ...]) -> str:
    """The reasons as one sentence; empty without any."""
    return f"This will differ from the take, because {'; '.join(reasons)}." if reasons else ""


def _program(then: Surroundings, now: Surroundings) -> Iterator[str]:
    if _changed(then.backend, now.backend):
        yield f"it was made by another engine ({then.backend}, now {now.backend})"
    for part, name in _PARTS.items():
        if _changed(then.weights.get(part, ""), now.weights.get(part, "")):
            yield f"it was made with other weights of the {name}"


def _numbers(then: Surroundings, now: Surroundings) -> Iterator[str]:
    yield from _precision(then, now)
    if _changed(then.device, now.device):
        yield f"chance is drawn otherwise on {_device(now.device)} than on {_device(then.device)}"
    elif _changed(then.machine, now.machine):
        yield f"it was computed on {then.machine}, and {now.machine} rounds otherwise"
    elif _changed(then.threads, now.threads) and now.device == "cpu":
        yield f"it was computed by {then.threads} threads, now by {now.threads}"
    for name, words in _kernels(then.kernels, now.kernels):
        yield f"{name} was {words}"
    if _changed(then.driver, now.driver):
        yield f"the graphics driver was {then.driver}, now {now.driver}"
    if _changed(then.app_version, now.app_version):
        yield f"it was made by version {then.app_version} of this program, which is now {now.app_version}"


def _precision(then: Surroundings, now: Surroundings) -> Iterator[str]:
    before, after = then.precision, now.precision
    if before.keys() & after.keys():
        if _changed(before.get("ar_weights", ""), after.get("ar_weights", "")):
            yield f"its tokens were drawn in {before['ar_weights']}, now in {after['ar_weights']}"
        if _changed(before.get("ar_device", ""), after.get("ar_device", "")) and then.device == now.device:
            yield f"its tokens were drawn on {_device(before['ar_device'])}, now on {_device(after['ar_device'])}"
        if _changed(before.get("nar_weights", ""), after.get("nar_weights", "")):
            yield f"its sound was shaped in {before['nar_weights']}, now in {after['nar_weights']}"
    elif _changed(then.mode, now.mode) and not {then.mode, now.mode} <= _SAME_BITS:
        yield f"it was computed in mode {then.mode}, now {now.mode}"
    elif _changed(then.dtype, now.dtype):
        yield f"it was computed in {then.dtype}, now in {now.dtype}"


def _kernels(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in sorted(then.keys() & now.keys()):
        if _changed(then[name], now[name]):
            yield name, f"{then[name]}, now {now[name]}"


def _ceilings(then: Making, now: Making) -> Iterator[str]:
    before, after = then.settings.semantic.max_tokens, now.settings.semantic.max_tokens
    if before != after:
        yield f"the longest length was {_length(before)}, now {_length(after)}"
    before, after = then.settings.abc.max_tokens, now.settings.abc.max_tokens
    if before != after and then.settings.request.cot != "off":
        yield f"the longest score was {before:,} tokens, now {after:,}"


def _history(then: Making) -> Iterator[str]:
    drawn = [_STAGES[stage] for stage in then.resumed if stage in {TakeStage.PLAN, TakeStage.SEMANTIC}]
    if drawn:
        yield f"its {' and '.join(drawn)} went on after an interruption, which rounds otherwise than one run"
    if then.seeds:
        seeds = ", ".join(f"{name} {seed}" for name, seed in then.seeds.items())
        yield f"its stages were kept of takes with other seeds ({seeds})"


def _changed(before: str, after: str) -> bool:
    return bool(before and after and before != after)


def _device(name: str) -> str:
    return {"cpu": "the processor", "cuda": "a card"}.get(name, name)


def _length(frames: int) -> str:
    minutes, seconds = divmod(frames // FRAMES_PER_SECOND, 60)
    return f"{minutes}:{seconds:02}"
