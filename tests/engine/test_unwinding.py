"""Errors leave without what their calls held: variables, closures, causes; and say where they came from."""

from __future__ import annotations

import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from yue2_desktop.engine.unwinding import let_go_of_tensors
from yue2_desktop.song.errors import Problem, ProblemKind


class Memory:
    """Stands for a tensor."""


@contextmanager
def _stage() -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        let_go_of_tensors(error)
        raise


def _in_a_variable(memory: Memory) -> None:
    held = [memory]
    raise ZeroDivisionError(len(held))


def _in_a_closure(memory: Memory) -> None:
    held = [memory]

    def inner() -> None:
        _raise(len(held))

    inner()


def _in_a_comprehension(memory: Memory) -> None:
    held = [memory]
    [_raise(len(held)) for _ in range(1)]


def _in_a_generator(memory: Memory) -> None:
    held = [memory]
    next(_raise(len(held)) for _ in range(1))


def _in_a_cause(memory: Memory) -> None:
    try:
        _in_a_closure(memory)
    except ZeroDivisionError as error:
        raise RuntimeError from error


def _in_a_context(memory: Memory) -> None:
    try:
        _in_a_variable(memory)
    except ZeroDivisionError:
        raise RuntimeError from None


def _raise(value: int) -> None:
    raise ZeroDivisionError(value)


@pytest.mark.parametrize(
    "fails",
    [_in_a_variable, _in_a_closure, _in_a_comprehension, _in_a_generator, _in_a_cause, _in_a_context],
    ids=lambda fails: fails.__name__,
)
def test_a_held_error_holds_nothing_else(fails: Callable[[Memory], None]) -> None:
    watched: list[weakref.ref[Memory]] = []

    def stage() -> None:
        with _stage():
            memory = Memory()
            watched.append(weakref.ref(memory))
            fails(memory)

    with pytest.raises((ZeroDivisionError, RuntimeError)) as caught:
        stage()
    let_go_of_tensors(caught.value)
    assert watched[0]() is None


def test_the_note_says_where_it_arose_and_the_trace_keeps_what_runs() -> None:
    with pytest.raises(ZeroDivisionError) as caught, _stage():
        _in_a_variable(Memory())
    text = "".join(traceback.format_exception(caught.value))
    assert "calls that are over" in text
    assert "in _in_a_variable" in text
    assert "test_the_note_says_where_it_arose" in text


def test_a_problem_needs_no_note() -> None:
    def cancelled() -> None:
        raise Problem(ProblemKind.CANCELLED, "Cancelled.")

    with pytest.raises(Problem) as caught, _stage():
        cancelled()
    assert not hasattr(caught.value, "__notes__")


def test_causes_that_go_in_a_circle() -> None:
    first, second = ValueError(), ValueError()
    first.__cause__, second.__cause__ = second, first
    let_go_of_tensors(first)
    assert first.__traceback__ is None
