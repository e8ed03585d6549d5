"""What the window asks the engine for, as the JSON values of a `Make`: a whole take, a score, the rest of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from yue2_desktop.engine.messages import CountTokens, ReadFacts
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.filenames import native_path
from yue2_desktop.song.render_order import RenderOrder
from yue2_desktop.song.request import COTS, SongRequest
from yue2_desktop.song.wording import path_text

ORDER_VERSION: Final = 1

#: A score only, or a whole take.
Part = Literal["score", "take"]
#: How much of an earlier take is kept.
Reuse = Literal["plan", "semantic", "latents"]


@dataclass(frozen=True)
class Places:
    """Where a take is made from, and with what: folders or GGUF files, device and number format by name.

    `threads` None leaves one core to the window.
    """

    model: Path
    vae: Path
    device: str = "auto"
    dtype: str = "auto"
    threads: int | None = None


def facts_order(places: Places | None) -> ReadFacts:
    """Asks what the machine has, and what a model offers."""
    return ReadFacts() if places is None else ReadFacts(path_text(places.model), path_text(places.vae))


def count_order(ask: int, document: SongDocument, places: Places) -> CountTokens:
    """Asks for the tokens of what a song's model would be given: its words, and its score where it has one."""
    score = "" if document.score is None or document.cot == "off" else document.score.text
    return CountTokens(
        ask, path_text(places.model), document.cot, document.sung_style, document.sung_lyrics, score
    )  # fmt: skip


def new_order(
    order: RenderOrder,
    request: SongRequest,
    folder: Path,
    places: Places,
    *,
    part: Part = "take",
    run_anyway: bool = False,
    allow_bad_score: bool = False,
) -> dict[str, object]:
    """A new song or its score in `folder`, which is new or empty; `request` is one of `order.requests`."""
    return {
        **_common(folder, places, part, run_anyway=run_anyway, allow_bad_score=allow_bad_score),
        **_song(order, request),
    }


def take_order(
    order: RenderOrder, request: SongRequest, folder: Path, places: Places, *, part: Part, run_anyway: bool
) -> dict[str, object]:
    """A take as the song asks for it: sung from the plan that it keeps, where there is one, or all anew."""
    if order.plan is not None and part == "take":
        kept = native_path(order.plan.take)
        return continued_order(order, request, folder, places, kept, run_anyway=run_anyway)
    return new_order(order, request, folder, places, part=part, run_anyway=run_anyway)


def continued_order(
    order: RenderOrder,
    request: SongRequest,
    folder: Path,
    places: Places,
    from_take: Path,
    *,
    reuse: Reuse = "plan",
    run_anyway: bool = False,
    allow_bad_score: bool = False,
) -> dict[str, object]:
    """A new take in `folder` that keeps the first stages of the one in `from_take`.

    With `plan` its exact score is sung with the seed, guidance and ceiling of `request` and `order`; with `semantic` or
    `latents` the song, its noise and its seed are those of `from_take`, and only the render settings are new (draft
    to final).
    """
    return {
        **new_order(order, request, folder, places, run_anyway=run_anyway, allow_bad_score=allow_bad_score),
        "from_take": path_text(from_take),
        "reuse": reuse,
    }


def finishing_order(
    order: RenderOrder, folder: Path, places: Places, from_take: Path, *, ode_steps: int, run_anyway: bool = False
) -> dict[str, object]:
    """The same tokens and noise as the draft in `from_take`, with more steps."""
    made = continued_order(order, order.requests[0], folder, places, from_take, reuse="semantic", run_anyway=run_anyway)
    render = {**order.render.to_json(), "ode_steps": ode_steps}
    return {**made, "render": render, "allow_bad_score": True}


def reseeded(order: Mapping[str, object], seed: int) -> dict[str, object]:
    """The same order with another seed; one that keeps the tokens of a take keeps its seed, too."""
    request = order.get("request")
    if not isinstance(request, Mapping) or order.get("reuse") in {"semantic", "latents"}:
        return dict(order)
    return {**order, "request": {**request, "seed": seed}}


def asked_by(order: Mapping[str, object]) -> str | None:
    """The fingerprint of the words that an order asks for (`SongDocument.asked`); None where it does not say them."""
    request = order.get("request")
    if not isinstance(request, Mapping):
        return None
    style, lyrics, cot = (request.get(name) for name in ("style", "lyrics", "cot"))
    known = next((one for one in COTS if one == cot), None)
    if known is None or not isinstance(style, str) or not isinstance(lyrics, str):
        return None
    return SongDocument(style=style, lyrics=lyrics, cot=known).asked


def steps_of(order: Mapping[str, object]) -> int | None:
    """In how many steps the sound is refined; None for a score, which has none, and where the order does not say."""
    render = order.get("render")
    steps = render.get("ode_steps") if isinstance(render, Mapping) and order.get("part") != "score" else None
    return steps if type(steps) is int else None


def resumed_order(folder: Path, places: Places, *, part: Part = "take", run_anyway: bool = False) -> dict[str, object]:
    """The rest of the interrupted take in `folder`, as it was begun."""
    return {**_common(folder, places, part, run_anyway=run_anyway, allow_bad_score=False), "resume": True}


def is_rest(order: Mapping[str, object]) -> bool:
    """Whether an order is for the rest of a take, which can be made once only."""
    return order.get("resume") is True


def _common(folder: Path, places: Places, part: Part, *, run_anyway: bool, allow_bad_score: bool) -> dict[str, object]:
    return {
        "version": ORDER_VERSION,
        "part": part,
        "folder": path_text(folder),
        "model": path_text(places.model),
        "vae": path_text(places.vae),
        "device": places.device,
        "dtype": places.dtype,
        "threads": places.threads,
        "run_anyway": run_anyway,
        "allow_bad_score": allow_bad_score,
    }


def _song(order: RenderOrder, request: SongRequest) -> dict[str, object]:
    return {
        "request": request.to_json(),
        "abc_sampling": order.abc.to_json(),
        "semantic_sampling": order.semantic.to_json(),
        "render": order.render.to_json(),
    }
