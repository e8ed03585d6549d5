"""Playing one sound: the transport, the sink that pulls from it, and the clock that follows it while it plays."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from yue2_desktop.audio.device_sink import DeviceSink
from yue2_desktop.audio.sink import AudioSink
from yue2_desktop.audio.transport import Loop, Samples, Transport
from yue2_desktop.library.soundings import Sounding
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.player.opening import MakeSink, Opened, device_names, is_alive, opened
from yue2_desktop.ui.player.playable import Playable, Trouble
from yue2_desktop.ui.player.playhead import Playhead

_TICK_MS: Final = 33


class Playback(QObject):
    """`changed` says that another sound is there, or that it plays or not; `moved` carries the place in seconds.

    `troubled` carries a Trouble, or None when the last one is over.
    """

    changed = Signal()
    moved = Signal(float)
    troubled = Signal(object)
    ended = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        make_sink: MakeSink = DeviceSink,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._make_sink = make_sink
        self._clock = clock
        # A file that is slow to read must not keep a device from being closed.
        self._files, self._devices = Background(self), Background(self)
        for background in (self._files, self._devices):
            background.faulted.connect(self._faulted)
        self._sound: Playable | None = None
        self._transport: Transport | None = None
        self._rate = 1
        self._sink: AudioSink | None = None
        self._wants = False
        self._turn = 0
        self._place = 0
        self._over_at: float | None = None
        self._head = Playhead()
        self._gain = 1.0
        self._device: str | None = None
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def sound(self) -> Playable | None:
        """What is loaded, or about to be."""
        return self._sound

    @property
    def is_playing(self) -> bool:
        """Whether it plays, or will as soon as file and device are open."""
        return self._wants

    @property
    def devices(self) -> Background:
        """The thread on which devices are opened and closed, one after another."""
        return self._devices

    @property
    def device(self) -> str | None:
        """The device that was chosen, None for the system's default."""
        return self._device

    @property
    def seconds(self) -> float:
        """The place that is heard."""
        return self._place / self._rate

    @property
    def length(self) -> float:
        """The length in seconds."""
        if self._transport is not None:
            return self._transport.length / self._rate
        return 0.0 if self._sound is None else self._sound.seconds

    @property
    def loop(self) -> tuple[float, float] | None:
        """The loop in seconds."""
        loop = None if self._transport is None else self._transport.loop
        return None if loop is None else (loop.start / self._rate, loop.stop / self._rate)

    def load(self, sound: Playable | None, *, play: bool = False) -> None:
        """Takes another sound, or none, from its beginning."""
        self.pause()
        self._turn += 1
        self._sound, self._transport = sound, None
        self._place, self._rate = 0, 1
        self._wants = play and sound is not None
        self.troubled.emit(None)
        self.changed.emit()
        self.moved.emit(0.0)
        if sound is not None:
            turn = self._turn
            self._files.run(sound.read, partial(self._loaded, turn), partial(self._unreadable, turn))

    def set_sounding(self, sounding: Sounding) -> None:
        """The waveform of what is loaded was measured meanwhile."""
        if self._sound is not None:
            self._sound = replace(self._sound, sounding=sounding)
            self.changed.emit()

    def _loaded(self, turn: int, value: tuple[Samples, int]) -> None:
        if turn != self._turn:
            return
        samples, self._rate = value
        self._transport = Transport(samples)
        self._transport.set_gain(self._gain)
        self.changed.emit()
        if self._wants:
            self._open()

    def _unreadable(self, turn: int, problem: Problem) -> None:
        if turn == self._turn:
            self._give_up(Trouble(problem.sentence, can_retry=False, can_change=False))

    @Slot()
    def play(self) -> None:
        """Plays from the place where it is; from the beginning where it is at the end."""
        if self._sound is None or self._wants:
            return
        self._wants = True
        self.troubled.emit(None)
        self.changed.emit()
        if self._transport is not None:
            if self._place >= self._transport.length:
                self._place = 0
            self._open()

    def _open(self) -> None:
        transport = self._transport
        assert transport is not None
        self._go_to(self._place)
        work = partial(opened, self._make_sink, self._device, transport.pull, self._rate, transport.channels)
        self._devices.run(work, partial(self._opened, self._turn))

    def _opened(self, turn: int, result: Opened) -> None:
        if turn != self._turn or not self._wants or self._sink is not None:
            self._close_sink(result.sink)
            return
        if result.sink is None:
            self._give_up(Trouble(result.sentence))
            return
        self._sink = result.sink
        self._over_at = None
        if result.is_silent:
            self.troubled.emit(Trouble(self.tr("No sound device: nothing is heard. Export still works."), True, False))
        elif result.stands_in:
            words = self.tr("“{}” is not there; the system's default device plays.").format(self._device)
            self.troubled.emit(Trouble(words, can_retry=True, can_change=False))
        self._timer.start()

    @Slot()
    def pause(self) -> None:
        """Stops where it is."""
        if not self._wants:
            return
        self._follow()
        self._wants = False
        self._turn += 1 if self._transport is not None else 0
        self._let_go()
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        """Stops and goes to the beginning, or to that of the loop."""
        self.pause()
        loop = None if self._transport is None else self._transport.loop
        self._go_to(0 if loop is None else loop.start)

    def seek(self, seconds: float) -> None:
        """Goes to a place."""
        self._over_at = None
        length = 0 if self._transport is None else self._transport.length
        self._go_to(min(max(0, round(seconds * self._rate)), length))

    def set_loop(self, loop: tuple[float, float] | None) -> None:
        """Plays a part again and again; from its beginning where the place is outside."""
        transport = self._transport
        if transport is None:
            return
        if loop is None:
            transport.set_loop(None)
        else:
            start, stop = (min(max(0, round(one * self._rate)), transport.length) for one in loop)
            if start >= stop:
                return
            transport.set_loop(Loop(start, stop))
            if not start <= self._place < stop:
                self._go_to(start)
        self.changed.emit()

    def set_gain(self, gain: float) -> None:
        """Loudness, 0 to 1."""
        self._gain = gain
        if self._transport is not None:
            self._transport.set_gain(gain)

    def set_device(self, device: str | None) -> None:
        """Plays through another device, on from where it is."""
        was_playing = self._wants
        self.pause()
        self._device = device
        self.troubled.emit(None)
        self.changed.emit()
        if was_playing:
            self.play()

    @Slot()
    def retry(self) -> None:
        """Plays again, after a look for what was plugged in meanwhile; it is stopped for that."""
        self.pause()
        self._devices.run(partial(device_names, look_again=True), self._looked)

    def _looked(self, _names: tuple[str, ...]) -> None:
        self.play()

    def close(self) -> None:
        """Stops and waits for that, for a bounded time."""
        self.pause()
        self._turn += 1
        self._timer.stop()
        self._files.close()
        self._devices.close()

    def _go_to(self, place: int) -> None:
        self._place = place
        self._head.jump(place)
        if self._transport is not None:
            self._transport.seek(place)
        self.moved.emit(self.seconds)

    @Slot()
    def _tick(self) -> None:
        transport, sink = self._transport, self._sink
        if transport is None or sink is None:
            return
        self._follow()
        self.moved.emit(self.seconds)
        if transport.at_end:
            now = self._clock()
            self._over_at = now + sink.latency_s if self._over_at is None else self._over_at
            if now >= self._over_at:
                self._finish()
        elif not is_alive(sink):
            name = sink.name
            self._give_up(
                Trouble(self.tr("The sound device “{}” is gone. The place is kept; plug it in again.").format(name))
            )

    def _follow(self) -> None:
        transport, sink = self._transport, self._sink
        if transport is not None and sink is not None:
            latency = round(sink.latency_s * self._rate)
            self._place = self._head.heard(transport.position, latency, transport.loop)

    def _finish(self) -> None:
        transport = self._transport
        self.pause()
        if transport is not None:
            self._go_to(transport.length)
        self.ended.emit()

    def _give_up(self, trouble: Trouble) -> None:
        self.pause()
        self.troubled.emit(trouble)

    def _let_go(self) -> None:
        self._timer.stop()
        sink, self._sink = self._sink, None
        self._close_sink(sink)

    def _close_sink(self, sink: AudioSink | None) -> None:
        if sink is not None:
            self._devices.run(sink.stop)

    @Slot(str)
    def _faulted(self, text: str) -> None:
        self._give_up(Trouble(self.tr("The sound cannot be played: {}").format(text)))
