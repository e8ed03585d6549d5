"""Where a sound that ends long before its file does can be cut: an offer for an export; the take is never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from yue2_desktop.library.audio_file import Audio
from yue2_desktop.library.soundings import Sounding

#: Kept after the last thing to be heard, so that the song does not end abruptly.
KEPT_SILENCE_S: Final = 1.0
#: What is left below the level of silence fades over this, so that the cut itself cannot be heard.
FADE_S: Final = 0.05


@dataclass(frozen=True)
class TrimOffer:
    """A cut after `end` samples: the length in seconds as it is and as it would be."""

    end: int
    seconds: float
    trimmed_seconds: float

    @property
    def removed_seconds(self) -> float:
        """How much silence goes."""
        return self.seconds - self.trimmed_seconds


def trim_offer(sounding: Sounding) -> TrimOffer | None:
    """Where the silent tail of a sound can be cut; None where it has none worth a mark (user-reports.md, row 85)."""
    if not sounding.silent_tail:
        return None
    kept = max(0.0, sounding.tail_silence_s - KEPT_SILENCE_S)
    end = sounding.samples - round(kept * sounding.sample_rate)
    if not 0 < end < sounding.samples:
        return None
    return TrimOffer(end, sounding.seconds, end / sounding.sample_rate)


def faded(blocks: Iterable[Audio], end: int, sample_rate: int) -> Iterator[Audio]:
    """The blocks of a sound of `end` samples in all, float32 [n, channels], with its last 50 ms fading to nothing."""
    length = min(end, round(FADE_S * sample_rate))
    start, place = end - length, 0
    for block in blocks:
        if place + len(block) > start:
            index = np.arange(place, place + len(block), dtype=np.float32)
            gain = np.clip((end - 1 - index) / max(1, length), 0.0, 1.0)
            block = block * gain[:, None].astype(np.float32)
        place += len(block)
        yield block
