"""Encoding a sound through libsndfile into an open file, block by block."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import soundfile

#: Samples of each channel, float32 in -1..1 or int16.
Block = npt.NDArray[np.float32] | npt.NDArray[np.int16]


class EncodingError(Exception):
    """libsndfile refused; the text says why."""


def encode(
    file: BinaryIO,
    blocks: Iterable[Block],
    *,
    sample_rate: int,
    channels: int,
    container: str,
    subtype: str,
    level: float | None = None,
) -> None:
    """Writes blocks [n, channels] in libsndfile's `container` and `subtype`; integer formats clip floats at -1 and 1.

    `level` is its compression level from 0 (largest file, best sound) to 1, None for its own. Raises the OSError that
    the file met, EncodingError for what libsndfile says, and whatever `blocks` raises.
    """
    sink = _Sink(file)
    options: dict[str, Any] = {} if level is None else {"compression_level": level}
    try:
        # libsndfile gets a Python file object: its own open() cannot take every name of every system.
        with soundfile.SoundFile(
            sink, "w", samplerate=sample_rate, channels=channels, format=container, subtype=subtype, **options
        ) as sound:
            for block in blocks:
                sound.write(np.ascontiguousarray(block))
    except (soundfile.SoundFileError, AssertionError) as error:
        sink.raise_failure()
        raise EncodingError(str(error)) from error
    sink.raise_failure()


class _Sink:
    """The file that libsndfile writes through; remembers a failure, which a C callback could not pass on."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._failure: OSError | None = None

    def raise_failure(self) -> None:
        """Raises the first OSError that a write or seek met, if there was one."""
        if self._failure is not None:
            raise self._failure

    def write(self, data: bytes) -> int:
        if self._failure is None:
            try:
                return self._file.write(data)
            except OSError as error:
                self._failure = error
        return 0

    def seek(self, offset: int, whence: int = 0) -> int:
        if self._failure is None:
            try:
                return self._file.seek(offset, whence)
            except OSError as error:
                self._failure = error
        return 0

    def tell(self) -> int:
        return self._file.tell()
