"""The explicit midpoint rule from noise (t = 1) to latents (t = 0) (spec yue2, section 4)."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from yue2_desktop.song.errors import Problem, ProblemKind

#: velocity(x, raw): x [n, latent], raw the logit of the time.
VelocityField = Callable[[torch.Tensor, float], torch.Tensor]
#: after_step(step, x): called with the number of finished steps and the state they led to.
AfterStep = Callable[[int, torch.Tensor], None]

MAX_STEPS = 64
_RAW_LIMIT = 20.0


def require_steps(steps: int) -> None:
    """Raises Problem(BAD_REQUEST) for a step count that the solver does not do."""
    if not 1 <= steps <= MAX_STEPS:
        raise Problem(ProblemKind.BAD_REQUEST, f"{steps} ODE steps; use 1 to {MAX_STEPS} (8 is a draft, 32 final).")


def raw_time(t: float) -> float:
    """The logit of t in [0, 1], clamped to +-20."""
    if t >= 1:
        return _RAW_LIMIT
    if t <= 0:
        return -_RAW_LIMIT
    return min(max(math.log(t / (1 - t)), -_RAW_LIMIT), _RAW_LIMIT)


def midpoint(
    velocity: VelocityField, x: torch.Tensor, steps: int, after_step: AfterStep, *, first_step: int = 0
) -> torch.Tensor:
    """Goes from x at step `first_step` to the end of `steps` equal steps; two evaluations a step.

    x stays in its dtype between steps. Time falls, so the velocity (noise minus data) is subtracted.
    """
    dt = 1.0 / steps
    for step in range(first_step, steps):
        t = 1.0 - step * dt
        middle = x - velocity(x, raw_time(t)) * (dt / 2)
        x = x - velocity(middle, raw_time(t - dt / 2)) * dt
        after_step(step + 1, x)
    return x
