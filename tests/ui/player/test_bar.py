"""The player: playing, places, loops, devices that are busy, gone or not there, and closing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.player.sinks import RATE, Sinks, playable
from tests.ui.takes.samples import sounding
from yue2_desktop.audio.device_sink import LATENCY_S
from yue2_desktop.audio.sink import AudioSink, NullSink
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.player.playable import Playable

Play = Callable[..., None]


def test_playing_follows_what_is_heard(bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot) -> None:
    told: list[tuple[str, bool]] = []
    bar.playing_changed.connect(lambda key, plays: told.append((key, plays)))
    play()
    assert bar.play_button.accessibleName() == "Pause"
    sinks.last.feed(12.2)
    qtbot.waitUntil(lambda: bar.playback.seconds == pytest.approx(12.0))
    assert bar._time.text() == "0:12 / 1:00"
    assert bar._title.toolTip() == "Ferry, take 1 · Verse"
    bar.play_pause()
    assert not bar.playback._timer.isActive(), "no timer while nothing plays"
    qtbot.waitUntil(lambda: not sinks.last.alive)
    assert told[-1] == ("/music/one", False)
    assert ("/music/one", True) in told


def test_going_on_begins_where_it_was_heard_last(bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot) -> None:
    play()
    sinks.last.feed(5.2)
    bar.play_pause()
    play()
    block = sinks.last.feed(1.0)
    assert block[-1, 0] == 5 * RATE + 1000 - 1


def test_a_click_goes_there_and_a_drag_loops(bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot) -> None:
    play()
    strip = bar.strip
    width, middle = strip.width(), strip.height() // 2
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(width // 2, middle))
    assert bar.playback.seconds == pytest.approx(30, abs=0.2)
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(width // 4, middle))
    qtbot.mouseMove(strip, QPoint(width // 2, middle))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(width // 2, middle))
    loop = bar.playback.loop
    assert loop is not None
    assert loop == (pytest.approx(15, abs=0.2), pytest.approx(30, abs=0.2))
    assert bar.playback.seconds == pytest.approx(15, abs=0.3), "from the beginning of the loop"
    assert bar.loop_button.isChecked()
    qtbot.keyClick(strip, Qt.Key.Key_L)
    assert bar.playback.loop is None


def test_esc_ends_a_drag_and_nothing_else(bar: PlayerBar, play: Play, qtbot: QtBot) -> None:
    play()
    strip = bar.strip
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    qtbot.mouseMove(strip, QPoint(200, 10))
    qtbot.keyClick(strip, Qt.Key.Key_Escape)
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(200, 10))
    assert bar.playback.loop is None
    assert bar.playback.is_playing


def test_a_section_is_looped(bar: PlayerBar, sinks: Sinks, play: Play) -> None:
    play()
    menu = bar.loop_button.findChild(QMenu)
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert "Chorus, 0:40 to 1:00" in texts
    menu.actions()[texts.index("Chorus, 0:40 to 1:00")].trigger()
    assert bar.playback.loop == (40, 60)
    heard = sinks.last.feed(25.0)[:, 0]
    assert heard[-1] == 45 * RATE - 1, "20 s of chorus, then 5 s of it again"


def test_keys_of_the_waveform(bar: PlayerBar, play: Play, qtbot: QtBot) -> None:
    play()
    for key, place in (
        (Qt.Key.Key_Right, 5), (Qt.Key.Key_Right, 10), (Qt.Key.Key_Left, 5), (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 60),
    ):  # fmt: skip
        qtbot.keyClick(bar.strip, key)
        assert bar.playback.seconds == pytest.approx(place, abs=0.3)
    assert bar.strip.accessibleName() == "Place 1:00 of 1:00"


def test_at_the_end_it_stops_and_plays_anew(bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot) -> None:
    play()
    bar.playback.seek(59.9)
    with qtbot.waitSignal(bar.playback.ended):
        sinks.last.feed(1.0)
    assert not bar.playback.is_playing
    assert bar._time.text() == "1:00 / 1:00"
    play()
    assert sinks.last.feed(1.0)[-1, 0] == RATE - 1


def test_a_busy_device_is_named_with_its_cures(bar: PlayerBar, sinks: Sinks, qtbot: QtBot, devices: list[str]) -> None:
    """Row 126: -9985."""
    sinks.refuse = "The sound device 'headphones' cannot be opened (-9985). Choose another device."
    bar.set_device("headphones")
    bar.load(playable())
    qtbot.waitUntil(bar.trouble.isVisible)
    assert "headphones" in bar.trouble.text
    assert not bar.playback.is_playing
    sinks.refuse = ""
    bar.trouble.retry.click()
    qtbot.waitUntil(lambda: bar.playback._sink is not None)
    assert sinks.made[-1][0] == "headphones"
    assert not bar.trouble.isVisible()


def test_a_lost_device_keeps_the_place_and_the_default_plays_on(
    bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot
) -> None:
    """Row 124."""
    bar.set_device("headphones")
    play()
    sinks.last.feed(20.2)
    qtbot.waitUntil(lambda: bar.playback.seconds == pytest.approx(20.0))
    sinks.last.alive = False
    qtbot.waitUntil(bar.trouble.isVisible)
    assert "“headphones” is gone" in bar.trouble.text
    assert bar.playback.seconds == pytest.approx(20.0)
    count = len(sinks.made)
    bar.trouble.default.click()
    qtbot.waitUntil(lambda: len(sinks.made) > count and bar.playback._sink is not None)
    assert sinks.made[-1][0] is None
    assert sinks.last.feed(1.0)[-1, 0] == 21 * RATE - 1


@pytest.mark.parametrize("library", [True, False], ids=["no device", "no PortAudio"])
def test_without_a_device_the_place_moves_and_it_says_why(
    qtbot: QtBot, devices: list[str], monkeypatch: pytest.MonkeyPatch, library: bool
) -> None:
    """Row 122: no device at all, or no library; export still works."""
    devices.clear()
    if not library:
        monkeypatch.setitem(sys.modules, "sounddevice", None)
    bar = PlayerBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.load(playable())
    qtbot.waitUntil(lambda: bar.playback.seconds > 0.1)
    assert "Export still works" in bar.trouble.text
    assert not bar.trouble.default.isVisible()
    bar.close_sound()


def test_new_devices_are_looked_for_only_while_nothing_plays(
    bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot, devices: list[str]
) -> None:
    """Row 123: looking again would end what plays."""
    button = bar.device_button
    button._menu.aboutToShow.emit()
    assert button.entries[0] == "Looking for devices…"
    qtbot.waitUntil(lambda: len(button.entries) > 2)
    assert button.entries == ("The system's default", "speakers", "headphones", "Look again")
    devices.append("new one")
    button._menu.actions()[-1].trigger()
    qtbot.waitUntil(lambda: "new one" in button.entries)
    play()
    button._menu.aboutToShow.emit()
    again = button._menu.actions()[-1]
    assert again.text() == "Look again (while nothing plays)"
    assert not again.isEnabled()


def test_another_device_plays_on_from_there(bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot) -> None:
    play()
    sinks.last.feed(10.2)
    qtbot.waitUntil(lambda: bar.playback.seconds == pytest.approx(10.0))
    first = sinks.last
    with qtbot.waitSignal(bar.device_chosen) as told:
        bar.device_button.chosen.emit("headphones")
    assert told.args == ["headphones"]
    qtbot.waitUntil(lambda: len(sinks.made) == 2 and bar.playback._sink is sinks.last)
    assert not first.alive
    assert sinks.last.feed(1.0)[-1, 0] == 11 * RATE - 1
    assert "headphones" in bar.device_button.accessibleName()


def test_volume_is_even_to_the_ear_and_mute_comes_back(bar: PlayerBar, sinks: Sinks, play: Play) -> None:
    bar.volume.slider.setValue(50)
    play()
    assert bar.playback._transport is not None
    sinks.last.feed(1.0)
    assert sinks.last.feed(1.0)[-1, 0] == pytest.approx((2 * RATE - 1) / 4)
    bar.volume.mute.click()
    sinks.last.feed(1.0)
    assert sinks.last.feed(1.0)[-1, 0] == 0
    bar.volume.mute.click()
    assert bar.volume.gain == 0.25


def test_another_take_while_the_first_still_opens(bar: PlayerBar, sinks: Sinks, qtbot: QtBot) -> None:
    bar.load(playable("/music/one"))
    bar.load(playable("/music/two"))
    qtbot.waitUntil(lambda: bar.playback._sink is not None)
    qtbot.waitUntil(lambda: not bar.playback.devices.is_busy)
    assert bar.key == "/music/two"
    assert [sink.alive for _, sink in sinks.made].count(True) == 1
    bar.play_pause()
    bar.play_pause()
    bar.play_pause()
    qtbot.waitUntil(lambda: not bar.playback.devices.is_busy)
    assert not any(sink.alive for _, sink in sinks.made)


def test_a_file_that_cannot_be_read_says_why(bar: PlayerBar, qtbot: QtBot) -> None:
    def unreadable() -> object:
        raise Problem(ProblemKind.BAD_FILE, "/music/one/audio.flac is not a readable FLAC or WAV file.")

    bar.load(Playable("/music/one", "Ferry", unreadable))  # type: ignore[arg-type]
    qtbot.waitUntil(bar.trouble.isVisible)
    assert "not a readable" in bar.trouble.text
    assert not bar.trouble.retry.isVisible()
    assert not bar.playback.is_playing


def test_a_take_on_its_way_to_the_bin_is_let_go(bar: PlayerBar, sinks: Sinks, play: Play, qtbot: QtBot) -> None:
    play()
    bar.release("/music/other")
    assert bar.key == "/music/one"
    bar.release("/music/one")
    assert bar.key == ""
    assert bar._title.text() == "Nothing to play yet"
    qtbot.waitUntil(lambda: not sinks.last.alive)
    assert not bar.play_button.isEnabled()


def test_closing_waits_for_a_device_that_takes_its_time(bar: PlayerBar, sinks: Sinks, play: Play) -> None:
    """Row 124: close() is bounded; here the device needs 0.3 s, and nothing pulls when it returns."""
    play()
    sink, stop = sinks.last, sinks.last.stop

    def slow() -> None:
        time.sleep(0.3)
        stop()

    sink.stop = slow  # type: ignore[method-assign]
    begin = time.monotonic()
    bar.close_sound()
    assert not sink.alive
    assert time.monotonic() - begin < 5
    bar.close_sound()


def test_a_busy_window_does_not_stop_the_sound(qtbot: QtBot, devices: list[str]) -> None:
    """Row 127: blocks are pulled by a thread of the sink's own, and a device has 200 ms of them beforehand."""
    bar = PlayerBar(make_sink=lambda device: NullSink(block_s=0.005))
    qtbot.addWidget(bar)
    bar.load(playable())
    qtbot.waitUntil(lambda: bar.playback._sink is not None)
    transport = bar.playback._transport
    assert transport is not None
    before = transport.position
    threading.Event().wait(0.3)  # the event loop does not run
    assert transport.position - before >= 0.2 * RATE
    assert LATENCY_S >= 0.2
    bar.close_sound()


def test_the_waveform_is_painted_once_for_its_size(bar: PlayerBar, play: Play, qtbot: QtBot) -> None:
    play()
    bar.set_sounding("/music/other", sounding())
    assert bar.strip._sounding is None
    bar.set_sounding("/music/one", sounding())
    for place in (1.0, 20.0, 50.0):
        bar.playback.seek(place)
        assert not bar.grab().isNull()
    assert len(bar.strip._waves._made) == 2, "played and not yet played"


def test_every_control_has_a_name_and_tab_goes_in_reading_order(bar: PlayerBar, play: Play) -> None:
    play()
    ours: list[QWidget] = [
        bar.play_button, bar.stop_button, bar.strip, bar.loop_button, bar.volume.mute, bar.volume.slider,
        bar.device_button,
    ]  # fmt: skip
    assert all(control.accessibleName() for control in ours)
    assert all(control.focusPolicy() & Qt.FocusPolicy.TabFocus for control in ours)
    order: list[QWidget] = []
    control: QWidget = bar.play_button
    for _ in range(60):
        if control in ours and control not in order:
            order.append(control)
        control = control.nextInFocusChain()
    assert order == ours


def test_a_remembered_device_that_is_gone_is_stood_in_for_and_tried_again(
    qtbot: QtBot, sinks: Sinks, devices: list[str]
) -> None:
    """It is said, it plays, and the choice stays."""
    here = ["speakers"]

    def make(device: str | None) -> AudioSink:
        sinks.make(device)
        sinks.last.name = device if device in here else "speakers"
        return sinks.last

    bar = PlayerBar(make_sink=make)
    qtbot.addWidget(bar)
    bar.set_device("earphones")
    bar.load(playable(), play=True)
    qtbot.waitUntil(lambda: bar.trouble.text != "")
    assert bar.trouble.text == "“earphones” is not there; the system's default device plays."
    assert bar.playback.is_playing
    assert bar.playback.device == "earphones"
    assert bar.trouble.default.isHidden()
    here.append("earphones")
    bar.trouble.retry.click()
    qtbot.waitUntil(lambda: bar.playback.is_playing and sinks.last.alive and len(sinks.made) == 2)
    assert bar.trouble.text == ""
    assert sinks.last.name == "earphones"
    bar.close_sound()
