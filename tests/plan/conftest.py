"""Machines and songs that the planner's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CpuFacts, MachineFacts
from yue2_desktop.plan.sizes import GIB

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


@pytest.fixture
def laptop() -> MachineFacts:
    """A laptop without a card: 16 GiB of memory, 9 of them free, AVX512-BF16."""
    return MachineFacts(
        gpus=(),
        platform="linux",
        cpu=CpuFacts(name="laptop", cores=8, avx2=True, avx512_bf16=True, amx=False, vnni=True),
        ram_total=16 * GIB,
        ram_free=9 * GIB,
        disk_free=200 * GIB,
    )


@pytest.fixture
def song_216() -> SongDemand:
    """The song of memory-and-speed.md, section 3: prefix 4,151, 5,371 frames."""
    return SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=5_371)


@pytest.fixture
def model_configs() -> Path:
    """The folder of the tiny checkpoint's configurations."""
    return RESOURCES / "test-model"
