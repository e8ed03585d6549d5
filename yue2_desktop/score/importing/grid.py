"""From a player's times to a grid of sixteenths, and guesses at key and meter where a file does not say them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.sketch import Tone
from yue2_desktop.score.keys import KEYS, Key, key_with

#: A sixteenth, in quarters.
GRID = Fraction(1, 4)
#: How much each degree above the tonic belongs to a key (Krumhansl and Kessler, 1982), major and minor.
_MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
_MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
#: Three beats are believed only when their first ones are that much heavier than those of four.
_CONVINCING = 1.2


def on_grid(tone: Tone) -> Tone:
    """Return a tone whose onset and end lie on the grid; it lasts one sixteenth at least."""
    onset = round(tone.onset / GRID) * GRID
    end = max(round(tone.end / GRID) * GRID, onset + GRID)
    return Tone(onset, end - onset, tone.pitch, tone.spelled, tone.tie)


def guessed_key(tones: Sequence[Tone]) -> Key:
    """Return the key whose profile fits best how long each pitch class sounds; C major for no notes."""
    weights = [0.0] * 12
    for tone in tones:
        weights[tone.pitch % 12] += float(tone.duration)
    if not any(weights):
        return KEYS["C"]
    fits = [
        (_fit(weights, profile, tonic), minor, tonic)
        for minor, profile in ((False, _MAJOR), (True, _MINOR))
        for tonic in range(12)
    ]
    _, minor, tonic = max(fits, key=lambda one: one[0])
    major_tonic = (tonic + 3) % 12 if minor else tonic
    fifths = (major_tonic * 7) % 12
    return key_with(fifths - 12 if fifths > 6 else fifths, minor=minor)


def _fit(weights: Sequence[float], profile: Sequence[float], tonic: int) -> float:
    """Return the correlation of the weights with a profile that begins at a tonic."""
    turned = [weights[(tonic + at) % 12] for at in range(12)]
    mean, other = sum(turned) / 12, sum(profile) / 12
    above = sum((one - mean) * (two - other) for one, two in zip(turned, profile, strict=True))
    below = sum((one - mean) ** 2 for one in turned) * sum((two - other) ** 2 for two in profile)
    return float(above / below**0.5) if below else 0.0


def guessed_meter(tones: Sequence[Tone]) -> Meter:
    """Return 3/4 where long notes fall clearly on every third beat, else 4/4."""
    heavier = {beats: _downbeats(tones, beats) for beats in (3, 4)}
    return Meter(3, 4) if heavier[3] > _CONVINCING * max(heavier[4], 1e-9) else Meter(4, 4)


def _downbeats(tones: Sequence[Tone], beats: int) -> float:
    """Return how heavy the notes on first beats are, as a share of what even chance would give."""
    on = sum(float(tone.duration) for tone in tones if tone.onset % beats == 0)
    every = sum(float(tone.duration) for tone in tones if tone.onset.denominator == 1)
    return on / every * beats if every else 0.0
