"""The formats that a sound can be exported in, and which of them this system's libsndfile can write."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import soundfile

from yue2_desktop.library.encoding import EncodingError, encode
from yue2_desktop.song.stages import CHANNELS, SAMPLE_RATE

#: Enough for every encoder to write its first frame.
_TRIAL_SAMPLES: Final = 4_800
_OPUS_RATES: Final = (8_000, 12_000, 16_000, 24_000, 48_000)


@dataclass(frozen=True)
class ExportFormat:
    """One format: its key for preferences, what it is called, and what libsndfile calls it.

    `level` is libsndfile's compression level, None for its own. `rates` are the only samples a second that it takes,
    empty for any.
    """

    key: str
    label: str
    suffix: str
    container: str
    subtype: str
    lossy: bool = False
    level: float | None = None
    rates: tuple[int, ...] = ()

    @property
    def dithered(self) -> bool:
        """Whether the sound is rounded to 16 bits."""
        return self.subtype == "PCM_16"


#: Levels of the lossy ones, measured on 48 kHz stereo: about 260 kbit/s (MP3, LAME's V0), 260 (Vorbis), 210 (Opus).
FORMATS: Final = (
    ExportFormat("flac-24", "FLAC, 24 bit", ".flac", "FLAC", "PCM_24"),
    ExportFormat("flac-16", "FLAC, 16 bit", ".flac", "FLAC", "PCM_16"),
    ExportFormat("wav-24", "WAV, 24 bit", ".wav", "WAV", "PCM_24"),
    ExportFormat("wav-16", "WAV, 16 bit", ".wav", "WAV", "PCM_16"),
    ExportFormat("wav-32f", "WAV, 32 bit float", ".wav", "WAV", "FLOAT"),
    ExportFormat("mp3", "MP3", ".mp3", "MP3", "MPEG_LAYER_III", lossy=True, level=0.0),
    ExportFormat("ogg", "Ogg Vorbis", ".ogg", "OGG", "VORBIS", lossy=True, level=0.2),
    ExportFormat("opus", "Opus", ".opus", "OGG", "OPUS", lossy=True, level=0.6, rates=_OPUS_RATES),
)


@dataclass(frozen=True)
class Availability:
    """A format, and the sentence that says why it cannot be written here; None where it can."""

    format: ExportFormat
    reason: str | None

    @property
    def available(self) -> bool:
        """Whether it can be written here."""
        return self.reason is None


@cache
def export_formats() -> tuple[Availability, ...]:
    """Every format of FORMATS with whether it can be written: each was tried once, on a tenth of a second of silence.

    No other program is asked for (user-reports.md, row 129). What libsndfile lists is not enough to go by: a build
    without LAME knows MP3 but cannot write it.
    """
    return tuple(Availability(one, _reason(one)) for one in FORMATS)


def export_format(key: str) -> Availability:
    """The format of that key. Raises KeyError where there is none."""
    for found in export_formats():
        if found.format.key == key:
            return found
    raise KeyError(key)


def _reason(one: ExportFormat) -> str | None:
    silence = np.zeros((_TRIAL_SAMPLES, CHANNELS), np.float32)
    try:
        encode(
            io.BytesIO(),
            [silence],
            sample_rate=SAMPLE_RATE,
            channels=CHANNELS,
            container=one.container,
            subtype=one.subtype,
            level=one.level,
        )
    except (EncodingError, ValueError, TypeError) as error:
        version = soundfile.__libsndfile_version__
        return f"libsndfile {version} on this system cannot write {one.label} ({str(error).rstrip('.')})."
    return None
