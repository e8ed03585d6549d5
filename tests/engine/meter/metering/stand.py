"""The pipeline of a render on a fake card: the true stages, over weights and songs that are shapes only."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from metering import card_int4
from metering.fake_card import CARD, FakeCard
from metering.hollow_source import HollowBlocks, HollowSource, Whereabouts
from metering.inline_transfer import InlineTransfer
from metering.repetition import told_once
from metering.songs import FixedChoice, Song
from metering.storages import StorageMeter

from yue2_desktop.engine.config import RELEASED_MODEL, RELEASED_VAE, ModelConfig, VaeConfig
from yue2_desktop.engine.cuda.paths import CardPaths
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.flow.solver import OdeMethod
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.progress import Stage
from yue2_desktop.engine.quant.blocks import BLOCK_TYPES
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.residency import ResidencyPolicy
from yue2_desktop.engine.weights.block_reader import BlockReader
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.layout import POSITION_TABLE, decoder_shapes, model_shapes
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.packed_reader import PackedReader
from yue2_desktop.engine.weights.reader import Readers

WATCH = Watch()


@dataclass(frozen=True)
class Peaks:
    """The most bytes that were live in a stage, on the card and in main memory."""

    card: int
    host: int


@dataclass(frozen=True)
class Stand:
    """One opened pipeline on one card."""

    card: StorageMeter
    pipeline: Pipeline
    weights: HollowSource
    whereabouts: Whereabouts

    def run(self, stage: Stage, song: Song, *, core: int = 128, watch: Watch = WATCH, **more: Any) -> Peaks:
        """One stage of a song, by the pipeline's own entry. One step of the ODE, unless `steps` says otherwise."""
        self.pipeline.model = replace(self.pipeline.model, tokenizer=song.words)  # type: ignore[arg-type]
        self.card.device.begin()
        self.card.host.begin()
        before = self.card.host.live
        with (
            patch("yue2_desktop.engine.pipeline.SampledChoice", FixedChoice),
            patch("yue2_desktop.engine.quant.kernels.pack_int4", card_int4.pack_int4),
        ):
            self._run(stage, song, core, watch, **more)
        return Peaks(self.card.device.peak, max(0, self.card.host.peak - before))

    def _run(self, stage: Stage, song: Song, core: int, watch: Watch, **more: Any) -> None:
        pipeline = self.pipeline
        if stage is Stage.SCORE:
            pipeline.plan(song.request, song.abc_sampling, watch)
        elif stage is Stage.SEMANTIC:
            pipeline.semantic(song.plan, song.sampling, watch)
        elif stage is Stage.ACOUSTIC:
            steps, method = more.get("steps", 1), more.get("method", OdeMethod.MIDPOINT)
            pipeline.acoustic(song.tokens, steps, watch, method=method)
        else:
            pipeline.decode(np.zeros((song.frames, 64), np.float32), core, watch)

    def render(self, song: Song, *, core: int = 128, watch: Watch = WATCH) -> dict[Stage, Peaks]:
        """All four stages in order."""
        return {stage: self.run(stage, song, core=core, watch=watch) for stage in Stage}


@dataclass(frozen=True)
class Build:
    """What the pipeline is made of: sizes, the dtype of activations, and the weights of the two kinds of stages.

    `tokens` and `sound` are bf16 or a type of blocks, `tokens` also fp8. `value` are all weights where they are
    computed with in earnest.
    """

    dtype: torch.dtype = torch.bfloat16
    tokens: str = "bf16"
    sound: str = "bf16"
    model: ModelConfig = RELEASED_MODEL
    vae: VaeConfig = RELEASED_VAE
    value: float | None = None


@contextmanager
def stand(
    policy: ResidencyPolicy,
    *,
    capacity: int | None = None,
    paths: CardPaths | None = None,
    in_full: bool = False,
    **build: Any,
) -> Iterator[Stand]:
    """A fake card with `capacity` bytes (None: as many as are asked for) and a pipeline of the released size on it.

    `paths` says how tokens are decoded; None for the eager step. Steps that repeat are told once, unless all is to run
    `in_full`. What else is given is a field of `Build`.
    """
    # The engine collects garbage when it drops a half; what other tests left behind need not be searched each time.
    gc.freeze()
    try:
        with FakeCard(capacity) as card, nullcontext() if in_full else told_once(card):
            yield opened(card, CARD, policy, Build(**build), paths)
    finally:
        gc.unfreeze()


def opened(
    meter: StorageMeter,
    device: torch.device,
    policy: ResidencyPolicy,
    build: Build,
    paths: CardPaths | None = None,
) -> Stand:
    """A pipeline on the device that the meter, which is at work, counts."""
    whereabouts = Whereabouts(meter)
    weights = HollowSource(_checkpoint(build.model), torch.bfloat16, whereabouts, build.value)
    decoder = HollowSource(decoder_shapes(build.vae), torch.float32, whereabouts, build.value)
    nowhere = Path("hollow")
    pipeline = Pipeline(
        ModelFiles(nowhere, build.model, weights, Song(1, 1, 1).words, ()),  # type: ignore[arg-type]
        VaeFiles(nowhere, build.vae, decoder, ()),
        Device(device, build.dtype),
        policy,
        _readers(weights, device, whereabouts, build),
        *((lambda _device, _dtype: paths,) if paths is not None else ()),
    )
    return Stand(meter, pipeline, weights, whereabouts)


def _checkpoint(model: ModelConfig) -> dict[str, tuple[int, ...]]:
    """All tensors of a checkpoint as it was released, which has the position table, too."""
    return {**model_shapes(model), POSITION_TABLE: (model.max_latent_frames, model.hidden_size)}


def _readers(weights: HollowSource, device: torch.device, whereabouts: Whereabouts, build: Build) -> Readers:
    model, transfer = build.model, InlineTransfer()

    def blocks(name: str) -> HollowBlocks:
        return HollowBlocks(_checkpoint(model), BLOCK_TYPES[name.upper()], whereabouts)

    rows = WeightReader(weights, model, build.dtype, device, transfer)
    if build.sound != "bf16":
        rows = BlockReader(blocks(build.sound), model, build.dtype, device, transfer)
    if build.tokens == "bf16":
        return Readers(rows, rows, rows)
    if build.tokens == "fp8":  # rounded from the checkpoint's own numbers as they are read; the head keeps those
        packed = PackedReader(
            weights, model, build.dtype, device, transfer, kernel=Kernel.FP8, head_kernel=Kernel.DENSE
        )
        return Readers(packed, rows, rows)
    packed = PackedReader(
        blocks(build.tokens), model, build.dtype, device, transfer, kernel=Kernel.INT4, head_kernel=Kernel.INT4
    )
    return Readers(packed, rows, rows)
