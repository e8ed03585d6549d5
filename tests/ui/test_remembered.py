"""What the window remembers from one start to the next."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song
from yue2_desktop.audio.sink import AudioSink, NullSink
from yue2_desktop.settings import Settings
from yue2_desktop.song.project_file import save_project
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.remembered import Remembered
from yue2_desktop.ui.score.panel import ScorePanel


def test_the_sound_device_of_the_last_time_plays_takes_and_scores(desk: Desk, answers: Answers, qtbot: QtBot) -> None:
    desk.window.findChild(PlayerBar).device_button.chosen.emit("earphones")
    assert desk.window.close()
    asked: list[str | None] = []

    def made(device: str | None) -> AudioSink:
        asked.append(device)
        return NullSink()

    again = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine(), make_sink=made)
    player = again.window.findChild(PlayerBar)
    assert player.playback.device == "earphones"
    assert "earphones" in player.device_button.accessibleName()
    again.window.findChild(ScorePanel).preview.player._make_sink()
    assert asked == ["earphones"]
    player.device_button.chosen.emit(None)
    assert again.remembered.sound_device() is None
    again.show()
    qtbot.waitUntil(lambda: not again.background.is_busy, timeout=20_000)
    again.window.close()
    again.window.deleteLater()
    again.deleteLater()


def test_it_is_written_and_read(tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "window.ini"
    path = save_project(song(), tmp_path / "Fähre.yue2song").path
    first = Remembered(file)
    first.keep_sound_device("Kopfhörer (USB), 2")
    first.keep_song(path)
    first.write()
    again = Remembered(file)
    assert (again.sound_device(), again.song()) == ("Kopfhörer (USB), 2", path)
    path.unlink()
    assert again.song() is None
    again.keep_song(None)
    assert again.song() is None


def test_what_cannot_be_read_is_forgotten(tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "window.ini"
    file.write_bytes(b"[sound]\ndevice=a, b\n[General]\nsong=@Point(1 2)\nrecent=@Invalid()\n\xff\xfe")
    kept = Remembered(file)
    assert kept.sound_device() is None
    assert kept.song() is None
    assert kept.recent() == ()
