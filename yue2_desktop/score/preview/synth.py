"""Renders the preview in pieces of any size from any place; the pieces are the samples of the whole, bit by bit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from yue2_desktop.score.model import Score
from yue2_desktop.score.preview.plan import Part, Tone, samples_of, tones
from yue2_desktop.score.preview.tones import LONGEST_S, RATE, Samples, chord_pad, click, played, sung
from yue2_desktop.song.errors import Problem, ProblemKind

#: A song that would take longer has a wrong number in it.
MAX_MINUTES = 30
_TAIL = RATE // 2
_CACHE_BYTES = 96 * 2**20
#: Loudness of the parts at gain 1, and how much of it is heard left and right; together they stay within -1..1.
_LEVELS = {
    Part.VOCAL: (0.30, 0.30),
    Part.INS: (0.17, 0.25),
    Part.CHORDS: (0.26, 0.26),
    Part.CLICK: (0.14, 0.14),
}
#: Fast notes ring into each other; above this they are bent.
_KNEE = 0.85
_FADE_IN = RATE // 200


@dataclass(frozen=True, slots=True)
class Mix:
    """Gains of the parts, each 0 (silent) to 1; raises ValueError outside."""

    vocal: float = 1.0
    ins: float = 1.0
    chords: float = 0.7
    click: float = 0.0

    def __post_init__(self) -> None:
        if not all(0.0 <= gain <= 1.0 for gain in self.gains):
            raise ValueError("a gain is 0 to 1")

    @property
    def gains(self) -> tuple[float, float, float, float]:
        """The gains in the order of `Part`."""
        return (float(self.vocal), float(self.ins), float(self.chords), float(self.click))


@dataclass
class Preview:
    """The preview of one score: stereo float32 at 48 kHz within -1..1, `length` samples with the last tone's end.

    Nothing is rendered when it is made. Not to be used by two threads at once.
    """

    tempo: int
    length: int
    _tones: tuple[Tone, ...]
    _starts: npt.NDArray[np.int64] = field(repr=False)
    _cache: OrderedDict[Tone, Samples] = field(default_factory=OrderedDict, repr=False)
    _cached_bytes: int = 0

    def render(self, start: int, count: int, mix: Mix | None = None, before: Mix | None = None) -> Samples:
        """Return `count` samples from `start` on, float32 [count, 2]; silence beyond the song.

        `before` is the mix of the piece before where it was another: the gains then glide over this piece.
        """
        gains = (mix or Mix()).gains
        earlier = (before or mix or Mix()).gains
        out = np.zeros((count, 2), dtype=np.float32)
        first = int(np.searchsorted(self._starts, start - int(LONGEST_S * RATE) - RATE))
        last = int(np.searchsorted(self._starts, start + count))
        for tone in self._tones[first:last]:
            gain, old = gains[tone.part], earlier[tone.part]
            if gain == 0.0 and old == 0.0:
                continue
            self._add(out, start, tone, gain if gain == old else np.linspace(old, gain, count, dtype=np.float32))
        _bend_peaks(out)
        return out

    def blocks(self, start: int = 0, size: int = RATE // 10, mix: Mix | None = None) -> Iterator[Samples]:
        """Yield the song from a sample on in pieces [size, 2]; the last may be shorter.

        A start inside the song is faded in over 5 ms, so that it does not click.
        """
        for at in range(start, self.length, size):
            piece = self.render(at, min(size, self.length - at), mix)
            if at == start and start > 0:
                fade = min(_FADE_IN, len(piece))
                piece[:fade] *= np.linspace(0, 1, fade, endpoint=False, dtype=np.float32)[:, None]
            yield piece

    def sample_at(self, quarters: Fraction) -> int:
        """Return the sample at a time in quarter notes."""
        return samples_of(quarters, self.tempo)

    def quarters_at(self, sample: int) -> Fraction:
        """Return the time in quarter notes of a sample: what a view follows (`ScoreMap.at_time`)."""
        return Fraction(sample * self.tempo, 60 * RATE)

    def _add(self, out: Samples, start: int, tone: Tone, gain: float | Samples) -> None:
        buffer = self._buffer(tone)
        left = max(tone.start, start)
        right = min(tone.start + len(buffer), start + len(out))
        if left >= right:
            return
        piece = buffer[left - tone.start : right - tone.start]
        target = out[left - start : right - start]
        shown = gain if isinstance(gain, float) else gain[left - start : right - start]
        for side, level in enumerate(_LEVELS[tone.part]):
            target[:, side] += (piece if piece.ndim == 1 else piece[:, side]) * (shown * np.float32(level))

    def _buffer(self, tone: Tone) -> Samples:
        """Return the tone's samples; equal tones share one buffer, and the oldest go when there are too many."""
        key = Tone(0, tone.part, tone.pitches, tone.length)
        kept = self._cache.get(key)
        if kept is not None:
            self._cache.move_to_end(key)
            return kept
        made = _rendered(key)
        self._cache[key] = made
        self._cached_bytes += made.nbytes
        while self._cached_bytes > _CACHE_BYTES and len(self._cache) > 1:
            _, old = self._cache.popitem(last=False)
            self._cached_bytes -= old.nbytes
        return made


def preview(score: Score) -> Preview:
    """Return the preview of a score with or without errors: what was understood is played.

    Raises Problem(BAD_SCORE) for a score without bars or longer than half an hour.
    """
    tempo = score.header.tempo
    if score.duration == 0:
        raise Problem(ProblemKind.BAD_SCORE, "The score has no bars, so there is nothing to play.")
    if score.seconds > MAX_MINUTES * 60:
        raise Problem(
            ProblemKind.BAD_SCORE,
            f"The score lasts {score.seconds / 60:.0f} minutes and the preview plays {MAX_MINUTES} at most; "
            "look for a length or a tempo that is wrong.",
            seconds=score.seconds,
        )
    found = tones(score)
    length = samples_of(score.duration, tempo) + _TAIL
    return Preview(tempo, length, found, np.array([one.start for one in found], dtype=np.int64))


def _bend_peaks(out: Samples) -> None:
    """Bend what goes beyond the knee, so that 1 is never passed; sample by sample, so that pieces stay the whole."""
    loud = np.abs(out) > _KNEE
    if loud.any():
        over = (np.abs(out[loud]) - _KNEE) / (1 - _KNEE)
        out[loud] = np.copysign(_KNEE + (1 - _KNEE) * np.tanh(over), out[loud])


def _rendered(tone: Tone) -> Samples:
    if tone.part is Part.VOCAL:
        return sung(tone.pitches[0], tone.length)
    if tone.part is Part.INS:
        return played(tone.pitches[0], tone.length)
    if tone.part is Part.CHORDS:
        return chord_pad(tone.pitches, tone.length)
    return click(accent=tone.length == 1)
