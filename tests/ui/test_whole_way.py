"""The whole way of one user through one window: real engine process, test model, clicks and keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import mutagen
import numpy as np
import pytest
import soundfile
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QSplitter, QToolButton
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import machine
from tests.ui.whole_way.hands import Hands
from tests.ui.whole_way.user import Looking, User
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import JobPart, JobState
from yue2_desktop.settings import Settings
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.takes.rows import JobRow

WORDS = """（副歌）
夏天的风吹过旧码头
你还在等那一艘船

verse 2:
灯一盏一盏地熄了
我们谁也没有说话
"""
SECONDS = 4.0
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def looking(qtbot: QtBot) -> Looking:
    return Looking(qtbot=qtbot)


@pytest.fixture
def open_window(qtbot: QtBot, looking: Looking, test_model: TestModel, tmp_path: Path) -> Iterator[Callable[[], User]]:
    settings = Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path / "takes", threads=1)
    opened: list[User] = []

    def make() -> User:
        desk = compose(settings, dialogs=looking, read_machine=lambda folder: machine())
        user = User(desk, Hands(desk.window, qtbot))
        desk.show()
        opened.append(user)
        user.hands.wait(lambda: desk.findChild(Controller) is not None)
        return user

    yield make
    looking.unsaved_answer = Unsaved.DISCARD
    opened[-1].close()


def test_the_whole_way(open_window: Callable[[], User], looking: Looking, tmp_path: Path, qtbot: QtBot) -> None:
    """Words from a GBK file to an exported FLAC; and all of it is there the next time."""
    user = open_window()
    words_and_style(user, looking, tmp_path / "夏天.txt")
    written_pasted_transposed(user)
    preview(user)
    two_takes_and_one_is_cancelled(user)
    final = draft_and_final(user)
    looped(user, final)
    exported(user, looking, final, tmp_path)
    path = looking.to_save = tmp_path / "summer.yue2song"
    hands, session = user.hands, user.desk.session
    qtbot.keyClicks(hands.find(QLineEdit, "Title of the song"), "Summer")
    hands.key(Qt.Key.Key_S, CONTROL)
    hands.wait(lambda: path.exists() and not session.is_modified)
    share = moved_share(user)
    song, jobs = session.document, [(job.id, job.state) for job in user.rendering.jobs()]
    folders = [row.folder for row in user.rows()]
    user.close()
    assert not any(asked.startswith(("unsaved", "leave")) for asked in looking.asked)

    again = open_window()
    (entry,) = (one for one in menu_entries(again, "Open recent") if one.text().startswith("summer"))
    entry.trigger()
    again.hands.wait(lambda: again.desk.session.document == song)
    again.hands.wait(lambda: [row.folder for row in again.rows()] == folders)
    assert not again.desk.session.is_modified
    assert [(job.id, job.state) for job in again.rendering.jobs()] == jobs
    assert [row.folder for row in again.rows() if row.take.star] == [final]
    assert [row.job.state for row in again.takes.model.rows if isinstance(row, JobRow)] == [JobState.CANCELLED]
    assert share_of_takes(again) == pytest.approx(share, abs=0.03)
    again.hands.wait(lambda: again.hands.seen(QToolButton, "Key: D major") != [])


def words_and_style(user: User, looking: Looking, file: Path) -> None:
    """Words from a file that does not say its encoding; their tags mended by one click; a style, typed."""
    hands, session = user.hands, user.desk.session
    file.write_bytes(WORDS.encode("gbk"))
    hands.drop(file)
    hands.wait(lambda: "旧码头" in session.document.lyrics)
    assert all("旧码头" in seen for seen in looking.previews)
    hands.click("Fix all")
    hands.wait(lambda: "[Chorus]" in session.document.lyrics)
    assert "[Verse 2]" in session.document.lyrics
    hands.qtbot.keyClicks(hands.find(QLineEdit, "Add to the style"), "Mandarin, folk, guitar,")
    hands.wait(lambda: "guitar" in session.document.style)
    # Nothing in the window asks for a song so short; and a stage has to last until somebody can cancel it.
    short = replace(session.document.render, max_frames=round(25 * SECONDS), ode_steps=64)
    session.apply("Short", replace(session.document, render=short, abc_sampling={"max_tokens": 64}))


def written_pasted_transposed(user: User) -> None:
    """What the test model writes is noise, so a good score is pasted over it, and moved to another key."""
    hands, session = user.hands, user.desk.session
    hands.click("Write score")
    hands.wait(lambda: session.document.score is not None)
    assert [(job.part, job.state) for job in user.rendering.jobs()] == [(JobPart.SCORE, JobState.DONE)]
    # What has no bars cannot be drawn, so the panel shows its text by itself.
    text = hands.find(QPlainTextEdit, "Text of the score")
    QApplication.clipboard().setText(GOOD["01_full_twinkle"])
    for keys in (QKeySequence.StandardKey.SelectAll, QKeySequence.StandardKey.Paste):
        hands.qtbot.keySequence(text, keys)
    hands.find(QToolButton, "Key: C major")
    hands.pick("Key: C major", "Up", "+2")
    hands.find(QToolButton, "Key: D major")
    assert session.document.score is not None
    assert "K:D" in session.document.score.text


def preview(user: User) -> None:
    """The score is heard, and stopped."""
    hands, player = user.hands, user.score.preview.player
    hands.click("Play a preview of the score")
    hands.wait(lambda: player.is_playing)
    hands.click("Stop the preview")
    hands.wait(lambda: not player.is_playing)


def two_takes_and_one_is_cancelled(user: User) -> None:
    """Two takes with seeds in a row; the second is cancelled while its sound is shaped."""
    hands = user.hands
    hands.pick("How many takes", "2 takes")
    hands.click("Render 2 takes")
    hands.wait(lambda: user.cancels_in("acoustic"))
    first, second = user.take_jobs()
    assert (first.state, second.state) == (JobState.DONE, JobState.CANCELLED), (first.problem, second.problem)
    assert second.seed == first.seed + 1


def draft_and_final(user: User) -> Path:
    """A draft by key, then its final from the same tokens; the folder of the final."""
    hands = user.hands
    hands.pick("How many takes", "One take")
    hands.pick("Quality:", "Draft")
    hands.key(Qt.Key.Key_Return, CONTROL)
    draft = user.wait_for_take(3)
    user.pick(draft, "Make the final")
    final = user.wait_for_take(4)
    assert np.array_equal(np.load(draft / "semantic.npy"), np.load(final / "semantic.npy"))
    steps = {row.folder: row.take.ode_steps for row in user.rows()}
    assert (steps[draft], steps[final]) == (8, 32)
    return final


def looped(user: User, take: Path) -> None:
    """It is starred and played, and one section of it again and again."""
    hands, playback = user.hands, user.player.playback
    hands.do_until(lambda: user.press(take, "star"), lambda: any(row.take.star for row in user.rows()))
    hands.do_until(lambda: user.press(take, "play"), lambda: playback.seconds > 0)
    hands.pick("Loop: off", "Intro")
    assert playback.loop is not None
    start, stop = playback.loop
    places: list[float] = []
    user.player.position_changed.connect(lambda _key, place: places.append(place))
    hands.wait(lambda: any(later < sooner for sooner, later in pairwise(places)))
    assert all(start - 0.05 <= place <= stop + 0.05 for place in places)
    hands.click("Pause")


def exported(user: User, looking: Looking, take: Path, folder: Path) -> None:
    """As FLAC, with its length and its tags."""
    looking.edit = user.export
    user.pick(take, "Export")
    user.hands.wait(lambda: list(folder.glob("*.flac")) != [])
    (sound,) = folder.glob("*.flac")
    assert sound.name == "夏天的风吹过旧码头.flac"
    assert soundfile.info(sound).duration == pytest.approx(SECONDS, abs=0.05)
    tags = mutagen.File(sound).tags
    assert tags["TITLE"] == ["夏天的风吹过旧码头"]
    assert "[Chorus]" in tags["LYRICS"][0]
    made = json.loads(tags["YUE2_SONG"][0])
    assert "K:D" in made["score"]
    assert made["song"]["take"] == 4, "one was cancelled, one is its draft"
    assert "seed" in tags["COMMENT"][0]


def moved_share(user: User) -> float:
    """The list of takes is made higher by its handle; its share of the window's height."""
    before = share_of_takes(user)
    handle = halves(user).handle(1)
    user.hands.qtbot.mousePress(handle, Qt.MouseButton.LeftButton)
    user.hands.qtbot.mouseMove(handle, handle.rect().center() + QPoint(0, -40))
    user.hands.qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton)
    assert share_of_takes(user) > before
    return share_of_takes(user)


def share_of_takes(user: User) -> float:
    above, below = halves(user).sizes()
    return below / (above + below)


def halves(user: User) -> QSplitter:
    return next(one for one in user.desk.window.findChildren(QSplitter) if one.widget(1) is user.takes)


def menu_entries(user: User, name: str) -> list[object]:
    """The entries of a menu inside the menus of the bar."""
    tops = [one.menu() for one in user.desk.window.menuBar().actions()]
    inside = [one for top in tops for one in top.actions() if one.menu() and one.text().replace("&", "") == name]
    return list(inside[0].menu().actions())
