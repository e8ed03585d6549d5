"""What was freed goes back to the system."""

from __future__ import annotations

import gc
import sys

import psutil
import pytest
import torch

from yue2_desktop.engine.heap import give_back_freed_memory


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems' allocators do it by themselves")
def test_blocks_below_others_are_given_back() -> None:
    """256 blocks of 1 MiB, every other one freed: the C library keeps those to itself until it is told."""
    give_back_freed_memory()
    process = psutil.Process()
    blocks = [torch.ones(1 << 18) for _ in range(256)]
    full = process.memory_info().rss
    kept = blocks[1::2]
    del blocks
    gc.collect()
    give_back_freed_memory()
    assert process.memory_info().rss <= full - 100 * (1 << 20)
    assert len(kept) == 128
