"""The readers of a render that takes weights in the types that they are stored in (mode `gguf`)."""

from __future__ import annotations

import torch

from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.weights.block_reader import BlockReader
from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.packed_reader import PackedReader
from yue2_desktop.engine.weights.reader import Readers
from yue2_desktop.engine.weights.source import BlockSource


def stored_readers(
    model: ModelFiles, dtype: torch.dtype, device: torch.device, *, kernel: Kernel | None = None
) -> Readers:
    """Token phases by packed kernels (`kernel`, or what suits each type), the acoustic stage by unpacking as it goes.

    A source of dense tensors has one dense reader for all, unless a kernel is asked for. FP8 is for layers only: the
    head stays as it is (spec yue2, section 8).
    """
    source, config = model.source, model.config
    if isinstance(source, BlockSource):
        rows: WeightReader = BlockReader(source, config, dtype, device)
    else:
        rows = WeightReader(source, config, dtype, device)
        if kernel is None:
            return Readers.same(rows)
    head = None if kernel is Kernel.FP8 else kernel
    tokens = PackedReader(source, config, dtype, device, rows.transfer, kernel=kernel, head_kernel=head)
    return Readers(tokens, rows, rows)
