"""The allocator's cap and what is left of a card, with figures in place of a card."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.engine.cuda.memory import (
    RESERVE,
    DeviceMemory,
    allocator_limit,
    cap_allocator,
    device_free_bytes,
)
from yue2_desktop.plan.peaks import CONTEXT_BYTES

GIB = 1 << 30
CARD = torch.device("cuda", 0)


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A card of 6 GiB with 4.9 free, of which our allocator has 0.4 more and uses 0.3."""
    state: dict[str, Any] = {"free": 49 * GIB // 10, "total": 6 * GIB, "reserved": 4 * GIB // 10, "used": 3 * GIB // 10}
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (state["free"], state["total"]))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda device: state["reserved"])
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda device: state["used"])

    def cap(fraction: float, device: torch.device) -> None:
        state["fraction"], state["device"] = fraction, device

    monkeypatch.setattr(torch.cuda, "set_per_process_memory_fraction", cap)
    return state


def test_row_11_the_allocator_is_capped_below_what_is_free(card: dict[str, Any]) -> None:
    limit = cap_allocator(CARD)
    assert limit == card["free"] + card["reserved"] - RESERVE
    assert card["fraction"] * card["total"] == pytest.approx(limit)
    assert card["device"] == CARD


def test_another_program_that_takes_memory_lowers_the_cap_of_the_next_stage(card: dict[str, Any]) -> None:
    before = cap_allocator(CARD)
    card["free"] -= GIB
    after = cap_allocator(CARD)
    assert before is not None
    assert after == before - GIB


def test_a_budget_counts_the_context(card: dict[str, Any]) -> None:
    assert cap_allocator(CARD, budget=3 * GIB) == 3 * GIB - CONTEXT_BYTES


def test_the_processor_has_no_cap() -> None:
    assert cap_allocator(torch.device("cpu")) is None


def test_what_tensors_can_still_take(card: dict[str, Any]) -> None:
    assert device_free_bytes(CARD) == card["free"] + card["reserved"] - card["used"]
    assert device_free_bytes(torch.device("cpu")) > 0


_SIZE = st.integers(0, 200 * GIB)


@given(_SIZE, _SIZE, _SIZE, _SIZE, st.none() | _SIZE)
def test_a_limit_is_never_negative_nor_above_the_card(
    total: int, free: int, reserved: int, allocated: int, budget: int | None
) -> None:
    memory = DeviceMemory(total, free, reserved, allocated)
    assert 0 <= allocator_limit(memory, budget) <= total
    assert memory.available >= 0
