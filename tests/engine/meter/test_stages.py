"""What lies on the card in each stage at full size, part by part (user-reports.md, rows 2, 5, 6, 15 and 18)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from metering.fake_card import CARD
from metering.hollow_source import Part
from metering.songs import Song
from metering.stand import stand
from metering.table import MODES, STREAMED, song

from yue2_desktop.engine.ar import Decoding
from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.cuda.graph_decode import Play, StaticDecode
from yue2_desktop.engine.cuda.paths import CardPaths
from yue2_desktop.engine.cuda.static_step import masked_products
from yue2_desktop.engine.cuda.verdicts import VerdictStore
from yue2_desktop.engine.progress import Stage
from yue2_desktop.engine.weights.stream import BUFFERS

MIB = 1 << 20
GIB = 1 << 30
#: 28 layers of 50,336,000 elements in BF16 (memory-and-speed.md, section 1).
BRANCH = 28 * 50_336_000 * 2
PARKED = ("offload-ar", STREAMED)


class Recorded(CardPaths):
    """The paths of a card that records its steps; here the step is run instead."""

    def decoding(self) -> Decoding:
        def product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return torch.bmm(a, b).float()

        def capture(step: Play) -> Play:
            step()
            return step

        return lambda weights, sequences, _cancel: StaticDecode(weights, sequences, masked_products(product), capture)


def _head(rows: int) -> int:
    return rows * RELEASED_MODEL.hidden_size * 2


def _both(together: set[frozenset[Part]]) -> bool:
    return any({Part.AR, Part.NAR} <= parts for parts in together)


@pytest.mark.parametrize("mode", PARKED)
def test_rows_2_and_6_the_halves_are_never_there_together(mode: str) -> None:
    """A whole render of two songs: each stage has the parts of the design and no others."""
    with stand(MODES[mode].policy) as place:
        for _ in range(2):
            place.render(song(30, 500))
        together, most = place.whereabouts.together, place.whereabouts.most
    assert not _both(together)
    assert not any({Part.HEAD, Part.NAR} <= parts for parts in together), "the ODE needs no output rows"
    assert most[Part.EMBEDDING] == 0, "rows of the embedding table are gathered on the CPU"
    assert place.weights.embedding_rows == 1
    assert most[Part.HEAD] == pytest.approx(_head(151_644), rel=1e-3), "the rows of one phase at a time"
    assert most[Part.AR] == pytest.approx(BRANCH, rel=1e-3)
    layers = 28 if mode == "offload-ar" else BUFFERS
    assert most[Part.NAR] == pytest.approx(BRANCH * layers / 28, rel=1e-3)


def test_a_song_of_two_chunks_drops_nar_before_it_streams_ar_again() -> None:
    with stand(MODES["offload-ar"].policy) as place:
        place.run(Stage.ACOUSTIC, Song(11_000, 11_000, 1_400))
        assert not _both(place.whereabouts.together)
        assert place.whereabouts.most[Part.AR] == pytest.approx(BRANCH * BUFFERS / 28, rel=1e-3)


def test_kept_halves_are_there_together_and_only_then() -> None:
    with stand(MODES["bf16"].policy) as place:
        place.render(song(30, 500))
        assert _both(place.whereabouts.together)
        assert place.card.device.live > 2 * BRANCH
        place.pipeline.release()
        assert place.card.device.live == 0


@pytest.mark.parametrize("mode", PARKED)
def test_row_15_an_idle_card_is_empty(mode: str) -> None:
    """After opening and after a song: nothing. Between score and song the AR half stays, which both need."""
    with stand(MODES[mode].policy) as place:
        assert place.card.device.live == 0
        place.run(Stage.SCORE, song(30, 500))
        assert place.card.device.live == pytest.approx(BRANCH + _head(151_644), rel=1e-3)
        for stage in (Stage.SEMANTIC, Stage.ACOUSTIC, Stage.DECODE):
            place.run(stage, song(30, 500))
            assert place.card.device.live == 0, stage
        place.run(Stage.SCORE, song(30, 500))
        place.pipeline.release()
        assert place.card.device.live == 0


@pytest.mark.parametrize("mode", ["gguf, AR Q8_0", "gguf, AR Q4_0"])
def test_quantised_halves_go_as_well(mode: str) -> None:
    with stand(MODES[mode].policy, tokens=MODES[mode].tokens, sound="q8_0") as place:
        for stage in (Stage.SEMANTIC, Stage.ACOUSTIC):
            place.run(stage, Song(60, 60, 200))
            assert place.card.device.live == 0, stage


def test_row_5_the_cache_is_as_long_as_the_song() -> None:
    """A song of 130 s: prompt and ceiling, where another program reserved the whole context."""
    one = Song(400, 2_200, 130 * 25)

    row = RELEASED_MODEL.layers * RELEASED_MODEL.kv_width * 2
    with stand(MODES["offload-ar"].policy) as place:
        place.run(Stage.SEMANTIC, one)
    assert row * (one.prefix + one.frames) in place.card.sizes_ever
    assert 2 * row * (one.prefix + one.frames) < 0.65 * GIB
    assert max(place.card.sizes_ever) < 0.25 * row * RELEASED_MODEL.context


@pytest.mark.parametrize("mode", ["bf16", *PARKED])
def test_row_18_five_renders_leave_the_card_as_it_was(mode: str) -> None:
    """And main memory: the peaks of all five are the same to the byte."""
    small = replace(RELEASED_MODEL, layers=4)
    with stand(MODES[mode].policy, model=small) as place:
        place.render(Song(60, 60, 200))
        base, host = place.card.device.live, place.card.host.live
        peaks = set()
        for _ in range(4):
            peaks.add(tuple(place.render(Song(60, 60, 200)).values()))
            assert place.card.device.live == base
            assert place.card.host.live == host
    assert len(peaks) == 1


def test_main_memory_holds_no_second_copy_of_the_model() -> None:
    """A whole render: one tensor at a time on its way to the card, the noise, a song's samples."""
    with stand(MODES["offload-ar"].policy) as place:
        peaks = place.render(song(120, 500))
    assert all(peak.host < 200 * MIB for peak in peaks.values()), peaks


def test_a_recorded_decode_takes_no_more_than_the_eager_one(tmp_path: Path) -> None:
    """What CUDA records on a card; its own memory, outside this count, is what one step makes."""

    peaks = []
    for paths in (None, Recorded(CARD, torch.bfloat16, VerdictStore(tmp_path / "verdicts.json", "fake"))):
        with stand(MODES["offload-ar"].policy, paths=paths) as place:
            peaks.append(place.run(Stage.SEMANTIC, song(30, 500, guidance=1.01)).card)
    assert peaks[1] == pytest.approx(peaks[0], rel=1e-3)
