"""What a runtime that keeps everything on the card takes, as the reference does: for comparison only."""

from __future__ import annotations

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.memory_nar import longest_chunk
from yue2_desktop.plan.peaks import Peak, highest, moment
from yue2_desktop.plan.shape import ModelShape


def everything_resident_peak(shape: ModelShape, demand: SongDemand) -> Peak:
    """The acoustic stage with the whole BF16 transformer resident and keys and values of all layers concatenated.

    Source: memory-and-speed.md, section 2 and the first row of section 3.
    """
    chunk = longest_chunk(shape, demand)
    fixed = {"whole transformer": 2 * shape.all_weights}
    dynamic = {
        "KV cache": shape.kv_bytes(chunk.tokens),
        "concatenated keys and values": shape.kv_bytes(chunk.keys),
        "activations": 2 * chunk.rows * _activations_of_a_row(shape),
    }
    return highest("acoustic", moment("ODE, attention", fixed, dynamic))


def _activations_of_a_row(shape: ModelShape) -> int:
    """Elements alive in attention: stream, fused q|k|v, turned q and k, queries folded, result, and unfolded."""
    query, keys = shape.query_width, shape.kv_width
    return shape.hidden + (query + 2 * keys) + (query + keys) + 3 * query
