"""Falling back from a recorded step to the eager one, and the recording itself with stand-ins for the card."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from yue2_desktop.engine.ar import ArWeights, PhaseRequest, TokenSequence, eagerly, generate
from yue2_desktop.engine.cuda import graph_decode
from yue2_desktop.engine.cuda.graph_decode import DecodeWithFallback, Play, StaticDecode, cuda_capture
from yue2_desktop.engine.cuda.static_step import masked_products
from yue2_desktop.engine.progress import CancelToken, ProgressReporter, Stage, silent
from yue2_desktop.song.errors import Problem, ProblemKind

RUNNING = CancelToken()
PREFIX = tuple(range(200, 230))


def _greedy(rows: Sequence[torch.Tensor], _history: Sequence[int]) -> int:
    return int(rows[0][1:].argmax()) + 1  # never the end


def _generated(weights: ArWeights, decoding: Any, count: int = 24) -> tuple[int, ...]:
    reporter = ProgressReporter(Stage.SEMANTIC, count, "tokens", silent)
    return generate(weights, PhaseRequest((PREFIX,), count), _greedy, reporter, RUNNING, decoding=decoding).ids


def _failing_at(call: int, error: RuntimeError) -> Callable[[Play], Play]:
    """A recording whose replay fails at a call."""
    calls = 0

    def capture(step: Play) -> Play:
        def play() -> None:
            nonlocal calls
            calls += 1
            if calls == call:
                raise error
            step()

        return play

    return capture


def _static(capture: Callable[[Play], Play]) -> Any:
    def decoding(weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> DecodeWithFallback:
        attend = masked_products(torch.bmm)
        fast = StaticDecode(weights, sequences, attend, capture, window_rows=16)
        return DecodeWithFallback(fast, eagerly(weights, sequences, cancel))

    return decoding


@pytest.mark.parametrize("call", [1, 2, 9])
def test_a_failure_in_the_middle_costs_no_token(
    call: int, ar_weights: Callable[[str], ArWeights], caplog: pytest.LogCaptureFixture
) -> None:
    weights = ar_weights("fp32")
    wanted = _generated(weights, eagerly)
    with caplog.at_level(logging.WARNING):
        found = _generated(weights, _static(_failing_at(call, RuntimeError("operation not permitted when capturing"))))
    assert found == wanted
    assert "without a CUDA graph: operation not permitted when capturing" in caplog.text


def test_without_a_failure_nothing_is_said(
    ar_weights: Callable[[str], ArWeights], caplog: pytest.LogCaptureFixture
) -> None:
    weights = ar_weights("fp32")
    with caplog.at_level(logging.WARNING):
        assert _generated(weights, _static(lambda step: step)) == _generated(weights, eagerly)
    assert not caplog.records


def test_no_memory_for_the_recording_is_a_reason_to_go_on_without_it(ar_weights: Callable[[str], ArWeights]) -> None:
    weights = ar_weights("fp32")

    def full(_step: Play) -> Play:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")

    assert _generated(weights, _static(full)) == _generated(weights, eagerly)


def test_a_lost_card_is_not_fallen_back_from(ar_weights: Callable[[str], ArWeights]) -> None:
    lost = RuntimeError("CUDA error: unspecified launch failure")
    with pytest.raises(Problem) as caught:
        _generated(ar_weights("fp32"), _static(_failing_at(3, lost)))
    assert caught.value.kind is ProblemKind.DEVICE_LOST


def test_the_reason_is_kept_for_the_takes_record() -> None:
    def broken(_token: int) -> list[torch.Tensor]:
        raise RuntimeError("no graphs today\nand a long trace")

    decode = DecodeWithFallback(broken, lambda token: [torch.tensor([float(token)])])
    assert decode.fell_back is None
    assert [row.item() for row in decode(7)] == [7.0]
    assert decode.fell_back == "no graphs today"


class _FakeStream:
    def wait_stream(self, other: object) -> None:
        pass


@pytest.fixture
def fake_cuda(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What torch.cuda is asked for, in order; a graph that replays by calling nothing."""
    log: list[str] = []

    class Graph:
        def capture_begin(self, **options: object) -> None:
            log.append(f"begin {options['capture_error_mode']}")

        def capture_end(self) -> None:
            log.append("end")

        def replay(self) -> None:
            log.append("replay")

    @contextmanager
    def stream(_stream: object) -> Iterator[None]:
        log.append("onto the stream")
        yield
        log.append("back")

    graph_decode._recording_stream.cache_clear()
    monkeypatch.setattr(torch.cuda, "Stream", lambda device: _FakeStream())
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: _FakeStream())
    monkeypatch.setattr(torch.cuda, "stream", stream)
    monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: log.append("synchronise"))
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: log.append("empty"))
    yield log
    graph_decode._recording_stream.cache_clear()


def test_a_recording_warms_up_first_and_outside_the_graph(fake_cuda: list[str]) -> None:
    play = cuda_capture(torch.device("cuda", 0))(lambda: fake_cuda.append("step"))
    assert fake_cuda == [
        "onto the stream", "step", "step", "step", "synchronise", "empty", "begin thread_local", "step", "end", "back",
    ]  # fmt: skip
    play()
    assert fake_cuda[-1] == "replay"


def test_all_recordings_share_a_stream(fake_cuda: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """cuBLAS keeps a workspace for each stream."""
    made: list[object] = []

    def stream(_device: torch.device) -> _FakeStream:
        made.append(object())
        return _FakeStream()

    monkeypatch.setattr(torch.cuda, "Stream", stream)
    for _ in range(3):
        cuda_capture(torch.device("cuda", 0))(lambda: None)
    assert len(made) == 1


def test_a_step_that_fails_while_it_is_recorded_ends_the_recording(fake_cuda: list[str]) -> None:
    def step() -> None:
        fake_cuda.append("step")
        if "begin thread_local" in fake_cuda:
            raise RuntimeError("not permitted")

    with pytest.raises(RuntimeError, match="not permitted"):
        cuda_capture(torch.device("cuda", 0))(step)
    assert fake_cuda[-1] == "end"
