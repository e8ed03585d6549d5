"""Each stage of a long song on random weights through the true pipeline: peak of memory, and tokens a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gpu_model
import numpy as np
from gpu_gauge import Gauge

from yue2_desktop.engine.config import ModelConfig, VaeConfig
from yue2_desktop.engine.cuda.paths import CardPaths
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.blocks import BF16, BLOCK_TYPES
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.residency import NarResidency, ResidencyPolicy
from yue2_desktop.engine.text.prompt import score_prefix, semantic_prefix
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.packed_reader import PackedReader
from yue2_desktop.engine.weights.reader import Readers
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.memory_ar import score_peak, semantic_peak
from yue2_desktop.plan.memory_nar import Residency, acoustic_peak
from yue2_desktop.plan.memory_vae import decode_peak
from yue2_desktop.plan.peaks import Peak
from yue2_desktop.plan.shape import ModelShape
from yue2_desktop.plan.weights import half
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged
from yue2_desktop.song.stages import ScorePlan, SemanticTokens

#: Tokens before the clock starts: the first ones record the step.
_WARM_UP = 4
_SCORE_CEILING = 4096

#: Ways to decode by name, each with what it takes of a device.
Ways = Mapping[str, CardPaths]
#: Tokens a second by way; empty where a stage makes no tokens.
Rates = Mapping[str, float]


@dataclass(frozen=True)
class Length:
    """How long the song is, and how much of it is made.

    `prefix` tokens before its `frames`; `sampled` tokens are drawn of the token stages, `audio_frames` are decoded in
    tiles of `core`.
    """

    prefix: int
    frames: int
    sampled: int
    audio_frames: int
    core: int


@dataclass(frozen=True)
class Bench:
    """On what it is measured, and by which ways tokens are decoded."""

    device: Device
    config: ModelConfig
    vae: VaeConfig
    tokenizer: Tokenizer
    length: Length
    gauge: Gauge
    ways: Ways

    def first(self) -> CardPaths:
        """Any of the ways: for stages without tokens."""
        return next(iter(self.ways.values()))

    @property
    def shape(self) -> ModelShape:
        return gpu_model.shape_of(self.config, self.vae)


@dataclass(frozen=True)
class Stage:
    """One run to be measured: its name, what the planner says of it, and how it is run."""

    name: str
    predicted: Peak
    run: Callable[[], Rates]


@dataclass(frozen=True)
class Measured:
    """What a run took: bytes at the peak and afterwards (None: not counted), seconds, tokens a second by way."""

    peak: int | None
    left: int | None
    seconds: float
    rates: Rates


def measure(stage: Stage, gauge: Gauge) -> Measured:
    """Runs a stage once."""
    gauge.reset()
    before = gauge.live()
    start = time.perf_counter()
    rates = stage.run()
    seconds = time.perf_counter() - start
    peak, live = gauge.peak(), gauge.live()
    if before is None or peak is None or live is None:
        return Measured(None, None, seconds, rates)
    return Measured(peak - before, live - before, seconds, rates)


def score(bench: Bench) -> Stage:
    """Writing a score in BF16."""
    request = _request()
    ceiling = min(_SCORE_CEILING, bench.config.context // 4)
    sampling = merged(ABC_SAMPLING, {"min_tokens": ceiling, "max_tokens": ceiling})
    demand = SongDemand(text_tokens=len(score_prefix(bench.tokenizer, request)) - 2, abc_ceiling=ceiling)

    def run() -> Rates:
        return _rates(bench, "bf16", lambda pipeline, watch: pipeline.plan(request, sampling, watch))

    return Stage("score, BF16", score_peak(bench.shape, half("bf16"), demand), run)


def semantic(bench: Bench, weights: str) -> Stage:
    """Writing the song's tokens with AR weights in a format."""
    plan, demand = _plan(bench)
    frames = bench.length.frames
    sampling = merged(SEMANTIC_SAMPLING, {"min_tokens": frames, "max_tokens": frames})

    def run() -> Rates:
        return _rates(bench, weights, lambda pipeline, watch: pipeline.semantic(plan, sampling, watch))

    return Stage(f"semantic, {weights.upper()}", semantic_peak(bench.shape, half(weights), demand), run)


def acoustic(bench: Bench, residency: NarResidency) -> Stage:
    """One step of the ODE over the whole song (two evaluations), behind its prefill."""
    plan, demand = _plan(bench)
    codec = tuple(value * 7919 % 32_768 for value in range(bench.length.frames))
    kept: Residency = "resident" if residency is NarResidency.RESIDENT else "streamed"

    def run() -> Rates:
        pipeline = _pipeline(bench, "bf16", bench.first, ResidencyPolicy(nar=residency))
        pipeline.acoustic(SemanticTokens(plan, codec, truncated=False), 1, Watch())
        pipeline.release()
        return {}

    predicted = acoustic_peak(bench.shape, half("bf16"), half("bf16"), demand, kept)
    return Stage(f"acoustic, BF16, NAR {kept}, one step", predicted, run)


def decode(bench: Bench) -> Stage:
    """Some tiles of audio."""
    length, vae = bench.length, gpu_model.random_vae(bench.vae)
    latents = np.random.default_rng(1).standard_normal((length.audio_frames, 64)).astype(np.float32)

    def run() -> Rates:
        pipeline = _pipeline(bench, "bf16", bench.first, vae=vae)
        pipeline.decode(latents, length.core, Watch())
        pipeline.release()
        return {}

    predicted = decode_peak(bench.shape, length.core, frames=length.audio_frames)
    return Stage(f"decode, tiles of {length.core} frames", predicted, run)


def _request() -> SongRequest:
    return SongRequest.validated(style="slow waltz, strings, one voice", lyrics="[verse]\nOne line of words\n", seed=7)


def _plan(bench: Bench) -> tuple[ScorePlan, SongDemand]:
    """A plan whose prefix has the wanted length: score ids fill what the words leave."""
    request = _request()
    missing = bench.length.prefix - len(semantic_prefix(bench.tokenizer, request, ()))
    ids = tuple(100 + place % 1000 for place in range(missing))
    prefix = semantic_prefix(bench.tokenizer, request, ids)
    words = len(prefix) - len(ids) - 4
    demand = SongDemand(text_tokens=words, abc_tokens=len(ids), frames_ceiling=bench.length.frames)
    return ScorePlan(request, ids, None, prefix, truncated=False, supplied=False), demand


def _pipeline(
    bench: Bench,
    weights: str,
    paths: Callable[[], CardPaths],
    policy: ResidencyPolicy | None = None,
    vae: VaeFiles | None = None,
) -> Pipeline:
    device, dtype = bench.device.device, bench.device.dtype
    model = gpu_model.random_model(bench.config, bench.tokenizer, BLOCK_TYPES.get(weights.upper(), BF16))
    dense = WeightReader(model.source, bench.config, dtype, device)
    readers = Readers.same(dense)
    if weights != "bf16":
        # FP8 covers the layers of the checkpoint and leaves its head; other types are taken as they are stored.
        layers, head = (Kernel.FP8, Kernel.DENSE) if weights == "fp8" else (None, None)
        tokens = PackedReader(
            model.source, bench.config, dtype, device, dense.transfer, kernel=layers, head_kernel=head
        )
        readers = Readers(tokens, dense, dense)
    return Pipeline(model, vae, bench.device, policy, readers, lambda _device, _dtype: paths())


def _rates(bench: Bench, weights: str, stage: Callable[[Pipeline, Watch], object]) -> Rates:
    """Tokens a second of a stage by each way of decoding, stopped after some of them; weights are loaded once."""
    rates = {}
    way = next(iter(bench.ways))
    pipeline = _pipeline(bench, weights, lambda: bench.ways[way], ResidencyPolicy(keep_all=True))
    for way in bench.ways:
        times: list[float] = []
        cancel = CancelToken()

        def on_token(_token: int, _state: bytes, times: list[float] = times, cancel: CancelToken = cancel) -> None:
            times.append(time.perf_counter())
            if len(times) == bench.length.sampled:
                cancel.cancel()

        try:
            stage(pipeline, Watch(cancel=cancel, on_token=on_token))
        except Problem as problem:
            if problem.kind is not ProblemKind.CANCELLED:
                raise
        rates[way] = (len(times) - 1 - _WARM_UP) / (times[-1] - times[_WARM_UP])
    pipeline.release()
    return rates
