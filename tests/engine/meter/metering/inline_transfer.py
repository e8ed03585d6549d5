"""A `Transfer` without threads: what reads ahead reads at once, since torch's modes are each thread's own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import torch

from yue2_desktop.engine.weights.transfer import Fill


class InlineExecutor(Executor):
    """Runs what it is given in the caller's thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - as a pool does: the caller of `result` is given it
            future.set_exception(error)
        return future


class InlineTransfer:
    """Fills where the weights will stay; there is nothing to wait for."""

    def put(self, out: torch.Tensor, fill: Fill) -> None:
        fill(out, 0)

    def arrived(self) -> object:
        return None

    def wait(self, mark: object) -> None:
        """Nothing: `put` is done when it returns."""

    def used(self) -> object:
        return None

    def hold(self, mark: object) -> None:
        """Nothing: the computation is done when its call returns."""

    def background(self) -> Executor:
        return InlineExecutor()
