"""Activations of one layer over many rows, moment by moment, as the engine's code holds them.

These are the only figures of the memory arithmetic that follow the engine's code rather than the model's
dimensions (engine/model/layer.py, attention.py, nar.py; engine/quant/int4.py, dequant.py; engine/vae/decoder.py).
The meter in tests/engine/meter runs that code; where it differs, a term here is what changes.
"""

from __future__ import annotations

from typing import Final

from yue2_desktop.plan.shape import ModelShape, VaeShape

#: Rows that go through the linear maps of a layer at a time.
ROWS: Final = 1024
#: Rows of a quantised matrix that are dense at a time, and elements of it that are unpacked at a time.
_DENSE_ROWS: Final = 1024
_UNPACKED_AT_ONCE: Final = 1 << 21
_FLOAT: Final = 4


def projection_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive while the queries of a layer are made, a block of rows at a time; keys and values go to the cache.

    `rows` tokens, `width` bytes an element. The norm holds a block in float32 and its square; a block that is
    float32 already is not copied.
    """
    block = min(rows, ROWS)
    copies = 2 if width < _FLOAT else 1
    return {
        "residual stream": rows * shape.hidden * width,
        "queries": rows * shape.query_width * width,
        "fused q|k|v": block * (shape.query_width + 2 * shape.kv_width) * width,
        "norm of the queries": copies * block * shape.query_width * _FLOAT,
    }


def causal_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive in causal attention: the result of one query head a KV head goes where its queries lay."""
    return {
        "residual stream": rows * shape.hidden * width,
        "queries": rows * shape.query_width * width,
        "attention result": rows * shape.kv_width * width,
        "log-sum-exp": rows * shape.kv_heads * _FLOAT,
    }


def open_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive in attention without a mask: queries, and the result of all heads."""
    return {
        "residual stream": rows * shape.hidden * width,
        "queries": rows * shape.query_width * width,
        "attention result": rows * shape.query_width * width,
        "log-sum-exp": rows * shape.heads * _FLOAT,
    }


def mlp_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive in the MLP, which takes a block of rows at a time and adds in place."""
    block = min(rows, ROWS)
    return {
        "residual stream": rows * shape.hidden * width,
        "fused gate|up": block * 2 * shape.intermediate * width,
        "gated": block * shape.intermediate * width,
        "MLP output": block * shape.hidden * width,
    }


def packed_mlp_terms(shape: ModelShape, rows: int, width: int, planes: int) -> dict[str, int]:
    """Bytes alive while int4 planes make gate and up of a block: their products, and the sum of two."""
    block = min(rows, ROWS)
    return {
        "residual stream": rows * shape.hidden * width,
        "normalised rows": block * shape.hidden * width,
        "products of the planes": planes * block * 2 * shape.intermediate * 2,
        "fused gate|up": (planes - 1) * block * 2 * shape.intermediate * 2,
    }


def unpacked_mlp_terms(shape: ModelShape, rows: int, width: int) -> dict[str, int]:
    """Bytes alive while a block of rows goes back to the stream's width, some rows of the weights being dense.

    Elements are unpacked to float32 from codes of a byte, which are put together of two parts.
    """
    dense = _DENSE_ROWS * shape.intermediate * width
    return {
        **mlp_terms(shape, rows, width),
        "dense rows": dense,
        "unpacked elements": _UNPACKED_AT_ONCE * (_FLOAT + 2),
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
