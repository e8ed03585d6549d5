"""npy files: exact in and out, and a sentence for every file that is not what it should be."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from yue2_desktop.library.arrays import ids_bytes, latents_bytes, read_ids, read_latents
from yue2_desktop.song.errors import Problem, ProblemKind

PATH = Path("somewhere") / "x.npy"


def saved(array: npt.NDArray[np.generic], *, pickle: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=pickle)
    return buffer.getvalue()


def latents(frames: int = 3) -> npt.NDArray[np.float32]:
    return np.random.default_rng(1).standard_normal((frames, 64), dtype=np.float32)


@pytest.mark.parametrize("ids", [(), (0,), (5, 151_642, 2**31 - 1)])
def test_ids_are_int32_that_numpy_reads(ids: tuple[int, ...]) -> None:
    data = ids_bytes(ids)
    array = np.load(io.BytesIO(data), allow_pickle=False)
    assert array.dtype == np.int32
    assert array.shape == (len(ids),)
    assert read_ids(data, PATH) == ids
    assert all(type(token) is int for token in read_ids(data, PATH))


@pytest.mark.parametrize("ids", [(-1,), (2**31,)])
def test_ids_that_int32_cannot_hold(ids: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="token ids must lie in"):
        ids_bytes(ids)


def test_latents_come_back_bit_for_bit() -> None:
    values = latents()
    data = latents_bytes(values)
    assert np.load(io.BytesIO(data), allow_pickle=False).tobytes() == values.tobytes()
    back = read_latents(data, PATH)
    assert back.dtype == np.float32
    assert back.tobytes() == values.tobytes()


def test_other_orders_of_the_same_values() -> None:
    values = latents()
    for data in (saved(np.asfortranarray(values)), saved(values.astype(">f4")), saved(values.T[None].copy())):
        back = read_latents(data, PATH)
        assert back.flags.c_contiguous
        assert np.array_equal(back, values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.zeros((3, 63), np.float32), "has shape [3, 63], but latents are [frames, 64]"),
        (np.zeros((0, 64), np.float32), "has shape [0, 64]"),
        (np.zeros(64, np.float32), "has shape [64]"),
        (np.zeros((2, 64, 3), np.float32), "has shape [2, 64, 3]"),
        (np.zeros((), np.float32), "has shape []"),
        (np.zeros((3, 64), np.float64), "holds float64, but must hold float32"),
        (np.zeros((3, 64), np.int32), "holds int32, but must hold float32"),
        (np.zeros(3, [("a", "<f4")]), "but must hold float32"),
    ],
)
def test_latents_of_another_shape_or_type(values: npt.NDArray[np.generic], words: str) -> None:
    with pytest.raises(Problem) as caught:
        read_latents(saved(values), PATH)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert words in caught.value.sentence
    assert str(PATH) in caught.value.sentence


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_latents_that_are_no_numbers_are_refused_both_ways(bad: float) -> None:
    values = latents()
    values[2, 5] = bad
    for attempt in (lambda: latents_bytes(values), lambda: read_latents(saved(values), PATH)):
        with pytest.raises(Problem, match=r"hold 1 values that are not numbers, the first in row 2;") as caught:
            attempt()
        assert caught.value.kind is ProblemKind.NON_FINITE
        assert caught.value.data["row"] == 2


def test_only_latents_are_written_as_latents() -> None:
    for wrong in (np.zeros((3, 63), np.float32), np.zeros((0, 64), np.float32), np.zeros((3, 64))):
        with pytest.raises(ValueError, match="latents must be"):
            latents_bytes(wrong)  # type: ignore[arg-type]


def test_pickled_objects_are_refused_unread() -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (pytest.fail, ("the pickle was run",))

    data = saved(np.array([Bomb()], dtype=object), pickle=True)
    with pytest.raises(Problem, match="holds object, but must hold int32"):
        read_ids(data, PATH)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not a readable npy file"),
        (b"PK\x03\x04zip", "is not a readable npy file"),
        (b"\x93NUMPY\x09\x00" + bytes(80), "is not a readable npy file"),
        (ids_bytes((1, 2))[:-1], "is cut short or too long: 7 bytes of values for shape [2]"),
        (ids_bytes((1, 2)) + b"\0", "is cut short or too long: 9 bytes"),
        (ids_bytes((1, 2))[:40], "is not a readable npy file"),
        (ids_bytes((1, 2)).replace(b"(2,)", b"(-2,)").replace(b"} ", b"}"), "is cut short"),
        (ids_bytes((1, 2)).replace(b"(2,), }    ", b"(-2,-1), } "), "is cut short"),
        (ids_bytes((1, 2)).replace(b"(2,), }      ", b"(2000000,), }"), "is cut short"),
    ],
)
def test_damaged_files(data: bytes, words: str) -> None:
    with pytest.raises(Problem) as caught:
        read_ids(data, PATH)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert words in caught.value.sentence


def test_ids_out_of_range_are_named_with_their_place() -> None:
    with pytest.raises(Problem, match="holds 32768 at position 1; ids lie in 0 to 32767"):
        read_ids(ids_bytes((5, 32_768)), PATH, limit=32_768)
    with pytest.raises(Problem, match="holds -1 at position 0"):
        read_ids(saved(np.array([-1], np.int32)), PATH)


def test_ids_must_be_one_row_of_int32() -> None:
    with pytest.raises(Problem, match="must hold one row of token ids"):
        read_ids(saved(np.zeros((1, 2), np.int32)), PATH)
    with pytest.raises(Problem, match="holds int64, but must hold int32"):
        read_ids(saved(np.zeros(2, np.int64)), PATH)
