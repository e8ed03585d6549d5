"""Which way tokens are decoded on the processor with packed weights: timed once on a machine, kept, and said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import torch

from yue2_desktop.engine.ar import ArWeights, Decoding, Step, TokenSequence, eagerly
from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.cpu_decoding import AttentionTimes, by_row_sums, time_attention
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore, verdict_name
from yue2_desktop.engine.processor import processor_verdicts
from yue2_desktop.engine.progress import CancelToken

_log = logging.getLogger(__name__)
#: Row sums are not bit-equal to the attention of the prefill: what they gain must be more than what a timing errs by.
_WORTHWHILE = 1.1
#: Heads narrower than this are those of toy models, for which the time of either way is that of the calls.
_LEAST_HEAD = 64


class ChosenDecoding:
    """A `Decoding` that says afterwards which way was taken, for take.json; None before tokens were decoded."""

    def __init__(self, decoding: Decoding, name: Callable[[ArWeights], str]) -> None:
        """`name` tells the way by the weights that are decoded with."""
        self._decoding = decoding
        self._name = name
        self._way: str | None = None
        self._step: Step | None = None

    def __call__(self, weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> Step:
        self._way = self._name(weights)
        self._step = self._decoding(weights, sequences, cancel)
        return self._step

    def taken(self) -> str | None:
        """The way, and why it was left if it was; holds on to no tensor from then on."""
        step, self._step = self._step, None
        why = getattr(step, "fell_back", None)
        return self._way if why is None else f"{self._way}, then eager: {why}"


def processor_decoding(
    config: ModelConfig,
    dtype: torch.dtype,
    *,
    store: VerdictStore | None = None,
    measure: Callable[[ModelConfig, torch.dtype], AttentionTimes] = time_attention,
) -> ChosenDecoding:
    """The faster way on this processor: the model's own forward pass, or attention by sums of rows.

    The verdict is kept for each machine and torch build, so that equal seeds give equal songs from one start of the
    program to the next. `store` and `measure` stand in for the machine's own.
    """
    if config.head_dim < _LEAST_HEAD:
        return ChosenDecoding(eagerly, lambda _: "eager")
    store = store or processor_verdicts()
    name = verdict_name("row-sums", str(dtype).removeprefix("torch."))
    verdict = store.get(name)
    if verdict is None:
        verdict = _judged(measure(config, dtype))
        store.put(name, verdict)
        _log.info("decoding by sums of rows %s: %s", "accepted" if verdict.ok else "not used", verdict.reason)
    if verdict.ok:
        return ChosenDecoding(by_row_sums, lambda _: "row-sums")
    return ChosenDecoding(eagerly, lambda _: "eager")


def _judged(times: AttentionTimes) -> Verdict:
    speed = times.torch / times.row_sums
    reason = f"attention takes {times.row_sums:.1f} ms a token, torch's {times.torch:.1f} ms"
    return Verdict(speed >= _WORTHWHILE, reason, speed=speed)
