"""The state of the acoustic solver after a step, in one file that is replaced whole."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from yue2_desktop.library.arrays import Latents, require_finite
from yue2_desktop.library.journal_folder import make_journal_folder
from yue2_desktop.library.json_style import canonical_bytes, sha256_of
from yue2_desktop.library.members import parse_members
from yue2_desktop.library.reading import bad_file, read_file
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.stages import LATENT_DIM

_MAGIC: Final = b"YUE2ODE1"
_LENGTH: Final = struct.Struct("<I")
_MAX_HEADER: Final = 1 << 16


@dataclass(frozen=True)
class OdeState:
    """Where the solver stands: `step` of `steps` done in chunk number `chunk` (from 0).

    `x` is that chunk's state, float32 [n, 64]; a bf16 state is exact in it. `finished` holds the latents of
    the chunks before, float32 [m, 64], m may be 0. `slope` is the velocity [n, 64] that a two-step method looks
    back on, None for one that does not. `key` ties the state to its render: tokens, seed, steps,
    weights and whatever else changes the bits.
    """

    key: str
    chunk: int
    step: int
    steps: int
    x: Latents
    finished: Latents
    slope: Latents | None = None


def write_ode_state(path: Path, state: OdeState) -> None:
    """Replaces the state at `path` in one step; makes the journal folder.

    Raises Problem(NON_FINITE) for NaN or infinities in `x`, Problem(DISK_FULL) or (BAD_FILE) when it cannot be
    written, ValueError for another shape, dtype or count.
    """
    _require_consistent(state)
    require_finite(state.x, f"latents after step {state.step}")
    if state.slope is not None:
        require_finite(state.slope, f"velocity after step {state.step}")
    body = b"".join(np.ascontiguousarray(part, dtype="<f4").tobytes() for _, part, _ in _parts(state))
    header = canonical_bytes({
        "key": state.key,
        "chunk": state.chunk,
        "step": state.step,
        "steps": state.steps,
        "frames": len(state.x),
        "finished_frames": len(state.finished),
        "slope_frames": 0 if state.slope is None else len(state.slope),
        "sha256": sha256_of(body),
    })
    make_journal_folder(path.parent)
    write_bytes(path, _MAGIC + _LENGTH.pack(len(header)) + header + body)


def read_ode_state(path: Path) -> OdeState | None:
    """The state at `path`, or None where there is none; Problem(BAD_FILE) when it is damaged."""
    if not path.exists() and not path.is_symlink():
        return None
    data = read_file(path)
    start = len(_MAGIC) + _LENGTH.size
    if len(data) < start or not data.startswith(_MAGIC):
        raise _damaged(path)
    body_start = start + _LENGTH.unpack_from(data, len(_MAGIC))[0]
    if not start < body_start <= min(len(data), start + _MAX_HEADER):
        raise _damaged(path)
    members = parse_members(data[start:body_start], path)
    frames, finished, slope = (members.whole(name) for name in ("frames", "finished_frames", "slope_frames"))
    body = data[body_start:]
    if len(body) != 4 * LATENT_DIM * (frames + finished + slope) or sha256_of(body) != members.text("sha256"):
        raise _damaged(path)
    rows = np.frombuffer(body, dtype="<f4").astype(np.float32).reshape(-1, LATENT_DIM)
    state = OdeState(
        key=members.text("key"),
        chunk=members.whole("chunk"),
        step=members.whole("step"),
        steps=members.whole("steps"),
        x=rows[finished : finished + frames],
        finished=rows[:finished],
        slope=rows[finished + frames :] if slope else None,
    )
    try:
        _require_consistent(state)
    except ValueError as error:
        raise _damaged(path) from error
    return state


def _require_consistent(state: OdeState) -> None:
    for name, part, least in _parts(state):
        if part.dtype != np.float32 or part.ndim != 2 or part.shape[1] != LATENT_DIM or len(part) < least:
            raise ValueError(f"{name} must be float32 [>= {least}, {LATENT_DIM}], not {part.dtype} {part.shape}")
    if state.slope is not None and len(state.slope) != len(state.x):
        raise ValueError(f"slope must have the {len(state.x)} frames of x, not {len(state.slope)}")
    if not 0 <= state.step <= state.steps or state.steps < 1 or state.chunk < 0:
        raise ValueError(f"step {state.step} of {state.steps} in chunk {state.chunk} does not exist")


def _parts(state: OdeState) -> tuple[tuple[str, Latents, int], ...]:
    """The arrays in the order of the file: name, values, the frames that it has at least."""
    parts = (("finished", state.finished, 0), ("x", state.x, 1))
    return parts if state.slope is None else (*parts, ("slope", state.slope, 1))


def _damaged(path: Path) -> Problem:
    return bad_file(path, "is damaged, so the acoustic stage cannot go on from it; start that stage again")
