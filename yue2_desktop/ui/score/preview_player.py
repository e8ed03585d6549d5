"""Plays the preview of a score through a sink, made as it is heard; says where it is for the cursor."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.audio.sink import AudioSink, NullSink, Samples, SinkError
from yue2_desktop.score.model import Score
from yue2_desktop.score.preview.synth import Preview, preview
from yue2_desktop.score.preview.tones import RATE
from yue2_desktop.song.errors import Problem

_log = logging.getLogger(__name__)
SinkFactory = Callable[[], AudioSink]
_TICK_MS: Final = 33
_CHANNELS: Final = 2
_FADE_IN: Final = RATE // 200


class _Source:
    """Pulled by the sink's thread; `position` is the sample that comes next."""

    def __init__(self, sound: Preview, start: int) -> None:
        self._sound = sound
        self._lock = threading.Lock()
        self._start = self._position = start

    @property
    def position(self) -> int:
        with self._lock:
            return self._position

    def pull(self, frames: int) -> Samples:
        """The next block [frames, 2]; silence behind the end, and where the sound cannot be made."""
        at = self.position
        try:
            block = self._sound.render(at, frames)
        except Exception:  # noqa: BLE001 - the sink's thread must go on, or the device hangs
            _log.exception("The preview cannot be made from sample %d on", at)
            block = np.zeros((frames, _CHANNELS), dtype=np.float32)
        if at == self._start and at > 0:
            fade = min(_FADE_IN, frames)
            block[:fade] *= np.linspace(0, 1, fade, endpoint=False, dtype=np.float32)[:, None]
        with self._lock:
            self._position = at + frames
        return block


class PreviewPlayer(QObject):
    """`moved` has the time in quarters (a Fraction) while it plays; `stopped` comes at the end, however it came."""

    moved = Signal(object)
    started = Signal()
    stopped = Signal()

    def __init__(self, make_sink: SinkFactory = NullSink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make_sink = make_sink
        self._sink: AudioSink | None = None
        self._source: _Source | None = None
        self._sound: Preview | None = None
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)

    @property
    def is_playing(self) -> bool:
        """Whether it plays."""
        return self._sink is not None

    def set_sink_factory(self, make_sink: SinkFactory) -> None:
        """What makes the sink from the next time on."""
        self._make_sink = make_sink

    def play(self, score: Score, start: Fraction = Fraction(0)) -> None:
        """Plays from a time in quarters. Raises Problem(BAD_SCORE) for what cannot be played, and SinkError."""
        self.stop()
        sound = preview(score)
        sink = self._make_sink()
        source = _Source(sound, sound.sample_at(start))
        sink.start(source.pull, RATE, _CHANNELS)
        self._sound, self._source, self._sink = sound, source, sink
        self._clock.start()
        self.started.emit()
        self.moved.emit(start)

    @Slot()
    def stop(self) -> None:
        """Ends; nothing where nothing plays."""
        self._clock.stop()
        sink, self._sink = self._sink, None
        if sink is not None:
            sink.stop()
            self._source = None
            self.stopped.emit()

    @Slot()
    def _tick(self) -> None:
        if self._sink is None or self._source is None or self._sound is None:
            return
        heard = self._source.position - int(self._sink.latency_s * RATE)
        if heard >= self._sound.length or not self._sink.alive:
            self.stop()
            return
        self.moved.emit(self._sound.quarters_at(max(heard, 0)))


def play_problem(error: Problem | SinkError) -> str:
    """The sentence of what kept it from playing."""
    return error.sentence if isinstance(error, Problem) else str(error)
