"""The npy files of a take: int32 token ids and float32 latents, read and written without pickle."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from yue2_desktop.library.reading import bad_file
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import LATENT_DIM

Latents = npt.NDArray[np.float32]

#: Ids that an int32 file can hold.
INT32_LIMIT: Final = 2**31
_MAX_HEADER: Final = 4096
_HEADERS: Final = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def ids_bytes(ids: Sequence[int]) -> bytes:
    """`ids` as the content of an npy file, int32 [n]; ValueError for an id that int32 cannot hold."""
    if any(not 0 <= token < INT32_LIMIT for token in ids):
        raise ValueError("token ids must lie in [0, 2^31)")
    return _npy_bytes(np.asarray(ids, dtype="<i4").reshape(-1))


def latents_bytes(latents: Latents) -> bytes:
    """`latents` (float32 [F, 64], F >= 1, finite) as the content of an npy file.

    Raises ValueError for another shape or dtype and Problem(NON_FINITE) for NaN or infinities.
    """
    if latents.ndim != 2 or latents.shape[1] != LATENT_DIM or latents.shape[0] < 1:
        raise ValueError(f"latents must be [F, {LATENT_DIM}], not {list(latents.shape)}")
    if latents.dtype != np.float32:
        raise ValueError(f"latents must be float32, not {latents.dtype}")
    require_finite(latents, "latents")
    return _npy_bytes(np.ascontiguousarray(latents, dtype="<f4"))


def require_finite(values: npt.NDArray[np.floating[Any]], what: str) -> None:
    """Raises Problem(NON_FINITE) with how many values and the first frame that is not finite (rows of `values`).

    Such sound is worthless, and saving it in silence would hide what went wrong (spec/yue2.md, error table).
    """
    finite = np.isfinite(values)
    if finite.all():
        return
    bad = int(values.size - np.count_nonzero(finite))
    row = int(np.argmin(finite.reshape(values.shape[0], -1).all(axis=1)))
    raise Problem(
        ProblemKind.NON_FINITE,
        f"The {what} hold {bad:,} values that are not numbers, the first in row {row}; what was finished "
        "before is kept: try another seed, dtype float32 or another device.",
        what=what,
        count=bad,
        row=row,
    )


def read_ids(data: bytes, path: Path, *, limit: int = INT32_LIMIT) -> tuple[int, ...]:
    """The token ids in an npy file's content: int32 [n], each in [0, limit); else Problem(BAD_FILE)."""
    array = _from_npy(data, path, "int32")
    if array.ndim != 1:
        raise bad_file(path, f"must hold one row of token ids, but has shape {list(array.shape)}")
    outside = (array < 0) | (array >= limit)
    if outside.any():
        place = int(np.argmax(outside))
        raise bad_file(path, f"holds {int(array[place])} at position {place}; ids lie in 0 to {limit - 1}")
    return tuple(array.tolist())


def read_latents(data: bytes, path: Path) -> Latents:
    """The latents in an npy file's content, float32 [F, 64].

    The reference's channel-first [1, 64, F] is accepted too. Raises Problem(BAD_FILE) for anything else and
    Problem(NON_FINITE) for NaN or infinities.
    """
    array = _from_npy(data, path, "float32")
    if array.ndim == 3 and array.shape[:2] == (1, LATENT_DIM):
        array = array[0].T
    if array.ndim != 2 or array.shape[1] != LATENT_DIM or array.shape[0] < 1:
        raise bad_file(
            path,
            f"has shape {list(array.shape)}, but latents are [frames, {LATENT_DIM}] or "
            f"[1, {LATENT_DIM}, frames]; give the latent.npy of a take",
        )
    latents: Latents = np.ascontiguousarray(array, dtype=np.float32)
    require_finite(latents, f"latents in {path.name}")
    return latents


def _npy_bytes(array: npt.NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    npy.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _from_npy(data: bytes, path: Path, dtype: str) -> npt.NDArray[Any]:
    """The array in `data`, after its header was held against the bytes that are there."""
    stream = io.BytesIO(data)
    try:
        read_header = _HEADERS.get(npy.read_magic(stream))
        if read_header is None:
            raise ValueError("unknown version of the npy format")
        shape, fortran, kind = read_header(stream, max_header_size=_MAX_HEADER)
    except ValueError as error:
        raise bad_file(path, "is not a readable npy file; give one written by a take") from error
    if kind.newbyteorder("=") != np.dtype(dtype):
        raise bad_file(path, f"holds {kind}, but must hold {dtype}; give one written by a take")
    count = 1
    for extent in shape:
        count *= extent
    body = len(data) - stream.tell()
    if min(shape, default=0) < 0 or body != count * kind.itemsize:
        raise bad_file(
            path, f"is cut short or too long: {body:,} bytes of values for shape {list(shape)}; use another take"
        )
    array = np.frombuffer(data, dtype=kind, offset=stream.tell()).astype(dtype)
    return array.reshape(shape, order="F" if fortran else "C")
