"""The sound device, through PortAudio; the only module that knows `sounddevice`, and imports it when it is needed."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from yue2_desktop.audio.sink import Pull, SinkError

_log = logging.getLogger(__name__)

#: At least this much is buffered: Python may be busy for that long without a gap in the sound.
LATENCY_S = 0.2
_CLOSE_PATIENCE_S = 2.0


@dataclass(frozen=True)
class OutputDevice:
    """A device that can play: PortAudio's index at the time, its name and the system's sound interface."""

    index: int
    name: str
    interface: str
    is_default: bool


def _sounddevice() -> Any:
    try:
        import sounddevice
    except (ImportError, OSError) as error:  # OSError: the PortAudio library is missing
        raise SinkError(
            "Sound cannot be played: the PortAudio library is missing. On Debian: apt install libportaudio2. "
            "Takes can still be exported."
        ) from error
    return sounddevice


def output_devices(*, look_again: bool = False) -> tuple[OutputDevice, ...]:
    """The devices that can play, the default one marked. Raises SinkError without PortAudio.

    `look_again` makes PortAudio see what was plugged in since; it ends every running stream, so only while none runs.
    """
    sd = _sounddevice()
    if look_again:
        sd._terminate()  # noqa: SLF001 - PortAudio has no other way to see a new device
        sd._initialize()  # noqa: SLF001
    default = sd.default.device[1]
    interfaces = sd.query_hostapis()
    return tuple(
        OutputDevice(index, device["name"], interfaces[device["hostapi"]]["name"], index == default)
        for index, device in enumerate(sd.query_devices())
        if device["max_output_channels"] >= 1
    )


class DeviceSink:
    """Plays through a device by name, or the system's default one where `device` is None or gone."""

    def __init__(self, device: str | None = None) -> None:
        self._wanted = device
        self._stream: Any = None
        self._name = device or "default device"

    @property
    def name(self) -> str:
        return self._name

    @property
    def latency_s(self) -> float:
        return float(self._stream.latency) if self._stream is not None else LATENCY_S

    @property
    def alive(self) -> bool:
        return self._stream is not None and bool(self._stream.active)

    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:
        self.stop()
        sd = _sounddevice()
        devices = output_devices()
        chosen = next((device for device in devices if device.name == self._wanted), None)
        if chosen is None:
            chosen = next((device for device in devices if device.is_default), devices[0] if devices else None)
        if chosen is None:
            raise SinkError("There is no sound device. Plug one in and choose it again; takes can still be exported.")

        def callback(out: npt.NDArray[np.float32], frames: int, _time: Any, status: Any) -> None:
            if status:
                _log.warning("sound device: %s", status)
            out[:] = pull(frames)

        try:
            self._stream = sd.OutputStream(
                samplerate=sample_rate,
                channels=channels,
                dtype="float32",
                device=chosen.index,
                latency=LATENCY_S,
                callback=callback,
            )
            self._stream.start()
        except (sd.PortAudioError, ValueError) as error:
            self._stream = None
            raise SinkError(
                f"The sound device '{chosen.name}' cannot be opened ({_reason(error)}). "
                "Another program may hold it; close that one, or choose another device."
            ) from error
        self._name = chosen.name

    def stop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is None:
            return
        # Closing can hang for ever when the device was unplugged; then it is left to a thread of its own.
        closer = threading.Thread(target=_close, args=(stream,), name="close sound device", daemon=True)
        closer.start()
        closer.join(_CLOSE_PATIENCE_S)
        if closer.is_alive():
            _log.warning("the sound device does not close; it is left behind")


def _close(stream: Any) -> None:
    try:
        stream.abort()
        stream.close()
    except Exception as error:  # noqa: BLE001 - a lost device may raise anything, and is gone either way
        _log.warning("closing the sound device: %s", error)


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
