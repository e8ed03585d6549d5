"""The audio decoder: weight norm folded at load, one pass over a run of latents (spec yue2, sections 2.2 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.config import VaeConfig
from yue2_desktop.engine.weights.source import TensorSource


def snake(x: torch.Tensor, alpha: torch.Tensor, inverse_beta: torch.Tensor) -> torch.Tensor:
    """x + sin(x * alpha)^2 * inverse_beta, per channel; x [1, c, t], alpha and inverse_beta [c, 1] (not logs)."""
    return (x * alpha).sin_().square_().mul_(inverse_beta).add_(x)


@dataclass(frozen=True)
class Snake:
    """The periodic activation with its per-channel frequency and the reciprocal of its magnitude, [c, 1]."""

    alpha: torch.Tensor
    inverse_beta: torch.Tensor

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return snake(x, self.alpha, self.inverse_beta)


@dataclass(frozen=True)
class Convolution:
    """A convolution of odd kernel that keeps the length. weight [out, in, k]."""

    weight: torch.Tensor
    bias: torch.Tensor | None
    dilation: int = 1

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        padding = self.dilation * (self.weight.shape[-1] - 1) // 2
        return F.conv1d(x, self.weight, self.bias, padding=padding, dilation=self.dilation)


@dataclass(frozen=True)
class Upsampling:
    """A transposed convolution, kernel twice the stride. weight [in, out, 2 * stride]."""

    weight: torch.Tensor
    bias: torch.Tensor
    stride: int

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return F.conv_transpose1d(x, self.weight, self.bias, stride=self.stride, padding=(self.stride + 1) // 2)


@dataclass(frozen=True)
class ResidualUnit:
    """x + conv(snake(dilated conv(snake(x))))."""

    first_snake: Snake
    dilated: Convolution
    second_snake: Snake
    pointwise: Convolution

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return self.pointwise(self.second_snake(self.dilated(self.first_snake(x)))).add_(x)


@dataclass(frozen=True)
class Block:
    """Activation, upsampling, three residual units of dilation 1, 3, 9."""

    snake: Snake
    upsampling: Upsampling
    units: tuple[ResidualUnit, ...]

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        x = self.upsampling(self.snake(x))
        for unit in self.units:
            x = unit(x)
        return x


@dataclass(frozen=True)
class Decoder:
    """Latents z [1, latent, frames] -> wave [1, channels, samples], fp32."""

    config: VaeConfig
    first: Convolution
    blocks: Sequence[Block]
    snake: Snake
    last: Convolution

    def __call__(self, z: torch.Tensor) -> torch.Tensor:
        x = self.first(z)
        for block in self.blocks:
            x = block(x)
        return self.last(self.snake(x))

    def samples(self, frames: int) -> int:
        """Length of the wave of so many frames: an odd stride loses one sample, which later stages multiply."""
        length = frames
        for block in self.blocks:
            stride = block.upsampling.stride
            length = length * stride - (stride % 2)
        return length


def fold_weight_norm(g: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """g * v / |v|, the norm over all dimensions but the first (which is the input of a transposed convolution)."""
    length: torch.Tensor = torch.linalg.vector_norm(v, dim=tuple(range(1, v.dim())), keepdim=True)
    return g * v / length


def load_decoder(source: TensorSource, config: VaeConfig, device: torch.device) -> Decoder:
    """Reads the decoder alone, folds weight norm once, always fp32. Names are checked by `check_layout`."""

    def tensor(name: str) -> torch.Tensor:
        return source.read(name).to(torch.float32).to(device)

    def weight(name: str) -> torch.Tensor:
        if f"{name}.weight" in source.names():
            return tensor(f"{name}.weight")
        return fold_weight_norm(tensor(f"{name}.weight_g"), tensor(f"{name}.weight_v"))

    def convolution(name: str, dilation: int = 1, *, bias: bool = True) -> Convolution:
        return Convolution(weight(name), tensor(f"{name}.bias") if bias else None, dilation)

    def activation(name: str) -> Snake:
        alpha, beta = tensor(f"{name}.alpha").exp(), tensor(f"{name}.beta").exp()
        return Snake(alpha[:, None], (1.0 / (beta + 1e-9))[:, None])

    def unit(name: str, dilation: int) -> ResidualUnit:
        return ResidualUnit(
            activation(f"{name}.0"),
            convolution(f"{name}.1", dilation),
            activation(f"{name}.2"),
            convolution(f"{name}.3"),
        )

    def block(number: int, stride: int) -> Block:
        name = f"decoder.layers.{number}.layers"
        return Block(
            activation(f"{name}.0"),
            Upsampling(weight(f"{name}.1"), tensor(f"{name}.1.bias"), stride),
            tuple(unit(f"{name}.{2 + k}.layers", dilation) for k, dilation in enumerate((1, 3, 9))),
        )

    last = len(config.strides) + 1
    return Decoder(
        config=config,
        first=convolution("decoder.layers.0"),
        blocks=tuple(block(number, stride) for number, stride in enumerate(reversed(config.strides), 1)),
        snake=activation(f"decoder.layers.{last}"),
        last=convolution(f"decoder.layers.{last + 1}", bias=False),
    )
