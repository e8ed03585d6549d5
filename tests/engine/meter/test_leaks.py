"""Live bytes return to nothing after a cancel and after an error, in every stage, while the error is still held."""

from __future__ import annotations

from dataclasses import replace

import pytest
from metering.fake_card import FakeCard
from metering.songs import Song
from metering.stand import stand
from metering.table import MODES, STREAMED

from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.pipeline import Watch
from yue2_desktop.engine.progress import CancelToken, Progress, Stage
from yue2_desktop.song.errors import Problem, ProblemKind

SONG = Song(60, 60, 200)
PLAIN = ("bf16", "offload-ar", STREAMED)
STAGES = list(Stage)


#: Fewer layers leak as 28 do, sooner.
SMALL = replace(RELEASED_MODEL, layers=4)


@pytest.mark.parametrize("mode", PLAIN)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("share", [0.3, 0.97, 1.0])
def test_a_full_card(mode: str, stage: Stage, share: float) -> None:
    """The card is full while the weights come, and at the last and fullest moment of all."""
    with stand(MODES[mode].policy, model=SMALL, in_full=True) as place:
        assert isinstance(place.card, FakeCard)
        peak = place.run(stage, SONG).card
        place.pipeline.release()
        place.card.capacity = int(peak * share) - 512
        with pytest.raises(Problem) as caught:
            place.run(stage, SONG)
        assert caught.value.kind is ProblemKind.OUT_OF_MEMORY
        place.card.capacity = None
        if mode == "bf16":
            kept = place.card.device.live
            place.pipeline.release()
            assert kept < peak
        assert place.card.device.live == 0, "while the error is still held"
        assert place.run(stage, SONG).card == peak, "and the stage can be tried again"
        del caught


def _cancel_at(stage: Stage, unit: str, done: int) -> Watch:
    token = CancelToken()

    def on_progress(progress: Progress) -> None:
        if progress.stage is stage and progress.unit == unit and progress.done >= done:
            token.cancel()

    return Watch(on_progress=on_progress, cancel=token)


MOMENTS = [
    (Stage.SCORE, "layers loaded", 2),
    (Stage.SCORE, "tokens", 0),
    (Stage.SEMANTIC, "layers loaded", 3),
    (Stage.SEMANTIC, "tokens", 0),
    (Stage.ACOUSTIC, "layers loaded", 2),
    (Stage.ACOUSTIC, "steps", 0),
    (Stage.DECODE, "tiles", 1),
]


@pytest.mark.parametrize(
    ("mode", "stage", "unit", "done"),
    # A half that is streamed is not loaded first.
    [(mode, *at) for mode in PLAIN for at in MOMENTS if (mode, *at[:2]) != (STREAMED, Stage.ACOUSTIC, "layers loaded")],
)
def test_a_cancel(mode: str, stage: Stage, unit: str, done: int) -> None:
    with stand(MODES[mode].policy, model=SMALL, in_full=True) as place:
        with pytest.raises(Problem) as caught:
            place.run(stage, SONG, core=64, watch=_cancel_at(stage, unit, done))
        assert caught.value.kind is ProblemKind.CANCELLED
        if mode == "bf16":
            place.pipeline.release()
        assert place.card.device.live == 0, "while the error is still held"
        del caught


@pytest.mark.parametrize("stage", STAGES)
def test_a_fault_of_the_caller(stage: Stage) -> None:
    """What is raised in a callback goes through untouched, and takes no memory along."""

    def broken(progress: Progress) -> None:
        if progress.unit != "layers loaded" or progress.done == 2:
            raise ZeroDivisionError

    with stand(MODES["offload-ar"].policy, model=SMALL, in_full=True) as place:
        with pytest.raises(ZeroDivisionError) as caught:
            place.run(stage, SONG, watch=Watch(on_progress=broken))
        assert place.card.device.live == 0
        del caught
