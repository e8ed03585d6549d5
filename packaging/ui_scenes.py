"""The window in the states in which it is looked at: empty, full, busy in each stage, and with something wrong."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap, QTextCursor
from PySide6.QtWidgets import QApplication
from ui_dialogs import dialogs
from ui_longer import Longer
from ui_pose import SMALL, STANDINGS, Pose, desk_of, example, failing, inside, long_song, pause, posed, settle

from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.theme.applied import Theme
from yue2_desktop.ui.theme.metrics import SMALLEST
from yue2_desktop.ui.theme.palette import ThemeChoice

_SCORES: Final = Path(__file__).resolve().parent.parent / "tests" / "scores"
_TAGS: Final = "(Verse)\nKettle on the stove\n\nchorus:\nSlow, slow, sing it slow\n\n【副歌】\nLet the day come in\n"
Scene = tuple[str, QPixmap]


def take(folder: str, home: str, scale: str, language: str) -> None:
    """All pictures at one scale, which Qt has from the environment, and in one language: `english` or `long`."""
    app = QApplication([])
    translator = Longer(app)
    if language == "long":
        app.installTranslator(translator)
    gc.disable()  # what is left over is freed in the window's thread, or not at all
    theme = Theme(app)
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme.choose(choice)
        for name, picture in _scenes(theme, Path(home)):
            picture.save(str(Path(folder) / f"{name}-{language}-{choice}-{scale}x.png"))


def _scenes(theme: Theme, home: Path) -> Iterator[Scene]:
    song = example()
    tags = replace(song, lyrics=_TAGS, score=None)
    faulty = song.with_imported_score((_SCORES / "20_bad_barlen.abc").read_text(encoding="utf-8"), "a-friend.abc")
    busy = replace(song, score=None)
    poses: tuple[tuple[str, Pose, Callable[[Desk], None]], ...] = (
        ("empty", Pose(SongDocument()), _as_it_is),
        ("example", Pose(song, engine=posed("score")), _as_it_is),
        ("takes", Pose(song, engine=posed("score"), has_takes=True), _play),
        ("text", Pose(faulty, engine=posed("score")), _open_text),
        ("tags", Pose(tags, engine=posed("score")), _look_at_tags),
        ("long", Pose(long_song(), engine=posed("score"), has_takes=True), _open_text),
        ("no-fit", Pose(song, card=SMALL, ram=4, engine=posed("score")), _as_it_is),
        ("starting", Pose(song, engine=posed("starting")), _render),
        ("failed", Pose(song, engine=failing, has_takes=True), _render),
        *((f"busy-{stage}", Pose(busy, engine=posed(stage), has_takes=False), _render) for stage in STANDINGS),
        ("queue", Pose(song, engine=posed("semantic"), has_takes=True), _render_four),
        ("small", Pose(song, engine=posed("semantic"), has_takes=True, size=SMALLEST), _render),
        ("small-long", Pose(long_song(), card=SMALL, engine=posed("score"), size=SMALLEST), _open_text),
    )
    for name, pose, act in poses:
        with desk_of(pose, theme, home) as desk:
            act(desk)
            pause(0.4)
            yield name, desk.window.grab()
            if name == "takes":
                yield from dialogs(desk)
        gc.collect()


def _as_it_is(desk: Desk) -> None:
    pass


def _play(desk: Desk) -> None:
    panel, player = inside(desk.window, TakesPanel), inside(desk.window, PlayerBar)
    settle(lambda: panel.model.rowCount() >= 3)
    pause(1.0)
    row = panel.model.row_at(panel.model.index(0))
    assert row is not None
    panel.select(row.key)
    panel.view.wished.emit("play", row)
    settle(lambda: player.playback.seconds > 0.1)
    player.playback.seek(14.0)
    player.playback.pause()
    inside(desk.window, ScorePanel).set_position(14.0)


def _open_text(desk: Desk) -> None:
    panel = inside(desk.window, ScorePanel)
    panel.text.open()
    pause(0.4)
    faults = panel.text.edit.diagnostics
    if faults:
        edit = panel.text.edit
        edit.setFocus()
        edit.moveCursor(QTextCursor.MoveOperation.End)
        edit.setTextCursor(QTextCursor(edit.document().findBlockByNumber(faults[0].line - 1)))


def _look_at_tags(desk: Desk) -> None:
    desk.window.actions_of_window["focus_words"].trigger()
    pause(0.3)


def _render(desk: Desk) -> None:
    controller = inside(desk, Controller)
    settle(lambda: not desk.background.is_busy)
    controller.render_takes(1)
    settle(lambda: any(job.standing is not None or job.state.is_over for job in controller.rendering.jobs()))


def _render_four(desk: Desk) -> None:
    _render(desk)
    controller, panel = inside(desk, Controller), inside(desk.window, TakesPanel)
    controller.render_takes(3)
    last, middle = (controller.rendering.jobs()[number].id for number in (-1, -2))
    controller.rendering.cancel(last)
    controller.rendering.pause(middle)
    panel.view.setFocus(Qt.FocusReason.TabFocusReason)
