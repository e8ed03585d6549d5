"""Weights at hand: the checkpoint, GGUF files with mixed types, and what could be made."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.sizes import MIB
from yue2_desktop.plan.weights import CHECKPOINT, GgufFile, Inventory, TypedTensors, half, on_processor

#: Layout D at Q4_K_M: v and down in Q6_K, the rest in Q4_K (spec/gguf.md, section 4b).
MIXED = TypedTensors((("q4_k", 60), ("q6_k", 40)))


@pytest.mark.parametrize(("name", "mib"), [("bf16", 2_688.2), ("q8_0", 1_680.2), ("q4_0", 840.2), ("fp8", 1_344.2)])
def test_one_branch(name: str, mib: float) -> None:
    # Norms, 0.23 MiB a branch, stay BF16 beside quantised linears.
    assert half(name).branch_bytes(RELEASED) / MIB == pytest.approx(mib, abs=0.3)


def test_heads_of_the_phases() -> None:
    assert half("bf16").head_bytes(RELEASED, 32_769) / MIB == pytest.approx(128.0, abs=0.1)
    assert half("bf16").head_bytes(RELEASED, 151_644) / MIB == pytest.approx(592.4, abs=0.1)
    assert half("q8_0").head_bytes(RELEASED, 32_769) / MIB == pytest.approx(80.0, abs=0.1)
    # The reference's FP8 leaves lm_head alone (spec/yue2.md, section 9).
    assert half("fp8").head_bytes(RELEASED, 32_769) == half("bf16").head_bytes(RELEASED, 32_769)


def test_the_checkpoint_makes_q8_0_and_q4_0() -> None:
    made = Inventory().quantised_ar()
    assert [(part.format.name, part.to_make) for part in made] == [("q8_0", True), ("q4_0", True)]
    assert Inventory(can_convert=False).quantised_ar() == ()


def test_a_file_replaces_what_would_be_made() -> None:
    file = GgufFile("mine.gguf", TypedTensors((("q8_0", 10),)), None)
    first, second = Inventory(ggufs=(file,)).quantised_ar()
    assert (first.source, first.to_make) == ("mine.gguf", False)
    assert (second.format.name, second.to_make) == ("q4_0", True)


def test_mixed_types_count_by_their_elements() -> None:
    file = GgufFile("d.gguf", MIXED, MIXED, head="q6_k")
    part = file.halves("ar")
    assert part is not None
    assert (part.format.name, part.head.name) == ("q4_k", "q6_k")
    assert float(part.bits) == pytest.approx(0.6 * 5 + 0.4 * 10), "packed for decoding: one int4 matrix, or two"
    nar = file.halves("nar")
    assert nar is not None
    assert float(nar.bits) == pytest.approx(0.6 * 4.5 + 0.4 * 6.5625), "as in the file"


def test_without_a_checkpoint_files_are_all_there_is() -> None:
    file = GgufFile("d.gguf", MIXED, MIXED)
    inventory = Inventory(checkpoint=False, ggufs=(file,))
    assert inventory.exact("ar") is None
    assert [part.source for part in inventory.quantised_ar()] == ["d.gguf"]
    assert [part.source for part in inventory.quantised_nar()] == ["d.gguf"]
    assert Inventory(checkpoint=False).empty


def test_a_16_bit_file_is_as_good_as_the_checkpoint() -> None:
    file = GgufFile("c.gguf", TypedTensors((("f16", 10),)), None)
    exact = Inventory(checkpoint=False, ggufs=(file,)).exact("ar")
    assert exact is not None
    assert (exact.source, exact.format.name) == ("c.gguf", "bf16")
    whole = Inventory().exact("nar")
    assert whole is not None
    assert whole.source == CHECKPOINT


def test_the_processor_holds_fine_k_quants_as_float16() -> None:
    """Their scales stand for 16 weights, which its int4 kernel does not take (engine/quant/kernels.py)."""
    assert on_processor(half("q6_k")).branch_bytes(RELEASED) == half("bf16").branch_bytes(RELEASED)
    assert on_processor(half("q5_k")) == half("q5_k")
    assert on_processor(half("q4_0")) == half("q4_0")
