"""Peaks, levels, the transport and the sinks, without a sound device."""

from __future__ import annotations

import math
import sys
import threading
import types

import numpy as np
import pytest

from yue2_desktop.audio.device_sink import DeviceSink, output_devices
from yue2_desktop.audio.levels import levels_of
from yue2_desktop.audio.peaks import FINEST, peaks_of
from yue2_desktop.audio.sink import NullSink, SinkError
from yue2_desktop.audio.transport import FADE, Loop, Transport

RATE = 48_000


def _noise(samples: int, seed: int = 0) -> np.ndarray:
    return (np.random.default_rng(seed).random((samples, 2), dtype=np.float32) - 0.5) * 1.8


def _ramp(samples: int) -> np.ndarray:
    """Each sample is its own index: what was played can be read off."""
    return np.repeat(np.arange(samples, dtype=np.float32)[:, None], 2, axis=1)


@pytest.mark.parametrize(("start", "stop", "width"), [(0, 100_000, 37), (5_000, 90_001, 500), (0, 100_000, 1)])
def test_columns_hold_every_sample(start: int, stop: int, width: int) -> None:
    audio = _noise(100_000)
    columns = peaks_of(audio).columns(start, stop, width)
    size = (stop - start) / width
    for index in range(width):
        part = audio[int(start + index * size) : math.ceil(start + (index + 1) * size)]
        # A column may reach over its edges by less than a unit of its level, never under.
        assert columns[index, 0] <= part.min()
        assert columns[index, 1] >= part.max()
        wide = audio[max(0, int(start + index * size - size - FINEST)) : math.ceil(start + (index + 2) * size + FINEST)]
        assert columns[index, 0] >= wide.min()
        assert columns[index, 1] <= wide.max()


def test_columns_beyond_the_sound_are_flat() -> None:
    peaks = peaks_of(_noise(FINEST * 4))
    columns = peaks.columns(0, FINEST * 8, 8)
    assert np.all(columns[4:] == 0)
    assert np.all(columns[:4, 1] > 0)
    assert peaks.columns(10, 10, 5).shape == (5, 2)
    assert peaks_of(np.zeros((0, 2), np.float32)).columns(0, 100, 4).tolist() == [[0, 0]] * 4


def test_a_song_makes_a_small_pyramid() -> None:
    peaks = peaks_of(np.zeros((215 * RATE, 2), np.float32))
    assert peaks.nbytes < 512 * 1024


def test_levels_of_a_known_sound() -> None:
    t = np.arange(RATE) / RATE
    tone = np.repeat((0.5 * np.sin(2 * np.pi * 480 * t)).astype(np.float32)[:, None], 2, axis=1)
    sound = np.concatenate([tone, np.zeros((4 * RATE, 2), np.float32)])
    levels = levels_of(sound, RATE)
    assert levels.seconds == 5.0
    assert levels.peak_dbfs == pytest.approx(-6.02, abs=0.01)
    assert levels.rms_dbfs == pytest.approx(-9.03 - 10 * math.log10(5), abs=0.01)
    assert levels.clipped == 0
    assert levels.tail_silence_s == pytest.approx(4.0, abs=0.06)
    assert levels.has_silent_tail
    assert not levels_of(tone, RATE).has_silent_tail
    loud = tone.copy()
    loud[: RATE // 2] = 1.0
    assert levels_of(loud, RATE).clipped == 0.5


def test_silence_is_silence_and_no_error() -> None:
    for audio in (np.zeros((RATE, 2), np.float32), np.zeros((0, 2), np.float32)):
        levels = levels_of(audio, RATE)
        assert levels.peak_dbfs == -math.inf
        assert levels.is_silent
        assert not levels.has_silent_tail


def test_blocks_follow_one_another_and_end_in_silence() -> None:
    ends: list[int] = []
    transport = Transport(_ramp(1000), on_end=lambda: ends.append(transport.length))
    assert np.array_equal(np.concatenate([transport.pull(300) for _ in range(3)])[:, 0], np.arange(900))
    last = transport.pull(300)
    assert np.array_equal(last[:100, 0], np.arange(900, 1000))
    assert np.all(last[100:] == 0)
    transport.pull(10)
    assert ends == [1000], "told once, though pulled again"
    assert transport.at_end
    transport.seek(0)
    assert not transport.at_end


def test_a_jump_is_faded() -> None:
    audio = np.ones((10_000, 2), np.float32)
    audio[5_000:] = -1
    transport = Transport(audio)
    transport.pull(1000)
    transport.seek(6_000)
    block = transport.pull(1000)[:, 0]
    assert np.abs(np.diff(block)).max() < 3 / FADE
    assert block[0] == 1
    assert np.all(block[FADE:] == -1)
    assert transport.position == 7_000


def test_a_loop_repeats_its_region() -> None:
    transport = Transport(_ramp(10_000))
    transport.set_loop(Loop(2_000, 3_000))
    transport.seek(2_500)
    transport.pull(1)  # past the fade of the jump, which is over when the block is
    block = np.concatenate([transport.pull(499), transport.pull(2_000)])[:, 0]
    assert np.array_equal(block[:499], np.arange(2_501, 3_000))
    assert np.array_equal(block[499 + FADE : 1_499], np.arange(2_000 + FADE, 3_000))
    assert transport.position == 2_000 or transport.position == 3_000
    transport.set_loop(None)
    assert transport.loop is None
    with pytest.raises(ValueError, match="start before"):
        Loop(5, 5)


def test_gain_is_reached_without_a_step() -> None:
    transport = Transport(np.ones((10_000, 2), np.float32))
    transport.pull(10)
    transport.set_gain(0.25)
    block = transport.pull(1000)[:, 0]
    assert np.abs(np.diff(block)).max() < 2 / FADE
    assert np.all(block[FADE:] == 0.25)
    assert np.all(transport.pull(10) == 0.25)


def test_the_null_sink_keeps_the_clock() -> None:
    done = threading.Event()
    frames: list[int] = []

    def pull(count: int) -> np.ndarray:
        frames.append(count)
        if sum(frames) > RATE // 10:
            done.set()
        return np.zeros((count, 2), np.float32)

    sink = NullSink(block_s=0.005)
    sink.start(pull, RATE, 2)
    assert sink.alive
    assert done.wait(5)
    sink.stop()
    assert not sink.alive
    count = len(frames)
    sink.stop()
    assert len(frames) == count


def _fake_sounddevice(monkeypatch: pytest.MonkeyPatch, devices: list[dict[str, object]], default: int) -> list[str]:
    calls: list[str] = []

    class PortAudioError(Exception):
        pass

    class Stream:
        latency = 0.25
        active = True

        def __init__(self, *, device: int, **more: object) -> None:
            calls.append(f"open {device}")
            if devices[device].get("busy"):
                raise PortAudioError("Device unavailable [PaErrorCode -9985]\nmore")

        def start(self) -> None:
            calls.append("start")

        def abort(self) -> None:
            calls.append("abort")
            raise PortAudioError("lost")

        def close(self) -> None:
            calls.append("close")

    fake = types.SimpleNamespace(
        query_devices=lambda: devices,
        query_hostapis=lambda: [{"name": "ALSA"}],
        default=types.SimpleNamespace(device=(0, default)),
        OutputStream=Stream,
        PortAudioError=PortAudioError,
        _terminate=lambda: calls.append("terminate"),
        _initialize=lambda: calls.append("initialize"),
    )
    monkeypatch.setitem(sys.modules, "sounddevice", fake)  # type: ignore[arg-type]
    return calls


def _device(name: str, channels: int = 2, **more: object) -> dict[str, object]:
    return {"name": name, "hostapi": 0, "max_output_channels": channels, **more}


def _pull(frames: int) -> np.ndarray:
    return np.zeros((frames, 2), np.float32)


def test_without_portaudio_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 122: no library at all."""
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(SinkError, match="libportaudio2"):
        output_devices()


def test_without_a_device_the_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 122: the library, and no device (default -1)."""
    _fake_sounddevice(monkeypatch, [_device("microphone", 0)], -1)
    with pytest.raises(SinkError, match="no sound device"):
        DeviceSink().start(_pull, RATE, 2)


def test_the_wanted_device_is_taken_else_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = _fake_sounddevice(monkeypatch, [_device("mic", 0), _device("speakers"), _device("headphones")], 1)
    sink = DeviceSink("headphones")
    sink.start(_pull, RATE, 2)
    assert (sink.name, sink.alive, sink.latency_s) == ("headphones", True, 0.25)
    sink.stop()
    gone = DeviceSink("unplugged")
    gone.start(_pull, RATE, 2)
    assert gone.name == "speakers"
    assert calls[0] == "open 2"
    assert "open 1" in calls
    gone.stop()
    assert not gone.alive


def test_a_lost_device_is_closed_without_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 124: abort raises on a device that is gone."""
    calls = _fake_sounddevice(monkeypatch, [_device("speakers")], 0)
    sink = DeviceSink()
    sink.start(_pull, RATE, 2)
    sink.stop()
    assert calls == ["open 0", "start", "abort"]


def test_a_busy_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 126."""
    _fake_sounddevice(monkeypatch, [_device("speakers", busy=True)], 0)
    with pytest.raises(SinkError, match=r"'speakers' cannot be opened .*-9985.*choose another device"):
        DeviceSink().start(_pull, RATE, 2)


def test_new_devices_are_seen_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 123."""
    calls = _fake_sounddevice(monkeypatch, [_device("speakers")], 0)
    assert [device.name for device in output_devices()] == ["speakers"]
    assert calls == []
    output_devices(look_again=True)
    assert calls == ["terminate", "initialize"]
