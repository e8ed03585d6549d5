"""The meter itself: against torch's allocator, against torch's own fake mode, and what it refuses."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
import torch
import torch.nn.functional as F
from metering import card_int4
from metering.fake_card import CARD, FakeCard
from metering.songs import Song
from metering.stand import Build, Stand, opened, stand
from metering.storages import StorageMeter
from metering.table import MODES, STREAMED, song

from yue2_desktop.engine.config import RELEASED_MODEL, RELEASED_VAE
from yue2_desktop.engine.progress import Stage
from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, PackedBlocks
from yue2_desktop.engine.quant.int4 import pack_int4

MIB = 1 << 20
SONG = Song(60, 60, 200)
SMALL = Build(
    model=replace(RELEASED_MODEL, hidden_size=256, layers=3, heads=4, kv_heads=2, head_dim=64, intermediate_size=512),
    vae=replace(RELEASED_VAE, channels=4, c_mults=(1, 2, 4), strides=(12, 16, 10)),
)
IN_EARNEST = replace(SMALL, dtype=torch.float32, value=1e-3)


class AllocatorPeaks:
    """Peaks of torch's own CPU allocator, from what its profiler writes down."""

    def __init__(self) -> None:
        self.peak = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
            yield
        live = 0
        for event in profile.profiler.kineto_results.events():
            if event.name() == "[memory]":
                live += event.nbytes()
                self.peak = max(self.peak, live)


def _fused(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, **_options: Any) -> torch.Tensor:
    _log_sum_exp = torch.zeros(q.shape[:-1], dtype=torch.float32)
    return torch.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)


def test_it_agrees_with_the_allocator() -> None:
    """A small model in earnest on the CPU, counted to the byte: within 0.01 MiB of what the allocator hands out.

    The acoustic stage has all that token stages have but the choice. Not the decode, whose convolutions take a
    workspace that is no tensor; the planner counts it apart.
    """
    cpu, policy, stage = torch.device("cpu"), MODES[STREAMED].policy, Stage.ACOUSTIC
    meter = StorageMeter("cpu", grain=1)
    with meter:
        metered = opened(meter, cpu, policy, IN_EARNEST).run(stage, SONG, core=32).card
    assert meter.device.live == 0
    idle = opened(StorageMeter("cpu"), cpu, policy, IN_EARNEST)
    allocator = AllocatorPeaks()
    with patch.object(F, "scaled_dot_product_attention", _fused), allocator.watching():
        idle.run(stage, SONG, core=32)
    assert metered > MIB
    assert abs(metered - allocator.peak) <= 0.01 * MIB


@pytest.fixture(scope="module")
def fake_gpu() -> torch.device:
    """Torch's private device, under a name of its own; it stays for the process."""
    from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _setup_privateuseone_for_python_backend("fakegpu")
    return torch.device("fakegpu:0")


def _sealed(place: Stand, stage: Stage) -> int:
    """A stage in torch's fake mode, which has no values to look at: the checks behind acoustic and decode see none."""
    with patch("yue2_desktop.engine.pipeline._finite_latents", lambda _: SimpleNamespace(numpy=lambda: None)):
        if stage is not Stage.DECODE:
            return place.run(stage, SONG).card
        from torch._subclasses.fake_tensor import DataDependentOutputException

        with pytest.raises(DataDependentOutputException):
            place.run(stage, SONG)
        return place.card.device.peak


def test_it_agrees_with_torchs_fake_mode(fake_gpu: torch.device) -> None:
    """The same stages under FakeTensorMode on a private device: the same peaks, to the byte."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    policy = MODES[STREAMED].policy
    with stand(policy, model=SMALL.model, vae=SMALL.vae, in_full=True) as place:
        ours = {stage: place.run(stage, SONG).card for stage in (Stage.SEMANTIC, Stage.ACOUSTIC, Stage.DECODE)}
    with FakeTensorMode(allow_non_fake_inputs=True), StorageMeter("fakegpu") as meter:
        place = opened(meter, fake_gpu, policy, SMALL)
        theirs = {stage: _sealed(place, stage) for stage in (Stage.SEMANTIC, Stage.ACOUSTIC, Stage.DECODE)}
        gc.collect()
        assert meter.device.live == 0
    assert ours == theirs


@pytest.mark.parametrize("stage", [Stage.SEMANTIC, Stage.ACOUSTIC, Stage.DECODE])
def test_what_repeats_takes_what_it_took(stage: Stage) -> None:
    """A full-size stage run in full, and one whose repeated steps are told: the same peaks."""
    peaks = []
    for in_full in (True, False):
        with stand(MODES[STREAMED].policy, in_full=in_full) as place:
            peaks.append(place.run(stage, song(120, 500)))
            assert place.card.device.live == 0
    assert peaks[0] == peaks[1]


def test_a_mask_or_the_grouped_option_is_an_error() -> None:
    with FakeCard() as card, torch.inference_mode():
        q, k = torch.empty(1, 4, 6, 8, device=CARD), torch.empty(1, 2, 6, 8, device=CARD)
        mask = torch.empty(6, 6, device=CARD)
        with pytest.raises(AssertionError, match="a mask"):
            F.scaled_dot_product_attention(q, q, q, attn_mask=mask)
        with pytest.raises(AssertionError, match="grouped option"):
            F.scaled_dot_product_attention(q, k, k, enable_gqa=True)
        assert card.attention_calls == 0
        assert F.scaled_dot_product_attention(q, q, q, is_causal=True).shape == q.shape
        assert card.attention_calls == 1


def test_every_stage_attends_by_the_fused_kernel() -> None:
    """All attention of a render goes through it: per layer two causal heads a prefill, and one call for open rows."""
    with stand(MODES["offload-ar"].policy, model=SMALL.model, vae=SMALL.vae) as place:
        layers = SMALL.model.layers
        for stage, calls in ((Stage.SCORE, 3), (Stage.SEMANTIC, 3), (Stage.ACOUSTIC, 4), (Stage.DECODE, 0)):
            before = place.card.attention_calls
            place.run(stage, SONG)
            assert place.card.attention_calls - before == layers * calls, stage


def test_tensors_of_card_and_host_do_not_mix() -> None:
    with FakeCard(), torch.inference_mode():
        here, there = torch.ones(4, 4), torch.empty(4, 4, device=CARD)
        with pytest.raises(AssertionError, match="of the card and of the host"):
            there + here
        with pytest.raises(AssertionError, match="of the card and of the host"):
            there @ here
        assert (there + here.to(CARD)).device == CARD
        assert there.cpu().device.type == "cpu"


def test_a_full_card_says_so() -> None:
    with FakeCard(1 << 20) as card, torch.inference_mode():
        held = torch.empty(1 << 19, dtype=torch.uint8, device=CARD)
        with pytest.raises(torch.OutOfMemoryError, match="Tried to allocate"):
            torch.empty((1 << 19) + 1, dtype=torch.uint8, device=CARD)
        assert card.device.live == held.nbytes
        assert torch.empty(1 << 19, dtype=torch.uint8, device=CARD).nbytes == 1 << 19


def test_sizes_are_counted_once_and_in_the_allocators_steps() -> None:
    with FakeCard() as card, torch.inference_mode():
        x = torch.empty(100, device=CARD)
        assert card.device.live == 512
        views = x.view(10, 10).T[2:], x.reshape(5, 20), x.float()
        assert card.device.live == 512
        copy = x.view(10, 10).T.reshape(-1)
        assert card.device.live == 1024
        x.add_(1)
        del x
        assert card.device.live == 1024, "a view keeps its memory"
        del views
        assert card.device.live == 512
        del copy
        assert card.device.live == 0
        assert card.device.peak == 1024


@pytest.mark.parametrize("name", ["Q8_0", "Q4_0", "Q5_K", "Q6_K"])
@pytest.mark.parametrize("rows", [64, 70, 8_300])
def test_packed_weights_have_the_bytes_of_true_ones(name: str, rows: int) -> None:
    """Beside the CPU's packing, which holds the same codes and scales as the card's."""
    kind = BLOCK_TYPES[name]
    blocks = PackedBlocks(kind, torch.zeros(rows, kind.row_bytes(256), dtype=torch.uint8), 256)
    true, hollow = pack_int4(blocks, torch.device("cpu")), card_int4.pack_int4(blocks, CARD)
    assert (hollow.nbytes, hollow.planes, hollow.padded) == (true.nbytes, true.planes, true.padded)
    assert hollow.out_features == rows
