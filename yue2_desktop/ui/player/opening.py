"""Starting and ending a sink, on a thread beside the window: PortAudio may take its time for both."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from yue2_desktop.audio.device_sink import output_devices
from yue2_desktop.audio.sink import AudioSink, NullSink, Pull, SinkError

_log = logging.getLogger(__name__)

#: Makes the sink for a device by name, None for the system's default.
MakeSink = Callable[[str | None], AudioSink]


@dataclass(frozen=True)
class Opened:
    """A sink that runs, or None with a sentence. `is_silent` says that there is no device, so that nothing is heard.

    `stands_in` says that another device plays, since the one that was asked for is not there.
    """

    sink: AudioSink | None
    sentence: str = ""
    is_silent: bool = False
    stands_in: bool = False


def opened(make: MakeSink, device: str | None, pull: Pull, sample_rate: int, channels: int) -> Opened:
    """Starts the sink for a device; without any device a sink that keeps the time alone (user-reports.md, row 122)."""
    sink = make(device)
    try:
        sink.start(pull, sample_rate, channels)
    except SinkError as error:
        if has_device():
            return Opened(None, str(error))
        silent = NullSink()
        silent.start(pull, sample_rate, channels)
        return Opened(silent, str(error), is_silent=True)
    return Opened(sink, stands_in=device is not None and sink.name != device and has_device())


def device_names(*, look_again: bool = False) -> tuple[str, ...]:
    """The devices that can play, each name once. Without PortAudio there are none."""
    try:
        return tuple(dict.fromkeys(device.name for device in output_devices(look_again=look_again)))
    except SinkError as error:
        _log.info("no devices: %s", error)
        return ()


def has_device() -> bool:
    """Whether there is any device at all."""
    return bool(device_names())


def is_alive(sink: AudioSink) -> bool:
    """Whether a sink still pulls; a lost device may answer with any error."""
    try:
        return sink.alive
    except Exception as error:  # noqa: BLE001 - see above
        _log.warning("the sound device does not answer: %s", error)
        return False
