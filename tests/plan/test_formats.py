"""Formats: bytes in files and on devices, and their order by what they keep."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.formats import FORMATS, bytes_of, format_named
from yue2_desktop.plan.shape import RELEASED


@pytest.mark.parametrize(
    ("name", "per_weight"), [("bf16", 2), ("fp8", 1), ("q8_0", 1.25), ("q4_0", 0.625), ("int8", 1), ("f32", 4)]
)
def test_bytes_on_the_device(name: str, per_weight: float) -> None:
    assert bytes_of(1_000_000, FORMATS[name].device_bits) == per_weight * 1_000_000


@pytest.mark.parametrize(
    ("name", "published"),
    # Layout A, computed there from shapes: 3.804 and 2.937 GB (spec/gguf.md, section 2).
    [("q8_0", 3.804e9), ("q6_k", 2.937e9)],
)
def test_bytes_in_files_agree_with_published_sizes(name: str, published: float) -> None:
    matrices = 2 * RELEASED.layers * RELEASED.layer_linear_weights + 2 * RELEASED.vocab * RELEASED.hidden
    size = bytes_of(matrices + RELEASED.boundary_weights, FORMATS[name].file_bits)
    assert size == pytest.approx(published, rel=5e-3), "norms and biases, which stay F32, are left out"


def test_the_order_is_bf16_then_q8_0_then_q4_0() -> None:
    order = sorted(("q4_0", "q8_0", "bf16", "q5_0", "q6_k"), key=lambda name: FORMATS[name].rank)
    assert order == ["bf16", "q8_0", "q6_k", "q5_0", "q4_0"]
    known = [fmt for fmt in FORMATS.values() if fmt.error is not None]
    assert [fmt.error for fmt in sorted(known, key=lambda fmt: fmt.rank)] == sorted(fmt.error or 0 for fmt in known)


def test_names_of_files_are_read_in_either_case() -> None:
    assert format_named("Q8_0") is FORMATS["q8_0"]
    with pytest.raises(KeyError):
        format_named("iq2_xxs")


def test_bytes_are_rounded_up() -> None:
    assert bytes_of(3, FORMATS["q4_0"].device_bits) == 2
