"""The preview: played through a sink, followed by the cursor, ended in every way."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.ui.score.user import press
from yue2_desktop.audio.sink import Pull, SinkError
from yue2_desktop.score.parser import parse
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.score.preview_player import PreviewPlayer
from yue2_desktop.ui.session import SongSession


class HandSink:
    """Pulls when the test says so."""

    name = "hand"
    latency_s = 0.0

    def __init__(self) -> None:
        self.pull: Pull | None = None

    @property
    def alive(self) -> bool:
        return self.pull is not None

    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:
        assert (sample_rate, channels) == (48_000, 2)
        self.pull = pull

    def stop(self) -> None:
        self.pull = None


class NoSink(HandSink):
    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:
        raise SinkError("There is no sound device.")


@pytest.fixture
def sink(panel: ScorePanel) -> HandSink:
    made = HandSink()
    panel.preview.player.set_sink_factory(lambda: made)
    return made


def test_space_plays_from_the_chosen_note_and_the_cursor_follows(
    panel: ScorePanel, sink: HandSink, open_score: Callable[[str], None], qtbot
) -> None:
    open_score("05")
    press(panel, Qt.Key.Key_Right, Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.preview_requested) as asked:
        press(panel, Qt.Key.Key_Space)
    assert asked.args == [1.0]
    assert panel.notation.time == 1
    assert sink.pull is not None
    block = sink.pull(24_000)
    assert block.shape == (24_000, 2)
    assert np.abs(block).max() > 0.01
    # 24,000 samples are half a second, one quarter at 120 a minute.
    qtbot.waitUntil(lambda: panel.notation.time == Fraction(2))
    assert panel.notation.sheet.sounding(Fraction(2)) != []
    with qtbot.waitSignal(panel.preview_stopped):
        press(panel, Qt.Key.Key_Space)
    assert not sink.alive
    assert panel.notation.time is None


def test_it_ends_by_itself(panel: ScorePanel, sink: HandSink, open_score: Callable[[str], None], qtbot) -> None:
    open_score("09")
    panel.bar.preview.click()
    assert panel.bar.preview.accessibleName() == "Stop the preview"
    assert sink.pull is not None
    with qtbot.waitSignal(panel.preview_stopped):
        sink.pull(48_000 * 60)
    assert panel.bar.preview.accessibleName() == "Play a preview of the score"


def test_an_edit_ends_it(
    panel: ScorePanel, session: SongSession, sink: HandSink, open_score: Callable[[str], None], qtbot
) -> None:
    open_score("05")
    panel.preview.toggle()
    with qtbot.waitSignal(panel.preview_stopped):
        panel.score.set_tempo(90)


def test_a_device_that_fails_says_so(panel: ScorePanel, open_score: Callable[[str], None]) -> None:
    open_score("05")
    panel.preview.player.set_sink_factory(NoSink)
    panel.preview.toggle()
    assert panel.sentence == "There is no sound device."
    assert not panel.preview.player.is_playing


def test_the_position_of_a_song_moves_the_cursor(panel: ScorePanel, open_score: Callable[[str], None]) -> None:
    open_score("05")
    panel.set_position(1.5)
    assert panel.notation.time == 3
    panel.set_position(None)
    assert panel.notation.time is None


def test_with_the_default_sink_nothing_is_left_behind(qtbot) -> None:
    text = 'X:1\nT:\nM:4/4\nL:1/32\nQ:1/4=240\nV: Vocal clef=treble name="Vocal Melody" snm="Vocal"\n'
    text += 'V: Ins clef=treble name="Ins Melody" snm="Inst."\nK:C\n% verse\nV: Vocal\nc32|\nV: Ins\nZ|\n'
    player = PreviewPlayer()
    with qtbot.waitSignal(player.stopped, timeout=5000):
        player.play(parse(text).score)
    assert not player.is_playing
