"""From the bytes of a text file to its text: the encoding that is written on it, or else the likeliest, with others.

Strict readings in the encodings that lyrics are found in are ordered by `plausible`, and charset-normalizer has a
voice in it; alone it takes a few words of Chinese for Cyrillic, and windows-1250 for windows-1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from yue2_desktop.song.lyrics.plausible import plausibility

#: Encodings without any mark of their own, by Python's name, with the name that people know.
LEGACY: Final = {
    "gb18030": "Chinese, simplified (GBK)",
    "big5hkscs": "Chinese, traditional (Big5)",
    "cp932": "Japanese (Shift-JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "cp949": "Korean (EUC-KR)",
    "cp1251": "Cyrillic (windows-1251)",
    "koi8_r": "Cyrillic (KOI8-R)",
    "cp1252": "Western European (windows-1252)",
    "cp1250": "Central European (windows-1250)",
    "cp1254": "Turkish (windows-1254)",
    "cp1253": "Greek (windows-1253)",
}
_MARKED: Final = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
#: A file that was cut may end inside a character, which takes up to four bytes.
_CUT_BYTES: Final = 3
#: What charset-normalizer's agreement is worth, beside a plausibility of 0 to 1.
_VOICE: Final = 0.05
_LIKELY: Final = 0.6
_AHEAD: Final = 0.15
_FEWEST_LETTERS: Final = 12
#: Damaged UTF-8 is offered where at most one character in so many is lost.
_DAMAGE: Final = 50
_PREVIEW_LINES: Final = 6
_PREVIEW_CHARS: Final = 60


class Certainty(StrEnum):
    """How far a reading can be trusted: written on the file, very likely, or to be looked at."""

    SURE = "sure"
    LIKELY = "likely"
    UNSURE = "unsure"


@dataclass(frozen=True)
class Reading:
    """The text of some bytes in one encoding; `label` is the encoding's name for people."""

    encoding: str
    label: str
    text: str

    @property
    def preview(self) -> str:
        """The first lines that depend on the encoding, cut to 6 lines of 60 characters."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        telling = [line for line in lines if not line.isascii()] or lines
        return "\n".join(line[:_PREVIEW_CHARS] for line in telling[:_PREVIEW_LINES])


@dataclass(frozen=True)
class Decoded:
    """The best reading, how sure it is, and the other possible ones, best first (none where it is sure)."""

    best: Reading
    certainty: Certainty
    others: tuple[Reading, ...] = ()


def decode_text(data: bytes) -> Decoded | None:
    """The text that `data` holds, without a byte order mark; None where it is no text at all."""
    for mark, encoding, label in _MARKED:
        if data.startswith(mark):
            text = _strict(data[len(mark) :], encoding)
            if text is not None:
                return None if _is_binary(text) else Decoded(Reading(encoding, label, text), Certainty.SURE)
    text = _strict(data, "utf-8")
    if text is not None and "\0" not in text:
        return None if _is_binary(text) else Decoded(Reading("utf-8", "UTF-8", text), Certainty.SURE)
    if b"\0" in data:
        return _wide(data)
    return _unmarked(data)


def _wide(data: bytes) -> Decoded | None:
    """UTF-16 without a mark: every line end and Latin letter has a zero byte, on the side that tells the order."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    text = _strict(data, encoding)
    if text is None or _is_binary(text) or min(even, odd) * 4 > max(even, odd):
        return None
    return Decoded(Reading(encoding, "UTF-16", text), Certainty.LIKELY)


def _unmarked(data: bytes) -> Decoded | None:
    voices = _charset_normalizer(data)
    found: list[tuple[float, Reading]] = []
    for encoding, label in LEGACY.items():
        text = _strict(data, encoding)
        if text is None or _is_binary(text) or any(text == reading.text for _, reading in found):
            continue
        score = plausibility(text, encoding) + (_VOICE if encoding in voices else 0.0)
        found.append((score, Reading(encoding, label, text)))
    found.extend(_damaged_utf8(data))
    if not found:
        return None
    found.sort(key=lambda pair: -pair[0])
    best_score, best = found[0]
    others = found[1:]
    clear = best_score >= _LIKELY and all(best_score - score >= _AHEAD for score, _ in others)
    # French or German read as windows-1250 differs in so few letters that no score tells; the labels do.
    enough = sum(not char.isascii() and char.isalpha() for char in best.text) >= _FEWEST_LETTERS
    certainty = Certainty.LIKELY if clear and enough else Certainty.UNSURE
    return Decoded(best, certainty, tuple(reading for _, reading in others))


def _damaged_utf8(data: bytes) -> Iterator[tuple[float, Reading]]:
    text = data.decode("utf-8", "replace")
    lost = text.count("\ufffd")
    if lost * _DAMAGE <= sum(not char.isascii() for char in text) and not _is_binary(text):
        yield 0.9, Reading("utf-8", "UTF-8 with damaged characters", text)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start > 0 and error.start >= len(data) - _CUT_BYTES and encoding != "utf-8":
            return data.decode(encoding, "ignore")
        return None


def _is_binary(text: str) -> bool:
    controls = sum(char < " " and char not in "\t\n\r\f\v" for char in text)
    return "\0" in text or controls * 100 > len(text)


def _charset_normalizer(data: bytes) -> Sequence[str]:
    from charset_normalizer import from_bytes

    return [match.encoding for match in from_bytes(data, cp_isolation=list(LEGACY))]
