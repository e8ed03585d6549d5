"""What is shown in the pictures of the window: songs, machines, dialogs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from yue2_desktop import paths
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.plan.facts import CpuFacts, GpuFacts, MachineFacts
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.lyrics.lyric_file import lyrics_from
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.about import AboutDialog
from yue2_desktop.ui.dialogs.encoding import EncodingDialog
from yue2_desktop.ui.dialogs.log_viewer import LogDialog
from yue2_desktop.ui.dialogs.preferences import PreferencesDialog
from yue2_desktop.ui.fit.why import WhyPopover
from yue2_desktop.ui.theme.applied import Theme
from yue2_desktop.ui.theme.palette import ThemeChoice

_PLAN_S, _PATIENCE_S = 1.2, 20.0


def take(folder: str, scale: str) -> None:
    """All pictures at one scale, which Qt has from the environment."""
    app = QApplication([])
    theme = Theme(app)
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme.choose(choice)
        for name, widget in _scenes(theme):
            widget.grab().save(str(Path(folder) / f"{name}-{choice}-{scale}x.png"))


def machine(card: str) -> MachineFacts:
    """A laptop with a card of that size."""
    gpu: GpuFacts = replace(parse_pretend(card), pretended=False)
    cpu = CpuFacts(name="Ryzen 7 7735HS", cores=8, avx2=True)
    return MachineFacts(
        gpus=(gpu,), platform="linux", cpu=cpu, ram_total=16 * GIB, ram_free=9 * GIB, disk_free=200 * GIB
    )


def _scenes(theme: Theme) -> Iterator[tuple[str, QWidget]]:
    songs = load_examples(paths.resources() / "examples")
    long = replace(
        songs[0],
        title="The very long title of a song that somebody has thought about for far too long already",
        style=songs[0].style + ", " + ", ".join(f"a rather long description number {n}" for n in range(12)),
        lyrics="\n".join(f"{line} and on it goes without an end" for line in songs[0].lyrics.splitlines() * 3),
    )
    scenes: tuple[tuple[str, SongDocument | None, str], ...] = (
        ("empty", None, "6GB"),
        ("example", songs[0], "6GB"),
        ("long", long, "RTX 2050,4096MiB,8.6,1.0GiB"),
    )
    for name, song, card in scenes:
        with _desk(theme, song, card) as desk:
            yield name, desk.window
            if name == "example":
                yield from _dialogs(desk)
            desk.window.resize(desk.window.minimumSize())
            _settle(0.2)
            yield f"{name}-small", desk.window


def _dialogs(desk: Desk) -> Iterator[tuple[str, QWidget]]:
    planning = desk.window.fit_line.planning
    assert planning is not None
    lyrics = lyrics_from("[Verse]\n夏天的风吹过\n".encode("gbk"), Path("words.txt"))
    cards = (parse_pretend("6GB"), parse_pretend("8GB"))
    made: dict[str, Callable[[QWidget], QWidget]] = {
        "why": lambda parent: WhyPopover(planning, parent),
        "preferences": lambda parent: PreferencesDialog(Settings(), cards, lambda *_: None, parent),
        "about": AboutDialog,
        "log": lambda parent: LogDialog("2026-11-29 17:00 INFO started\n", "the log", desk.report, parent),
        "encoding": lambda parent: EncodingDialog(lyrics, parent),
    }
    for name, make in made.items():
        widget = make(desk.window)
        if isinstance(widget, QDialog):
            widget.setModal(False)
        widget.show()
        _settle(0.2)
        yield name, widget
        widget.close()
    desk.tell("lost", "“First song” was not saved when the program ended last time.", "doubtful", "Bring it back")
    _settle(0.1)
    yield "notice", desk.window


@contextmanager
def _desk(theme: Theme, song: SongDocument | None, card: str) -> Iterator[Desk]:
    desk = compose(Settings(), theme=theme, read_machine=lambda _: machine(card))
    desk.window.resize(1280, 832)
    desk.show()
    desk.session.load(song or SongDocument())
    until = time.monotonic() + _PATIENCE_S
    while desk.window.fit_line.planning is None and time.monotonic() < until:
        _settle(0.1)
    _settle(_PLAN_S)
    try:
        yield desk
    finally:
        desk.window.close()
        desk.window.deleteLater()
        _settle(0.1)


def _settle(seconds: float) -> None:
    """Lets the window do what it has to."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QCoreApplication.processEvents()
        time.sleep(0.005)
