"""Facts refuse what no machine can have; unknown is None and stays so."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.facts import CpuFacts, GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.sizes import GIB


@pytest.mark.parametrize("sizes", [{"total_bytes": -1}, {"free_bytes": -1}])
def test_negative_sizes_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="never negative"):
        GpuFacts(**sizes)


def test_more_free_than_in_all_is_refused() -> None:
    with pytest.raises(ValueError, match="exceeds"):
        GpuFacts(total_bytes=GIB, free_bytes=2 * GIB)


def test_nothing_known_is_a_machine_too() -> None:
    machine = MachineFacts()
    assert machine.gpus is None
    assert machine.cpu == CpuFacts()
    assert not machine.cpu.fast_bf16


def test_a_pretended_card_replaces_cards_and_torch() -> None:
    machine = MachineFacts(gpus=(GpuFacts(name="own"),), torch=TorchFacts("2.13.0+cpu", None), ram_free=GIB)
    other = machine.with_card(GpuFacts(name="other", pretended=True))
    assert other.gpus == (GpuFacts(name="other", pretended=True),)
    assert (other.torch, other.pretended, other.ram_free) == (None, True, GIB)
