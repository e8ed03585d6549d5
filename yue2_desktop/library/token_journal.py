"""The journal of sampled tokens: appended to as they come, so that a killed render keeps every one of them."""

from __future__ import annotations

import os
import struct
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

import numpy as np

from yue2_desktop.library.arrays import INT32_LIMIT
from yue2_desktop.library.journal_folder import make_journal_folder
from yue2_desktop.library.reading import bad_file, require_plain_file
from yue2_desktop.song.disk_errors import write_problem

_MAGIC: Final = b"YUE2TOK1"
#: A record is its payload's length and CRC-32, both little-endian uint32, then the payload.
_FRAME: Final = struct.Struct("<II")
_COUNT: Final = struct.Struct("<I")
#: Far above any generator's state and any batch of tokens; a larger length is damage.
_MAX_PAYLOAD: Final = 1 << 20
_SYNC_EVERY_S: Final = 2.0


@dataclass(frozen=True)
class JournaledTokens:
    """What a journal holds: `ids` in order, and the generator's `state` after the last of them.

    `key` is the text that ties the journal to its render; `torn` says that something behind the last sound
    record was left out, which a crash had cut short; `end` is the size in bytes of the sound part.
    """

    key: str
    ids: tuple[int, ...]
    state: bytes
    torn: bool
    end: int


class TokenJournal:
    """An open journal. The file is a magic word, a record with the key, then a record a call of `append`.

    A record reaches the operating system at once, so it outlives the process; it is flushed to the disk at
    least every two seconds, so that little is lost with the power. Failures are Problem(DISK_FULL) or
    (BAD_FILE); after one the journal is closed.
    """

    def __init__(self, path: Path, file: BinaryIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._file = file
        self._clock = clock
        self._synced = clock()

    @classmethod
    def create(cls, path: Path, key: str, *, clock: Callable[[], float] = time.monotonic) -> TokenJournal:
        """A new, empty journal at `path` in place of any earlier one; makes the journal folder."""
        if not key:
            raise ValueError("a journal needs a key that ties it to its render")
        make_journal_folder(path.parent)
        try:
            journal = cls(path, path.open("wb", buffering=0), clock)
        except OSError as error:
            raise write_problem(path, error) from error
        journal._put(_MAGIC + _framed(key.encode("utf-8")))
        return journal

    @classmethod
    def resume(
        cls, path: Path, key: str, *, clock: Callable[[], float] = time.monotonic
    ) -> tuple[TokenJournal, JournaledTokens]:
        """The journal at `path`, open for more, and what it holds; a torn last record is cut off.

        Raises Problem(BAD_FILE) when there is none, it is damaged, or it was written under another key.
        """
        found = read_tokens(path)
        if found is None:
            raise bad_file(path, "is missing, so there is nothing to go on from; render from the start")
        if found.key != key:
            raise bad_file(path, "belongs to another request, model or setting; render from the start")
        try:
            journal = cls(path, path.open("r+b", buffering=0), clock)
        except OSError as error:
            raise write_problem(path, error) from error
        journal._cut(found.end)
        return journal, found

    def append(self, ids: Sequence[int], state: bytes) -> None:
        """Adds sampled `ids` (each in [0, 2^31)) and the generator's `state` after the last of them."""
        if any(not 0 <= token < INT32_LIMIT for token in ids):
            raise ValueError("token ids must lie in [0, 2^31)")
        payload = _COUNT.pack(len(ids)) + np.asarray(ids, dtype="<i4").tobytes() + state
        if len(payload) > _MAX_PAYLOAD:
            raise ValueError(f"a journal record holds at most {_MAX_PAYLOAD} bytes, not {len(payload)}")
        self._put(_framed(payload))

    def close(self) -> None:
        """Flushes the journal to the disk and closes it; a second call does nothing."""
        if self._file.closed:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise write_problem(self._path, error) from error
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _cut(self, end: int) -> None:
        try:
            self._file.truncate(end)
            self._file.seek(end)
        except OSError as error:
            self._file.close()
            raise write_problem(self._path, error) from error

    def _put(self, data: bytes) -> None:
        try:
            # An unbuffered file may take only a part of what it is given.
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            if self._clock() - self._synced >= _SYNC_EVERY_S:
                os.fsync(self._file.fileno())
                self._synced = self._clock()
        except OSError as error:
            self._file.close()
            raise write_problem(self._path, error) from error


def read_tokens(path: Path) -> JournaledTokens | None:
    """What the journal at `path` holds, or None where there is none or it died before its first record.

    A record that is cut short or whose checksum is wrong was being written when the process or the power died
    (some file systems then leave zeros); it and whatever follows is left out. What comes before is sound, ids
    and generator state alike. Problem(BAD_FILE) for a link, another kind of file, or one that cannot be read.
    """
    if not path.exists() and not path.is_symlink():
        return None
    require_plain_file(path)
    try:
        with path.open("rb") as file:
            return _read(file, path)
    except OSError as error:
        raise bad_file(path, f"cannot be read ({error.strerror or error}); render from the start") from error


def _read(file: BinaryIO, path: Path) -> JournaledTokens | None:
    magic = file.read(len(_MAGIC))
    if magic != _MAGIC[: len(magic)]:
        raise bad_file(path, "is not a token journal; render from the start")
    header = _next(file)
    if header is None:
        return None
    ids: list[int] = []
    state = b""
    end = file.tell()
    while (payload := _next(file)) is not None:
        batch, state = _unpacked(payload, path)
        ids.extend(batch)
        end = file.tell()
    torn = end < file.seek(0, os.SEEK_END)
    return JournaledTokens(header.decode("utf-8", "replace"), tuple(ids), state, torn=torn, end=end)


def _next(file: BinaryIO) -> bytes | None:
    """The next payload, or None where no sound record follows."""
    frame = file.read(_FRAME.size)
    if len(frame) < _FRAME.size:
        return None
    length, checksum = _FRAME.unpack(frame)
    if not 0 < length <= _MAX_PAYLOAD:
        return None
    payload = file.read(length)
    return payload if len(payload) == length and zlib.crc32(payload) == checksum else None


def _framed(payload: bytes) -> bytes:
    return _FRAME.pack(len(payload), zlib.crc32(payload)) + payload


def _unpacked(payload: bytes, path: Path) -> tuple[list[int], bytes]:
    count = _COUNT.unpack_from(payload)[0] if len(payload) >= _COUNT.size else -1
    end = _COUNT.size + 4 * count
    if count < 0 or end > len(payload):
        raise bad_file(path, "is damaged: a record says more tokens than it holds; render from the start")
    batch: list[int] = np.frombuffer(payload, dtype="<i4", count=count, offset=_COUNT.size).tolist()
    return batch, payload[end:]
