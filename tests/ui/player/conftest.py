"""A player whose sinks are driven by hand, over a sound system with two devices."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.player.sinks import Sinks, playable
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.player.playable import Playable


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the devices that PortAudio knows; a list that a test may change. `calls` of it are looks."""
    names = ["speakers", "headphones"]
    fake = types.SimpleNamespace(
        query_devices=lambda: [{"name": name, "hostapi": 0, "max_output_channels": 2} for name in names],
        query_hostapis=lambda: [{"name": "ALSA"}],
        default=types.SimpleNamespace(device=(0, 0 if names else -1)),
        _terminate=lambda: None,
        _initialize=lambda: None,
    )
    monkeypatch.setitem(sys.modules, "sounddevice", fake)  # type: ignore[arg-type]
    return names


@pytest.fixture
def sinks(devices: list[str]) -> Sinks:
    return Sinks()


@pytest.fixture
def bar(qtbot: QtBot, sinks: Sinks) -> Iterator[PlayerBar]:
    made = PlayerBar(make_sink=sinks.make)
    qtbot.addWidget(made)
    made.resize(1000, 60)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close_sound()


@pytest.fixture
def play(bar: PlayerBar, sinks: Sinks, qtbot: QtBot) -> Callable[..., None]:
    """Plays a sound and waits until a sink pulls."""

    def played(sound: Playable | None = None) -> None:
        count = len(sinks.made)
        bar.load(sound or playable())
        if not bar.playback.is_playing:
            bar.playback.play()
        qtbot.waitUntil(lambda: len(sinks.made) > count and bar.playback._sink is not None)

    return played
