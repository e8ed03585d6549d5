"""Plans become readers: each precision renders, and the acoustic stage keeps the model's own numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
import torch

from yue2_desktop.engine.arrangement import Arrangement, arrange
from yue2_desktop.engine.inventory import inventory_of
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.quant.blocks import Q4_0, Q8_0
from yue2_desktop.engine.quant.packing import quantise
from yue2_desktop.engine.residency import NarResidency, ResidencyPolicy
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.layout import EMBEDDING, LM_HEAD
from yue2_desktop.engine.weights.packed_reader import PackedReader
from yue2_desktop.engine.weights.quantising_source import QuantisingSource
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CpuFacts, GpuFacts, MachineFacts
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.plans import Plan
from yue2_desktop.plan.shape import shape_from_config
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged
from yue2_desktop.song.stages import SemanticTokens
from yue2_desktop.song.textfile import read_json

GIB = 1 << 30
WATCH = Watch()


@pytest.fixture(scope="module")
def planned(model_files: ModelFiles, vae_files: VaeFiles) -> Callable[..., Plan]:
    """The plan for the test model on a CPU, or on a card of some GiB, with choices forced."""
    shape = shape_from_config(
        read_json(model_files.folder / "config.json", "config"), read_json(vae_files.folder / "config.json", "config")
    )  # fmt: skip
    cpu = CpuFacts(name="cpu", cores=2, avx2=True, avx512_bf16=True, amx=False, vnni=True)

    def plan(card_gib: float | None = None, **choices: Any) -> Plan:
        card = GpuFacts(
            name="RTX",
            uuid="GPU-1",
            total_bytes=int(24 * GIB),
            free_bytes=int((card_gib or 0) * GIB),
            capability=(8, 6),
        )
        machine = MachineFacts(
            gpus=(card,) if card_gib else (), platform="linux", cpu=cpu,
            ram_total=16 * GIB, ram_free=9 * GIB, disk_free=200 * GIB,
        )  # fmt: skip
        demand = SongDemand(text_tokens=60, abc_tokens=20, frames_ceiling=200)
        check = Check(demand, Options(**choices), shape=shape, inventory=inventory_of(model_files))
        planning = check_fit(machine, check)
        assert planning.plan is not None, planning.reason
        return planning.plan

    return plan


def _song(pipeline: Pipeline) -> tuple[SemanticTokens, np.ndarray]:
    request = SongRequest.validated(style="piano", lyrics="hello\n", seed=3, abc="X:1\nK:C\n")
    plan = pipeline.plan(request, ABC_SAMPLING, WATCH)
    tokens = pipeline.semantic(plan, merged(SEMANTIC_SAMPLING, {"min_tokens": 6, "max_tokens": 8}), WATCH)
    fixed = SemanticTokens(tokens.plan, tuple(range(20)), truncated=False)
    return tokens, pipeline.acoustic(fixed, 2, WATCH)


def _pipeline(model: ModelFiles, arrangement: Arrangement) -> Pipeline:
    return Pipeline(model, None, arrangement.device, arrangement.policy, arrangement.readers)


@pytest.mark.parametrize(
    ("choices", "kernel"),
    [
        ({}, "w8a8"),
        ({"ar_precision": "bf16"}, "packed-fp16"),
        ({"ar_precision": "q8_0"}, "int4"),
        ({"ar_precision": "q4_0"}, "int4"),
        ({"float32": True}, "dense"),
    ],
    ids=str,
)
def test_every_precision_renders_on_the_cpu(
    choices: dict[str, Any], kernel: str, planned: Callable[..., Plan], model_files: ModelFiles
) -> None:
    plan = planned(**choices)
    arrangement = arrange(plan, model_files, None)
    assert arrangement.kernels["tokens"] == kernel
    assert arrangement.attention is not None
    assert arrangement.attention().name == "fused"  # the tiny model's heads are too narrow to be timed
    tokens, latents = _song(_pipeline(model_files, arrangement))
    assert len(tokens.codec) >= 6
    assert arrangement.device.dtype is (torch.float32 if "float32" in choices else torch.bfloat16)
    # Whatever the tokens went through, the sound of given tokens is the checkpoint's own, bit for bit.
    plain = Pipeline(model_files, None, arrangement.device, ResidencyPolicy())
    assert latents.tobytes() == _song(plain)[1].tobytes()
    assert arrangement.policy.nar is NarResidency.RESIDENT
    streamed_plan = replace(plan, candidate=replace(plan.candidate, residency="streamed"))
    streamed = arrange(streamed_plan, model_files, None)
    assert streamed.policy.nar is NarResidency.STREAMED
    assert _song(_pipeline(model_files, streamed))[1].tobytes() == latents.tobytes()


def test_a_plan_for_a_card_names_the_card_and_what_stays(
    planned: Callable[..., Plan], model_files: ModelFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device is a value: a plan for a card is arranged on a stand-in without touching CUDA."""
    plan = planned(card_gib=20)
    meta = torch.device("meta")
    arrangement = arrange(plan, model_files, meta)
    assert arrangement.attention is None
    assert arrangement.device.device == meta
    assert arrangement.policy.keep_all == (plan.mode == "bf16")
    assert arrangement.readers.tokens is arrangement.readers.prefill is arrangement.readers.flow
    with pytest.raises(ValueError, match="none is given"):
        arrange(plan, model_files, None)


def test_what_is_dense_in_a_quantised_file_stays_dense(planned: Callable[..., Plan], model_files: ModelFiles) -> None:
    """Each tensor of a file goes through what keeps its own type best, not through the product of the main type."""
    file = replace(model_files, source=QuantisingSource(model_files.source, Q8_0))
    arrangement = arrange(planned(ar_precision="q8_0"), file, None)
    assert arrangement.kernels["tokens"] == "by type"
    assert isinstance(arrangement.readers.tokens, PackedReader)
    assert arrangement.readers.tokens.kernel is None
    assert arrangement.readers.tokens.head_kernel is None


@pytest.mark.parametrize("kind", [Q8_0, Q4_0], ids=lambda kind: kind.name)
def test_blocks_made_while_reading_are_those_of_the_whole_matrix(kind: Any, model_files: ModelFiles) -> None:
    source = QuantisingSource(model_files.source, kind)
    name = "model.layers.0.mlp.gate_proj.weight"
    whole = quantise(model_files.source.read(name), kind)
    out = torch.empty(100, kind.row_bytes(128), dtype=torch.uint8)
    source.read_block_rows_into(name, 30, out)
    assert torch.equal(out, whole.data[30:130])
    head = torch.empty(3000, kind.row_bytes(128), dtype=torch.uint8)
    source.read_block_rows_into(LM_HEAD, 151_852, head)
    assert torch.equal(head, quantise(model_files.source.read_rows(LM_HEAD, 151_852, 154_852), kind).data)
    assert source.block_type(EMBEDDING).dense
    assert source.block_type("model.norm.weight").dense
    assert source.where == model_files.source.where


def test_a_checkpoint_offers_itself_and_what_can_be_made_of_it(model_files: ModelFiles) -> None:
    found = inventory_of(model_files)
    assert found.checkpoint
    assert {half.format.name for half in found.quantised_ar()} == {"q8_0", "q4_0"}
    assert asdict(found)["ggufs"] == ()
