"""Reading score files as they are: line ends and byte order mark are kept, so that they can be told."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.song.textfile import decode_utf8, read_utf8

_SIGNATURE = b"\xef\xbb\xbf"


def read_score(path: Path) -> str:
    """Return the text of a score file; raises Problem(BAD_FILE) as `read_utf8` does."""
    text = read_utf8(path, "score file")
    with path.open("rb") as file:
        return "\ufeff" + text if file.read(len(_SIGNATURE)) == _SIGNATURE else text


def score_text(data: bytes, path: Path) -> str:
    """As `read_score`, for bytes that were read already; `path` is for the sentence."""
    return ("\ufeff" if data.startswith(_SIGNATURE) else "") + decode_utf8(data, path, "score file")
