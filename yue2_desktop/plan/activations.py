"""Activations of one layer over many rows, moment by moment, as the engine's code holds them.

These are the only figures of the memory arithmetic that follow the engine's code rather than the model's
dimensions (engine/model/layer.py, attention.py, nar.py; engine/vae/decoder.py). Where the meter in tests/
differs, a term here is what changes. A layer's tensors are taken to end with the layer.
"""

from __future__ import annotations

from typing import Final

from yue2_desktop.plan.shape import ModelShape, VaeShape

#: Rows that the MLP takes at a time.
MLP_ROWS: Final = 1024
_FLOAT: Final = 4


def rotation_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive while a layer's queries are turned: the fullest point before attention.

    `rows` tokens, `width` bytes an element. The fused matrix lives on through its view of the values; a
    rotation makes its result and the two products of one half of it.
    """
    return {
        "residual stream": rows * shape.hidden * width,
        "fused q|k|v": rows * (shape.query_width + 2 * shape.kv_width) * width,
        "normalised q and k": rows * (shape.query_width + shape.kv_width) * width,
        "turned queries": rows * shape.query_width * width,
        "products of the rotation": rows * shape.query_width * width,
    }


def output_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive while the attention's result is projected: queries, keys and values have not ended yet."""
    return {
        "residual stream": rows * shape.hidden * width,
        "fused q|k|v": rows * (shape.query_width + 2 * shape.kv_width) * width,
        "turned q and k": rows * (shape.query_width + shape.kv_width) * width,
        "attention result": rows * shape.query_width * width,
        "projection": rows * shape.hidden * width,
    }


def folded_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive in attention without a mask: queries folded, its result, and the result unfolded."""
    return {
        "residual stream": rows * shape.hidden * width,
        "fused q|k|v": rows * (shape.query_width + 2 * shape.kv_width) * width,
        "turned q and k": rows * (shape.query_width + shape.kv_width) * width,
        "folded queries": rows * shape.query_width * width,
        "attention result, folded and not": 2 * rows * shape.query_width * width,
    }


def mlp_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive in the MLP, which takes 1,024 rows at a time and adds in place."""
    chunk = min(rows, MLP_ROWS)
    return {
        "residual stream": rows * shape.hidden * width,
        "fused gate|up": chunk * 2 * shape.intermediate * width,
        "gated": chunk * shape.intermediate * width,
        "MLP output": chunk * shape.hidden * width,
    }


def rope_bytes(shape: ModelShape, positions: int, width: int) -> int:
    """Tables of cosines and sines."""
    return positions * shape.head_dim * width


def sampling_bytes(shape: ModelShape) -> int:
    """Logits of the phase, their float32 copies, and the full-width row of the draw."""
    return 5 * _FLOAT * shape.vocab


def tile_bytes(vae: VaeShape, tile: int) -> int:
    """Bytes alive at the fullest moment of decoding a tile of `tile` frames, float32.

    In a block of c channels in and d out: its input twice and its result, or (in a residual unit) its input,
    which the caller holds, and three tensors of its result's size.
    """
    samples, fullest = tile, 0
    for wide, narrow, stride in vae.blocks:
        entry, result = wide * samples, narrow * samples * stride
        fullest = max(fullest, 2 * entry + result, entry + 3 * result)
        samples *= stride
    return fullest * _FLOAT


def widest_bytes(vae: VaeShape, tile: int) -> int:
    """Bytes of the widest tensor of a tile of `tile` frames, float32."""
    samples, widest = tile, vae.widths[0] * tile
    for _, narrow, stride in vae.blocks:
        samples *= stride
        widest = max(widest, narrow * samples)
    return widest * _FLOAT
