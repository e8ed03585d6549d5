"""The fingerprint of weights: quick, the same for the same bytes, another for another head, tail or length."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.library.weights_marks import fingerprint
from yue2_desktop.song.errors import Problem, ProblemKind

SIZE = 6 * 1024 * 1024


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    return path


@pytest.mark.parametrize("place", [0, 5, SIZE - 1])
def test_head_and_tail_count(place: int, large: Path) -> None:
    before = fingerprint([large])
    assert fingerprint([large]) == before
    with large.open("r+b") as file:
        file.seek(place)
        file.write(b"\xaa")
    assert fingerprint([large]) != before


def test_the_length_counts(large: Path) -> None:
    before = fingerprint([large])
    with large.open("r+b") as file:
        file.truncate(SIZE - 256)
    assert fingerprint([large]) != before


def test_every_byte_of_a_small_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(bytes(200_000))
    before = fingerprint([path])
    path.write_bytes(bytes(123_456) + b"\1" + bytes(200_000 - 123_457))
    assert fingerprint([path]) != before
    path.write_bytes(b"")
    assert fingerprint([path]) not in {before, fingerprint([])}


def test_only_a_part_of_a_large_file_is_read(large: Path) -> None:
    """Else it would not be quick: a byte between the blocks is not seen."""
    before = fingerprint([large])
    with large.open("r+b") as file:
        file.seek(64 * 1024 + 5_000)
        file.write(b"\xaa")
    assert fingerprint([large]) == before


def test_the_order_and_number_of_files_count(tmp_path: Path) -> None:
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_bytes(b"ab")
    two.write_bytes(b"c")
    assert len({fingerprint([one, two]), fingerprint([two, one]), fingerprint([one])}) == 3


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="gone cannot be read") as caught:
        fingerprint([tmp_path / "gone"])
    assert caught.value.kind is ProblemKind.MODEL_MISSING
