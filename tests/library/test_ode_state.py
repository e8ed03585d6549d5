"""The solver's state: bit for bit back, replaced whole, and never used when damaged."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.ode_state import OdeState, read_ode_state, write_ode_state
from yue2_desktop.song.errors import Problem, ProblemKind


def state(**changes: object) -> OdeState:
    rng = np.random.default_rng(3)
    base = OdeState(
        key="Ключ",
        chunk=1,
        step=3,
        steps=8,
        x=rng.standard_normal((17, 64), dtype=np.float32),
        finished=rng.standard_normal((40, 64), dtype=np.float32),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def same(one: OdeState | None, two: OdeState) -> bool:
    return (
        one is not None
        and (one.key, one.chunk, one.step, one.steps) == (two.key, two.chunk, two.step, two.steps)
        and one.x.tobytes() == two.x.tobytes()
        and one.finished.tobytes() == two.finished.tobytes()
        and (one.slope is None) == (two.slope is None)
        and (one.slope is None or two.slope is None or one.slope.tobytes() == two.slope.tobytes())
        and (one.x.dtype, one.x.shape, one.finished.shape) == (np.float32, two.x.shape, two.finished.shape)
    )


@pytest.mark.parametrize("finished", [0, 40])
def test_a_state_comes_back_bit_for_bit(tmp_path: Path, finished: int) -> None:
    path = tmp_path / "journal" / "ode.state"
    values = state(finished=state().finished[:finished])
    write_ode_state(path, values)
    assert same(read_ode_state(path), values)
    assert [file.name for file in path.parent.iterdir()] == ["ode.state"]


def test_a_two_step_methods_slope_comes_back_too(tmp_path: Path) -> None:
    values = state(slope=state().x * np.float32(2))
    write_ode_state(tmp_path / "ode.state", values)
    assert same(read_ode_state(tmp_path / "ode.state"), values)
    with pytest.raises(ValueError, match="slope must have the 17 frames of x"):
        write_ode_state(tmp_path / "ode.state", state(slope=state().x[:5]))


def test_the_next_step_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "ode.state"
    write_ode_state(path, state())
    write_ode_state(path, state(step=4, x=np.ones((17, 64), np.float32)))
    found = read_ode_state(path)
    assert found is not None
    assert (found.step, float(found.x[0, 0])) == (4, 1.0)


def test_a_failing_write_keeps_the_step_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ode.state"
    write_ode_state(path, state())

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problem) as caught:
        write_ode_state(path, state(step=4))
    assert caught.value.kind is ProblemKind.DISK_FULL
    assert same(read_ode_state(path), state())


def test_no_state_is_none(tmp_path: Path) -> None:
    assert read_ode_state(tmp_path / "ode.state") is None


def test_a_state_that_is_no_number_is_refused(tmp_path: Path) -> None:
    x = state().x.copy()
    x[0, 0] = np.nan
    with pytest.raises(Problem, match="latents after step 3 hold 1 values that are not numbers") as caught:
        write_ode_state(tmp_path / "ode.state", state(x=x))
    assert caught.value.kind is ProblemKind.NON_FINITE


def test_every_cut_and_every_flip_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "ode.state"
    write_ode_state(path, state(x=state().x[:1], finished=state().finished[:0]))
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(Problem):
            read_ode_state(path)
    for place in (0, 9, len(data) - 300, len(data) - 1):
        flipped = bytearray(data)
        flipped[place] ^= 1
        path.write_bytes(bytes(flipped))
        with pytest.raises(Problem) as caught:
            read_ode_state(path)
        assert caught.value.kind is ProblemKind.BAD_FILE


def test_counts_that_contradict_each_other_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "ode.state"
    write_ode_state(path, state())
    path.write_bytes(path.read_bytes().replace(b'"step":3', b'"step":9'))
    with pytest.raises(Problem, match="is damaged, so the acoustic stage cannot go on from it; start that stage again"):
        read_ode_state(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"x": np.zeros((0, 64), np.float32)},
        {"x": np.zeros((3, 63), np.float32)},
        {"x": np.zeros((3, 64))},
        {"finished": np.zeros(64, np.float32)},
        {"step": 9},
        {"step": -1},
        {"steps": 0, "step": 0},
        {"chunk": -1},
    ],
)
def test_only_a_state_is_written(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be float32|does not exist"):
        write_ode_state(tmp_path / "ode.state", state(**changes))
    assert list(tmp_path.iterdir()) == []
