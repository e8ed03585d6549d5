"""Decoding by a CUDA graph: the static step is recorded, and replayed for each token; else the eager step.

Launching the kernels of a step one by one takes longer than their work on small weights (memory-and-speed, section 4).
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Final

import torch

from yue2_desktop.engine.ar import ArWeights, Step, TokenSequence
from yue2_desktop.engine.cuda.static_step import MaskedAttention, static_step, step_state
from yue2_desktop.engine.failures import problem_of
from yue2_desktop.song.errors import ProblemKind

#: Rows by which the window of attention grows: half of it is read in vain on average (57 MB a token at 3B), and a step
#: is recorded anew each time, which takes a fraction of a second.
WINDOW_ROWS: Final = 1024
_WARM_UPS: Final = 3

Play = Callable[[], None]
#: capture(step) runs the step and gives what repeats it.
Capture = Callable[[Play], Play]

_log = logging.getLogger(__name__)


@functools.cache
def _recording_stream(device: torch.device) -> torch.cuda.Stream:
    # One for all recordings: cuBLAS keeps a workspace of some MiB for each stream that it ever saw.
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]


def cuda_capture(device: torch.device) -> Capture:
    """Records a step as a CUDA graph, after some runs that let its libraries settle."""

    def capture(step: Play) -> Play:
        stream, current = _recording_stream(device), torch.cuda.current_stream(device)
        stream.wait_stream(current)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(stream):
            for _ in range(_WARM_UPS):
                step()
            torch.cuda.synchronize(device)
            torch.cuda.empty_cache()  # a recording keeps memory of its own
            # Threads that read weights ahead must not break the recording off.
            graph.capture_begin(capture_error_mode="thread_local")
            try:
                step()
            finally:
                graph.capture_end()
        current.wait_stream(stream)
        return graph.replay

    return capture


class StaticDecode:
    """Decodes the next tokens of sequences that were filled by a prefill, by a recorded step.

    The logits that a call returns are overwritten by the next one.
    """

    def __init__(
        self,
        weights: ArWeights,
        sequences: Sequence[TokenSequence],
        attend: MaskedAttention,
        capture: Capture,
        *,
        window_rows: int = WINDOW_ROWS,
    ) -> None:
        self._weights = weights
        self._caches = [sequence.cache for sequence in sequences]
        self._positions = max((sequence.positions for sequence in sequences), key=lambda table: table.cos.shape[0])
        self._attend = attend
        self._capture = capture
        self._window_rows = window_rows
        self._state = step_state(weights, len(sequences))
        self._window = 0
        self._play: Play | None = None

    def __call__(self, token: int) -> Sequence[torch.Tensor]:
        """Appends a token to every sequence; gives the logits [c] of each."""
        state = self._state
        state.row.copy_(self._weights.embed((token,)))
        if self._play is None or max(cache.length for cache in self._caches) >= self._window:
            self._play = None  # the memory of the last recording goes before the next one takes its own
            self._play = self._recorded()
        self._play()
        state.positions.add_(1)
        for cache in self._caches:
            cache.advance(1)
        return state.logits.unbind(0)

    def _recorded(self) -> Play:
        window = (max(cache.length for cache in self._caches) // self._window_rows + 1) * self._window_rows
        for cache in self._caches:
            # What a mask hides is still multiplied by zero, and what lies in fresh memory may not be a number.
            for part in (cache.keys, cache.values):
                part[:, :, max(cache.length, self._window) : window].zero_()
        self._window = window
        self._state.positions.copy_(torch.tensor([cache.length for cache in self._caches]))
        weights, caches, positions, state, attend = (
            self._weights, self._caches, self._positions, self._state, self._attend,
        )  # fmt: skip
        return self._capture(lambda: static_step(weights, caches, positions, state, window, attend))


class DecodeWithFallback:
    """A fast step for as long as it works, then a sure one; the change is said in the log and by `fell_back`."""

    def __init__(self, fast: Step, sure: Step) -> None:
        self._fast: Step | None = fast
        self._sure = sure
        self.fell_back: str | None = None

    def __call__(self, token: int) -> Sequence[torch.Tensor]:
        """As the two. Raises Problem(DEVICE_LOST) when the failure took the card with it."""
        if self._fast is not None:
            try:
                return self._fast(token)
            except RuntimeError as error:
                self._gives_up(error)
        return self._sure(token)

    def _gives_up(self, error: RuntimeError) -> None:
        problem = problem_of(error)
        if problem is not None and problem.kind is ProblemKind.DEVICE_LOST:
            raise problem from error
        self._fast = None
        self.fell_back = next(iter(str(error).splitlines()), type(error).__name__)
        _log.warning("decoding goes on without a CUDA graph: %s", self.fell_back)
