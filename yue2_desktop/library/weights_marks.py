"""What identifies the weights that made a take: a fingerprint at once, the sha256 when somebody had the time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

_BLOCKS: Final = 64
_BLOCK_BYTES: Final = 64 * 1024


def fingerprint(files: Sequence[Path]) -> str:
    """A sha256 in hex over size and 64 blocks of 64 KiB, evenly spread, of each file in order.

    It reads 4 MiB of a file where the whole sha256 reads 7 GB, so it never delays a start. The first and the last
    block are among them: another header, another length or another tail is another fingerprint; a change that
    falls between the blocks is not seen. Raises Problem(MODEL_MISSING) for a file that cannot be read.
    """
    digest = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                size = file.seek(0, 2)
                digest.update(size.to_bytes(8, "little"))
                for start in _block_starts(size):
                    file.seek(start)
                    digest.update(file.read(_BLOCK_BYTES))
        except OSError as error:
            place = path_text(path)
            raise Problem(
                ProblemKind.MODEL_MISSING,
                f"The model file {place} cannot be read ({error.strerror or error}); choose a folder that can.",
                path=place,
            ) from error
    return digest.hexdigest()


def _block_starts(size: int) -> Sequence[int]:
    if size <= _BLOCKS * _BLOCK_BYTES:
        return range(0, size, _BLOCK_BYTES)
    last = size - _BLOCK_BYTES
    return [last * block // (_BLOCKS - 1) for block in range(_BLOCKS)]
