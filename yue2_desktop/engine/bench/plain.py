"""The plain path: the same model written the straightforward way, as a measure for the engine's own and for its tests.

Separate projections, keys and values expanded to all query heads, a cache that grows by concatenation, the whole
output matrix, weight norm computed at every call. Nothing here is used for a render.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F

from yue2_desktop.engine.config import ModelConfig, VaeConfig
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import DenseLinear
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable, rotate
from yue2_desktop.engine.weights.source import TensorSource

Cache = list[tuple[torch.Tensor, torch.Tensor]]


def plain_layer(
    x: torch.Tensor,
    layer: LayerWeights,
    config: ModelConfig,
    positions: RopeTable,
    before: tuple[torch.Tensor, torch.Tensor] | None,
    *,
    causal: bool,
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """x [n, hidden] through one layer; `before` are keys and values [heads, t, d] to see as well. Returns them all."""
    n, d = x.shape[0], config.head_dim
    wq, wk, wv = _parts(layer.qkv, (config.q_width, config.kv_width, config.kv_width))
    w_gate, w_up = _parts(layer.gate_up, (config.intermediate_size, config.intermediate_size))
    normed = rms_norm(x, layer.input_norm, config.rms_eps)
    q = rotate(rms_norm((normed @ wq.T).view(n, -1, d), layer.q_norm, config.rms_eps), positions)
    k = rotate(rms_norm((normed @ wk.T).view(n, -1, d), layer.k_norm, config.rms_eps), positions)
    v = (normed @ wv.T).view(n, -1, d)
    keys = k.repeat_interleave(config.group, dim=1).transpose(0, 1)
    values = v.repeat_interleave(config.group, dim=1).transpose(0, 1)
    if before is not None:
        keys = torch.cat([before[0], keys], dim=1)
        values = torch.cat([before[1], values], dim=1)
    attended = F.scaled_dot_product_attention(q.transpose(0, 1)[None], keys[None], values[None], is_causal=causal)[0]
    x = x + _dense(layer.o)(attended.transpose(0, 1).reshape(n, -1))
    normed = rms_norm(x, layer.mlp_norm, config.rms_eps)
    x = x + _dense(layer.down)(F.silu(normed @ w_gate.T) * (normed @ w_up.T))
    return x, (keys, values)


def plain_step(
    x: torch.Tensor,
    layers: Sequence[LayerWeights],
    cache: Cache,
    config: ModelConfig,
    positions: RopeTable,
    final_norm: torch.Tensor,
    whole_head: torch.Tensor,
) -> torch.Tensor:
    """One decode step: x [1, hidden] -> logits [1, vocabulary] of every id; grows `cache`."""
    for index, layer in enumerate(layers):
        x, cache[index] = plain_layer(x, layer, config, positions, cache[index], causal=False)
    return rms_norm(x, final_norm, config.rms_eps) @ whole_head.T


def plain_evaluation(
    h: torch.Tensor, layers: Sequence[LayerWeights], cache: Cache, config: ModelConfig, positions: RopeTable
) -> torch.Tensor:
    """The layers of one velocity evaluation: h [n, hidden] sees the cached tokens and itself."""
    for layer, before in zip(layers, cache, strict=True):
        h, _ = plain_layer(h, layer, config, positions, before, causal=False)
    return h


def plain_decode(source: TensorSource, config: VaeConfig, z: torch.Tensor) -> torch.Tensor:
    """z [1, latent, frames] -> wave [1, channels, samples], with weight norm and logs worked out as it goes."""

    def weight(name: str) -> torch.Tensor:
        v = source.read(f"{name}.weight_v")
        length: torch.Tensor = torch.linalg.vector_norm(v, dim=(1, 2), keepdim=True)
        return source.read(f"{name}.weight_g") * v / length

    def snake(x: torch.Tensor, name: str) -> torch.Tensor:
        alpha, beta = source.read(f"{name}.alpha").exp()[:, None], source.read(f"{name}.beta").exp()[:, None]
        return x + torch.sin(x * alpha) ** 2 / (beta + 1e-9)

    x = F.conv1d(z, weight("decoder.layers.0"), source.read("decoder.layers.0.bias"), padding=3)
    for number, stride in enumerate(reversed(config.strides), 1):
        block = f"decoder.layers.{number}.layers"
        x = F.conv_transpose1d(
            snake(x, f"{block}.0"), weight(f"{block}.1"), source.read(f"{block}.1.bias"),
            stride=stride, padding=(stride + 1) // 2,
        )  # fmt: skip
        for unit, dilation in ((2, 1), (3, 3), (4, 9)):
            name = f"{block}.{unit}.layers"
            y = F.conv1d(
                snake(x, f"{name}.0"), weight(f"{name}.1"), source.read(f"{name}.1.bias"),
                padding=3 * dilation, dilation=dilation,
            )  # fmt: skip
            x = x + F.conv1d(snake(y, f"{name}.2"), weight(f"{name}.3"), source.read(f"{name}.3.bias"))
    last = len(config.strides) + 1
    return F.conv1d(snake(x, f"decoder.layers.{last}"), weight(f"decoder.layers.{last + 1}"), padding=3)


def _dense(linear: object) -> DenseLinear:
    if not isinstance(linear, DenseLinear):
        raise TypeError("the plain path takes dense weights")
    return linear


def _parts(linear: object, heights: tuple[int, ...]) -> Sequence[torch.Tensor]:
    weight = _dense(linear).weight
    stops = [sum(heights[: index + 1]) for index in range(len(heights) - 1)]
    return weight.tensor_split(stops)
