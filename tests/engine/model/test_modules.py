"""The small parts against the reference's outputs on the same inputs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.nar import position_table, shifted_time, time_embedding
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import rope_table, rotate
from yue2_desktop.engine.weights.layout import POSITION_TABLE, Branch
from yue2_desktop.engine.weights.load import WeightReader

Golden = Callable[[str], dict[str, torch.Tensor]]
Reader = Callable[[str], WeightReader]
CPU = torch.device("cpu")


def _same(name: str, found: torch.Tensor, wanted: torch.Tensor) -> None:
    """fp32 within 1e-5 (order of sums); bf16 within one unit of the last place of the largest value."""
    assert found.shape == wanted.shape
    tolerance = 1e-5 if name == "fp32" else 2**-7 * float(wanted.abs().max())
    assert float((found.float() - wanted.float()).abs().max()) <= tolerance


def _layer(reader: Reader, name: str) -> LayerWeights:
    return reader(name).layer(Branch.AR, 0)


def test_rms_norm_rounds_in_the_references_order(reader: Reader, golden: Golden) -> None:
    vectors = golden("modules")
    x = vectors["x_bf16"]
    weight = _layer(reader, "bf16").input_norm
    assert torch.equal(rms_norm(x, weight, 1e-6), vectors["rmsnorm_bf16"])
    assert not torch.equal(F.rms_norm(x, (128,), weight, 1e-6), vectors["rmsnorm_bf16"])
    _same("fp32", rms_norm(x.float(), weight.float(), 1e-6), vectors["rmsnorm_fp32"])


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_projections_and_mlp(name: str, reader: Reader, golden: Golden) -> None:
    vectors = golden("modules")
    layer = _layer(reader, name)
    x = vectors["x_bf16"].to(reader(name).dtype)
    q, k, v = layer.qkv(x).tensor_split((128, 192), dim=-1)
    eps = 1e-6
    table = rope_table(0, 6, 32, 1e6, x.dtype, CPU)
    _same(name, rotate(rms_norm(q.view(6, 4, 32), layer.q_norm, eps), table), vectors[f"{name}.q"])
    _same(name, rotate(rms_norm(k.view(6, 2, 32), layer.k_norm, eps), table), vectors[f"{name}.k"])
    _same(name, v.view(6, 2, 32), vectors[f"{name}.v"])
    gate, up = layer.gate_up(x).chunk(2, dim=-1)
    _same(name, layer.down(F.silu(gate) * up), vectors[f"{name}.mlp"])


def test_rope_tables_near_and_far(golden: Golden) -> None:
    vectors = golden("modules")
    table = rope_table(0, 24_576, 32, 1e6, torch.float32, CPU)
    near, far = vectors["rope_cos"], vectors["rope_cos_far"]
    assert torch.allclose(table.cos[:6], near, atol=1e-6)
    for cos, sin, tolerance in (
        (near, vectors["rope_sin"], 1e-6),
        (far, vectors["rope_sin_far"], 2e-3),  # fp32 angles of large positions
    ):
        for row in range(len(cos)):
            distance = (table.cos - cos[row]).abs().amax(-1) + (table.sin - sin[row]).abs().amax(-1)
            assert float(distance.min()) <= 2 * tolerance


def test_a_rotation_turns_pairs_and_keeps_lengths() -> None:
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(5, 4, 32, generator=generator)
    turned = rotate(x, rope_table(7, 5, 32, 1e6, torch.float32, CPU))
    pairs, turned_pairs = x.view(5, 4, 2, 16), turned.view(5, 4, 2, 16)
    assert torch.allclose(pairs.norm(dim=2), turned_pairs.norm(dim=2), atol=1e-5)
    angle = torch.tensor(7.0)  # the first pair turns by its position, one radian a place
    assert torch.allclose(turned[0, 0, 0], x[0, 0, 0] * angle.cos() - x[0, 0, 16] * angle.sin(), atol=1e-5)


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_time_of_raw_values(name: str, reader: Reader, golden_json: Callable[[str], dict[str, list[float]]]) -> None:
    nar = golden_json("nar")
    dtype = reader(name).dtype
    found = [float(shifted_time(raw, 1.0, dtype)) for raw in nar["raw_t"]]
    assert found == nar[f"shifted_{name}"]


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_time_embedding(name: str, reader: Reader, golden: Golden) -> None:
    wanted = golden("modules")[f"{name}.time_embed"]
    weights = reader(name).flow(4)
    times = torch.tensor([0.0, 0.25, 0.5, 0.75, 1.0])
    best = time_embedding(times, weights, weights.final_norm.dtype)
    distances = (best[:, None, :].float() - wanted[None].float()).abs().amax(-1)
    assert best.shape == wanted.shape
    assert float(distances.min(dim=0).values.max()) < 0.05, distances


def test_position_table_is_a_formula_and_the_stored_one(reader: Reader, golden: Golden) -> None:
    rows = golden("modules")["pe_rows_0_1_2_1023"]
    table = position_table(1024, 128)
    assert torch.equal(table[[0, 1, 2, 1023]].bfloat16(), rows)
    # The sine of another CPU may differ in its last fp32 digit, which turns a bf16 rounding now and then.
    stored = reader("bf16").source.read(POSITION_TABLE)
    difference = (table.bfloat16().float() - stored.float()).abs()
    assert float(difference.max()) <= 2**-8
    assert int((difference > 0).sum()) < 100


def test_positions_beyond_the_table_take_its_last_row(reader: Reader) -> None:
    flow = reader("bf16").flow(1026)
    assert flow.positions.shape == (1026, 128)
    assert torch.equal(flow.positions[1024], flow.positions[1023])
    assert torch.equal(flow.positions[1025], flow.positions[1023])
