"""The acoustic stage against the reference: chunks, noise, prefill, velocity, solves."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch

from yue2_desktop.engine.config import RELEASED_MODEL, ModelConfig
from yue2_desktop.engine.flow.acoustic import (
    AcousticRequest,
    AcousticWeights,
    SolverState,
    chunk_tokens,
    prefill,
    synthesise,
)
from yue2_desktop.engine.flow.chunks import chunk_ranges, chunk_size
from yue2_desktop.engine.flow.noise import song_noise
from yue2_desktop.engine.flow.solver import OdeMethod, OdePoint, integrate, raw_time
from yue2_desktop.engine.model.attention import open_attention
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.nar import Velocity
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken, ProgressReporter, Stage, silent
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.song.errors import Problem, ProblemKind

Golden = Callable[[str], dict[str, torch.Tensor]]
Reader = Callable[[str], WeightReader]
GoldenJson = Callable[[str], Any]

#: goldens/README.md: fp32 seen 4e-6; a bf16 solve of 32 steps drifts more than a single evaluation.
TOLERANCE = {"fp32": 1e-4, "bf16": 0.15}
TOLERANCE_32_STEPS = {"fp32": 1e-4, "bf16": 0.25}


def _weights(reader: WeightReader, context: int | None = None) -> AcousticWeights:
    config = reader.config if context is None else replace(reader.config, context=context)
    layers = range(config.layers)
    return AcousticWeights(
        config=config,
        ar_layers=lambda: nullcontext([reader.layer(Branch.AR, index) for index in layers]),
        nar_layers=lambda: nullcontext([reader.layer(Branch.NAR, index) for index in layers]),
        flow=reader.flow,
        embed=reader.embedded,
        dtype=reader.dtype,
        device=reader.device,
    )


def _reporter() -> ProgressReporter:
    return ProgressReporter(Stage.ACOUSTIC, 1, "steps", silent)


def _solve(weights: AcousticWeights, nar: dict[str, Any], steps: int, **more: Any) -> torch.Tensor:
    request = AcousticRequest(tuple(nar["prefix"]), tuple(nar["codec"]), nar["seed"], steps)
    return synthesise(weights, request, _reporter(), CancelToken(), **more)


def _distance(found: torch.Tensor, wanted: torch.Tensor) -> float:
    assert found.shape == wanted.shape
    return float((found.float() - wanted.float()).abs().max())


def test_chunks_are_the_references(golden_json: GoldenJson) -> None:
    goldens = golden_json("chunks")
    for case in goldens["ranges"]:
        frames, prefix, context = case["frames"], case["prefix_tokens"], case["context"]
        assert chunk_size(prefix, context, 24_576) == case["size"]
        assert [list(r) for r in chunk_ranges(frames, prefix, context, 24_576)] == case["ranges"]
    for case in goldens["errors"]:
        with pytest.raises(Problem):
            chunk_ranges(case["frames"], case["prefix_tokens"], case["context"], 24_576)
    example = goldens["example"]
    ranges = chunk_ranges(len(example["codec"]), len(example["prefix"]), example["context"], 24_576)
    assert [b - a for a, b in ranges] == example["lengths"]
    tokens = [list(chunk_tokens(example["prefix"], example["codec"][a:b])) for a, b in ranges]
    assert tokens == example["ar_tokens"]


def test_noise_is_the_references(golden_json: GoldenJson) -> None:
    before = torch.get_rng_state()
    for case in golden_json("chunks")["noise"]:
        noise = song_noise(case["frames"], 64, case["seed"])
        assert hashlib.sha256(noise.numpy().tobytes()).hexdigest() == case["sha256_le_f32"]
    assert torch.equal(torch.get_rng_state(), before), "the global generator was touched"


def _context(weights: AcousticWeights, nar: dict[str, Any], visible: int | None = None) -> tuple[KVCache, Velocity]:
    tokens = chunk_tokens(nar["prefix"], nar["codec"])
    with weights.ar_layers() as layers:
        cache = prefill(tokens, weights, layers, CancelToken())
    if visible is not None:
        cache.length = visible
    frames, config = len(nar["codec"]), weights.config
    table = rope_table(len(tokens), frames + 2, config.head_dim, config.rope_theta, weights.dtype, weights.device)
    flow = weights.flow(frames + 2)
    with weights.nar_layers() as layers:
        return cache, Velocity(config, flow, layers, cache, table, frames)


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_prefill_and_velocity(name: str, reader: Reader, golden: Golden, golden_json: GoldenJson) -> None:
    vectors, nar = golden("nar"), golden_json("nar")
    weights = _weights(reader(name))
    cache, velocity = _context(weights, nar)
    keys, values = cache.layer(2)
    assert _distance(keys.transpose(0, 1), vectors[f"{name}.prefill_k_layer2"]) <= TOLERANCE[name]
    assert _distance(values.transpose(0, 1), vectors[f"{name}.prefill_v_layer2"]) <= TOLERANCE[name]
    x = song_noise(len(nar["codec"]), 64, nar["seed"]).to(weights.dtype)
    for t, raw, wanted in zip(nar["t"], nar["raw_t"], vectors[f"{name}.velocity"], strict=True):
        assert raw_time(t) == pytest.approx(raw, abs=1e-12)
        assert _distance(velocity(x, raw, CancelToken()), wanted) <= TOLERANCE[name]


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_velocity_that_sees_the_words_only(name: str, reader: Reader, golden: Golden, golden_json: GoldenJson) -> None:
    nar = golden_json("nar")
    weights = _weights(reader(name))
    _, velocity = _context(weights, nar, visible=27)
    x = song_noise(len(nar["codec"]), 64, nar["seed"]).to(weights.dtype)
    wanted = golden("nar")[f"{name}.velocity_cond27_t0.5"]
    assert _distance(velocity(x, 0.0, CancelToken()), wanted) <= TOLERANCE[name]


@pytest.mark.parametrize("name", ["fp32", "bf16"])
@pytest.mark.parametrize("steps", [1, 4, 8, 32])
def test_solves(name: str, steps: int, reader: Reader, golden: Golden, golden_json: GoldenJson) -> None:
    tolerance = TOLERANCE_32_STEPS if steps == 32 else TOLERANCE
    found = _solve(_weights(reader(name)), golden_json("nar"), steps)
    assert _distance(found, golden("nar")[f"{name}.solve{steps}"]) <= tolerance[name]


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_a_song_longer_than_one_chunk(name: str, reader: Reader, golden: Golden, golden_json: GoldenJson) -> None:
    nar = golden_json("nar")
    assert len(chunk_ranges(len(nar["codec"]), len(nar["prefix"]), 64, 1024)) == 3
    found = _solve(_weights(reader(name), context=64), nar, 4)
    assert _distance(found, golden("nar")[f"{name}.solve4_context64"]) <= TOLERANCE[name]


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_a_long_chunk(name: str, reader: Reader, golden: Golden, golden_json: GoldenJson) -> None:
    nar = golden_json("nar")
    codec = [(k * 104_729 + 5) % 32_768 for k in range(600)]
    found = _solve(_weights(reader(name)), {"prefix": nar["prefix"], "codec": codec, "seed": 7}, 2)
    assert _distance(found[::25], golden("nar")[f"{name}.long600_solve2_rows"]) <= TOLERANCE[name]
    assert float(found.abs().mean()) == pytest.approx(nar[f"{name}_long600_mean_abs"], rel=1e-3)


def test_query_tiles_change_memory_only(reader: Reader, golden_json: GoldenJson) -> None:
    nar = golden_json("nar")
    weights = _weights(reader("fp32"))
    whole, tiled = _solve(weights, nar, 2), _solve(weights, nar, 2, attend=partial(open_attention, query_tile=16))
    assert _distance(whole, tiled) <= 1e-5  # fp32; another blocking of the same sums


def test_every_state_leads_to_the_same_bits(reader: Reader, golden_json: GoldenJson) -> None:
    nar = golden_json("nar")
    weights = _weights(reader("bf16"), context=64)
    states: list[SolverState] = []
    whole = _solve(weights, nar, 4, on_state=states.append)
    assert len(states) == 3 * 4
    for state in (states[0], states[3], states[6], states[11]):
        assert torch.equal(_solve(weights, nar, 4, resumed=state), whole)


def test_an_evaluation_is_cancelled_between_layers(reader: Reader, golden_json: GoldenJson) -> None:
    cancel = CancelToken()
    _, velocity = _context(_weights(reader("fp32")), golden_json("nar"))
    cancel.cancel()
    with pytest.raises(Problem) as caught:
        velocity(torch.zeros(40, 64), 0.0, cancel)
    assert caught.value.kind is ProblemKind.CANCELLED


@pytest.mark.parametrize("method", list(OdeMethod))
@pytest.mark.parametrize("steps", [1, 7, 16, 64])
def test_both_methods_are_of_second_order(method: OdeMethod, steps: int) -> None:
    """x' = x over one unit of falling time ends at x / e; the error falls with dt squared."""
    calls: list[float] = []

    def velocity(x: torch.Tensor, raw: float) -> torch.Tensor:
        calls.append(raw)
        return x

    start = OdePoint(0, torch.ones(1, 1, dtype=torch.float64))
    end = integrate(velocity, start, steps, lambda point: None, method)
    exact = torch.exp(torch.tensor(-1.0, dtype=torch.float64))
    assert abs(float(end - exact)) <= 0.4 / steps**2
    assert len(calls) == method.evaluations(steps)


def test_the_two_step_method_goes_on_from_any_state(reader: Reader, golden_json: GoldenJson) -> None:
    nar = golden_json("nar")
    weights = _weights(reader("bf16"), context=64)
    request = AcousticRequest(tuple(nar["prefix"]), tuple(nar["codec"]), 99, 5, OdeMethod.AB2)
    states: list[SolverState] = []
    whole = synthesise(weights, request, _reporter(), CancelToken(), on_state=states.append)
    assert len(states) == 3 * 5
    for state in (states[0], states[6], states[14]):
        assert torch.equal(synthesise(weights, request, _reporter(), CancelToken(), resumed=state), whole)
    # Close to midpoint at the same steps, and not the same.
    midpoint = _solve(weights, nar, 5)
    assert 0 < _distance(whole, midpoint) < 1.0


def test_released_context_leaves_the_published_chunk(golden_json: GoldenJson) -> None:
    config: ModelConfig = RELEASED_MODEL
    assert chunk_size(4151, config.context, config.max_latent_frames) == 10_211
