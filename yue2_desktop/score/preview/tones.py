"""The tones of the preview: single notes, chords and clicks as sample buffers.

All pitched tones are one formula, the sum of a geometric series of harmonics,
sum r^k sin(k x) = r sin x / (1 - 2 r cos x + r^2), whose brightness r may change over time. It is never larger than
r / (1 - r^2), which is what it is divided by, so every tone stays within -1..1.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

RATE = 48000
#: A tone longer than this has faded away by then; no singer's breath and no string lasts longer.
LONGEST_S = 20.0
_TAU = 2 * math.pi
_VIBRATO_HZ, _VIBRATO_DEPTH, _VIBRATO_AFTER_S = 5.2, 0.0035, 0.25
#: A brighter tone would have harmonics above half the sampling rate.
_BRIGHTEST_AT_HZ = 400.0


def frequency(pitch: int) -> float:
    """Return the frequency of a MIDI pitch in Hz, A4 = 440."""
    return float(440.0 * 2.0 ** ((pitch - 69) / 12))


def sung(pitch: int, length: int) -> Samples:
    """Return a voice-like tone of `length` samples and its release, float32 [samples]: soft, with late vibrato."""
    count = min(length, int(LONGEST_S * RATE))
    total = count + RATE // 16
    hertz = frequency(pitch)
    turns = _turns(hertz, total)
    if count > _VIBRATO_AFTER_S * RATE:
        time = np.arange(total, dtype=np.float32) / np.float32(RATE)
        depth = np.clip((time - _VIBRATO_AFTER_S) * 3, 0, 1) * np.float32(_VIBRATO_DEPTH * hertz / _VIBRATO_HZ / _TAU)
        turns += depth * np.sin(time * np.float32(_TAU * _VIBRATO_HZ))
    tone = _harmonics(turns, np.float32(_bright(0.46, hertz)))
    return tone * _envelope(count, total, attack=RATE // 40, fall=0.25 if count < length else 0.06)


def played(pitch: int, length: int) -> Samples:
    """Return a struck tone of `length` samples and its release, float32 [samples]: it darkens and fades."""
    count = min(length, int(LONGEST_S * RATE))
    total = count + RATE // 12
    hertz = frequency(pitch)
    time = np.arange(total, dtype=np.float32) / np.float32(RATE)
    fading = np.exp(time * np.float32(-1.6 - pitch / 60))
    strongest = _bright(0.62, hertz)
    tone = _harmonics(_turns(hertz, total), np.float32(strongest) * (0.25 + 0.75 * fading), strongest)
    tone *= 0.35 + 0.65 * fading
    return tone * _envelope(count, total, attack=RATE // 250, fall=0.5)


def chord_pad(pitches: tuple[int, ...], length: int) -> Samples:
    """Return a soft chord of `length` samples and its release, float32 [samples, 2], a little different left and right.

    The first pitch is the bass and is louder than each other.
    """
    count = min(length, int(LONGEST_S * RATE))
    total = count + RATE // 5
    shape = _envelope(count, total, attack=RATE // 9, fall=0.35)
    sides = np.zeros((total, 2), dtype=np.float32)
    for at, pitch in enumerate(pitches):
        hertz = frequency(pitch)
        level = np.float32(0.34 if at == 0 else 0.66 / max(len(pitches) - 1, 1))
        for side, detune in ((0, 0.9991), (1, 1.0009)):
            turns = _turns(hertz * detune, total)
            sides[:, side] += level * _harmonics(turns, np.float32(_bright(0.30, hertz)))
    sides *= shape[:, None]
    return sides


def click(*, accent: bool) -> Samples:
    """Return a metronome click, float32 [samples]; the first beat of a bar is higher."""
    total = RATE // 20
    time = np.arange(total, dtype=np.float32) / np.float32(RATE)
    tone = np.sin(_turns(1760.0 if accent else 1175.0, total) * np.float32(_TAU))
    out: Samples = (tone * np.exp(time * np.float32(-90.0)) * np.minimum(time * 2000, 1)).astype(np.float32)
    out[-RATE // 200 :] *= np.linspace(1, 0, RATE // 200, dtype=np.float32)
    return out


def _turns(hertz: float, total: int) -> Samples:
    """Return the phase in turns, within 0..1 so that float32 keeps it exact enough, float32 [total]."""
    turns = np.arange(total, dtype=np.float64)
    turns *= hertz / RATE
    turns -= np.floor(turns)
    return turns.astype(np.float32)


def _harmonics(turns: Samples, bright: Samples | np.float32, strongest: float | None = None) -> Samples:
    angle = turns * np.float32(_TAU)
    below = np.cos(angle)
    below *= -2 * bright
    below += 1 + bright * bright
    tone = np.sin(angle)
    tone *= bright
    tone /= below
    most = float(bright) if strongest is None else strongest
    tone *= np.float32((1 - most * most) / most)
    out: Samples = tone.astype(np.float32, copy=False)
    return out


def _bright(wanted: float, hertz: float) -> float:
    return wanted * min(1.0, math.sqrt(_BRIGHTEST_AT_HZ / hertz))


def _envelope(count: int, total: int, *, attack: int, fall: float) -> Samples:
    """Return the loudness over a tone: up in `attack` samples, down by `fall` until `count`, to silence at the end."""
    shape = np.ones(total, dtype=np.float32)
    attack = min(attack, max(count // 2, 1))
    shape[:attack] = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, attack, endpoint=False, dtype=np.float32))
    shape[attack:count] = np.linspace(1, 1 - fall, max(count - attack, 0), dtype=np.float32)
    release = total - count
    last = shape[count - 1] if count else np.float32(0)
    shape[count:] = last * (0.5 + 0.5 * np.cos(np.linspace(0, np.pi, release, dtype=np.float32)))
    return shape
