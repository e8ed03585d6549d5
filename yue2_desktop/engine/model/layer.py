"""One transformer layer of either branch: weights as a value, the steps as functions over it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable, rotate

#: Rows that go through the linear maps of a layer at once: bounds what lives beside the stream of all rows, at its
#: widest [rows, 2 * intermediate]. It is the same however weights are kept, so that all modes give the same bits.
ROWS = 1024


@dataclass(frozen=True)
class LayerWeights:
    """One layer of one branch. q, k, v lie in one matrix, gate and up in another, rows in that order."""

    input_norm: torch.Tensor
    mlp_norm: torch.Tensor
    q_norm: torch.Tensor
    k_norm: torch.Tensor
    qkv: Linear
    o: Linear
    gate_up: Linear
    down: Linear

    @property
    def nbytes(self) -> int:
        norms = (self.input_norm, self.mlp_norm, self.q_norm, self.k_norm)
        linears = (self.qkv, self.o, self.gate_up, self.down)
        return sum(norm.nbytes for norm in norms) + sum(linear.nbytes for linear in linears)


def queries(
    x: torch.Tensor,
    layer: LayerWeights,
    config: ModelConfig,
    positions: RopeTable,
    keys: torch.Tensor,
    values: torch.Tensor,
) -> torch.Tensor:
    """Projects x [n, hidden]: returns q [heads, n, d], and fills keys and values [kv_heads, n, d].

    q and k are normalised, then rotated to the n places of `positions`. The fused result is never there for all rows.
    """
    n = x.shape[0]
    q = torch.empty(config.heads, n, config.head_dim, dtype=x.dtype, device=x.device)
    if n <= ROWS:
        _project(x, layer, config, positions, q, keys, values)
        return q
    many = (torch.split(tensor, ROWS, dim=1) for tensor in (q, keys, values))
    for rows, places, *out in zip(torch.split(x, ROWS), positions.split(ROWS), *many, strict=True):
        _project(rows, layer, config, places, *out)
    return q


def _project(
    x: torch.Tensor,
    layer: LayerWeights,
    config: ModelConfig,
    positions: RopeTable,
    q: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
) -> None:
    n, d, eps = x.shape[0], config.head_dim, config.rms_eps
    qkv = layer.qkv(rms_norm(x, layer.input_norm, eps))
    new_q, new_k, new_v = qkv.tensor_split((config.q_width, config.q_width + config.kv_width), dim=-1)
    rotate(rms_norm(new_q.view(n, config.heads, d), layer.q_norm, eps), positions, out=q.transpose(0, 1))
    rotate(rms_norm(new_k.view(n, config.kv_heads, d), layer.k_norm, eps), positions, out=keys.transpose(0, 1))
    values.copy_(new_v.view(n, config.kv_heads, d).transpose(0, 1))


def add_attention_(x: torch.Tensor, layer: LayerWeights, attended: torch.Tensor) -> None:
    """Adds the projection of attended [heads, n, d] to x [n, hidden] in place."""
    for rows, heads in zip(torch.split(x, ROWS), torch.split(attended, ROWS, dim=1), strict=True):
        rows.add_(layer.o(heads.transpose(0, 1).flatten(1)))


def add_feed_forward_(x: torch.Tensor, layer: LayerWeights, config: ModelConfig) -> None:
    """Adds the gated MLP of the normalised rows to x [n, hidden] in place."""
    for rows in torch.split(x, ROWS):
        rows.add_(_feed_forward(rows, layer, config))


def _feed_forward(x: torch.Tensor, layer: LayerWeights, config: ModelConfig) -> torch.Tensor:
    gate, up = layer.gate_up(rms_norm(x, layer.mlp_norm, config.rms_eps)).chunk(2, dim=-1)
    return layer.down(F.silu(gate).mul_(up))
