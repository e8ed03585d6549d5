"""One transformer layer of either branch: weights as a value, the steps as functions over it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable, rotate

#: Rows that go through the MLP at once: bounds its widest activation, [rows, 2 * intermediate].
MLP_ROWS = 1024


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


def queries_keys_values(
    x: torch.Tensor, layer: LayerWeights, config: ModelConfig, positions: RopeTable
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """x [n, hidden] -> q [n, heads, d], k and v [n, kv_heads, d]; q and k normalised, then rotated."""
    n = x.shape[0]
    qkv = layer.qkv(rms_norm(x, layer.input_norm, config.rms_eps))
    q, k, v = qkv.tensor_split((config.q_width, config.q_width + config.kv_width), dim=-1)
    q = rms_norm(q.view(n, config.heads, config.head_dim), layer.q_norm, config.rms_eps)
    k = rms_norm(k.view(n, config.kv_heads, config.head_dim), layer.k_norm, config.rms_eps)
    return rotate(q, positions), rotate(k, positions), v.view(n, config.kv_heads, config.head_dim)


def feed_forward_(x: torch.Tensor, layer: LayerWeights, config: ModelConfig) -> torch.Tensor:
    """Adds the gated MLP of the normalised rows to x [n, hidden] in place, `MLP_ROWS` rows at a time."""
    for start in range(0, x.shape[0], MLP_ROWS):
        rows = x[start : start + MLP_ROWS]
        gate, up = layer.gate_up(rms_norm(rows, layer.mlp_norm, config.rms_eps)).chunk(2, dim=-1)
        rows.add_(layer.down(F.silu(gate).mul_(up)))
    return x
