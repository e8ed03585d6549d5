"""Small files that a packed GGUF of layout B carries within itself: configurations and the tokenizer."""

from __future__ import annotations

from itertools import pairwise

from yue2_desktop.engine.weights.gguf_header import GgufArray, GgufHeader, damaged

_PREFIX = "audiocpp.embedded_files."
_UINT8 = 0
#: A tokenizer takes 2.6 MB; more than this is not read into memory.
_MOST_BYTES = 1 << 26


def embedded_files(header: GgufHeader) -> dict[str, bytes]:
    """Name to content; empty where there are none. Raises Problem(MODEL_DAMAGED) when the places make no sense."""
    names = header.strings(f"{_PREFIX}names")
    offsets = header.numbers(f"{_PREFIX}offsets")
    data = header.values.get(f"{_PREFIX}data")
    if not names or offsets is None or not isinstance(data, GgufArray) or data.kind != _UINT8:
        return {}
    # Each file ends where the next begins; whether the list has the last end, too, is not told.
    ends = [*offsets[: len(names)], data.count]
    if len(ends) != len(names) + 1 or ends != sorted(ends) or data.count > _MOST_BYTES:
        raise damaged(header.path, "the places of its embedded files make no sense")
    with header.path.open("rb") as file:
        file.seek(data.offset)
        whole = file.read(data.count)
    return {
        name.decode("utf-8", errors="replace"): whole[start:stop]
        for name, (start, stop) in zip(names, pairwise(ends), strict=True)
    }
