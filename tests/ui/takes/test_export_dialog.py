"""The export dialog: what can be written here, the cut that is offered, progress, and giving up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mutagen
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.walking import out_of_reach, out_of_turn
from yue2_desktop.library.audio_file import audio_length, write_audio
from yue2_desktop.library.export import Exported, ExportOrder, OnSamples
from yue2_desktop.library.export_formats import FORMATS, Availability, export_formats
from yue2_desktop.library.trim import TrimOffer
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.ui.takes.export_dialog import ExportDialog, ExportSubject

RATE = 48_000
ALL = tuple(Availability(one, None) for one in FORMATS)


@pytest.fixture
def subject(tmp_path: Path) -> ExportSubject:
    """A sound of three seconds whose last two are silent."""
    (tmp_path / "out").mkdir()
    take = tmp_path / "take"
    take.mkdir()
    sound = np.zeros((3 * RATE, 2), np.float32)
    sound[:RATE] = np.random.default_rng(3).uniform(-0.5, 0.5, (RATE, 2))
    write_audio(take / "audio.flac", sound)
    return ExportSubject(take, "Ferry", tmp_path / "out", TrimOffer(2 * RATE, 3.0, 2.0))


@pytest.fixture
def shown(qtbot: QtBot, subject: ExportSubject) -> Iterator[Callable[..., ExportDialog]]:
    """Opens the dialog; it is closed at the end."""
    made: list[ExportDialog] = []

    def show(what: ExportSubject = subject, formats: tuple[Availability, ...] = ALL, **more: Any) -> ExportDialog:
        dialog = ExportDialog(what, formats, more.pop("ask", lambda heading, start: None), **more)
        qtbot.addWidget(dialog)
        dialog.show()
        made.append(dialog)
        return dialog

    yield show
    for dialog in made:
        dialog.reject()


def test_a_take_is_exported_with_its_title_and_without_the_silence(
    shown: Callable[..., ExportDialog], qtbot: QtBot, tmp_path: Path
) -> None:
    """Row 85: the trim is offered, and taken unless one says no."""
    dialog = shown(formats=export_formats())
    assert "2 s of silence" in dialog.trim.text() or "1 s of silence" in dialog.trim.text()
    dialog.title.setText("나루 / rain")
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.exported is not None)
    assert dialog.exported is not None
    made = dialog.exported.path
    assert made.parent == tmp_path / "out"
    assert audio_length(made)[0] == 2 * RATE
    assert mutagen.File(made)["TITLE"] == ["나루 / rain"]
    assert made.name in dialog.line.text()
    assert "The tags say only the title" in dialog.line.text(), "this take has no records"
    with qtbot.waitSignal(dialog.show_in_folder_requested) as told:
        dialog.folder_button.click()
    assert told.args == [str(made)]


def test_nothing_is_overwritten_and_the_cut_can_be_declined(
    shown: Callable[..., ExportDialog], qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "out" / "Ferry.wav").write_bytes(b"mine")
    dialog = shown(first_format="wav-16")
    dialog.trim.setChecked(False)
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.exported is not None)
    assert dialog.exported is not None
    assert dialog.exported.path.name == "Ferry 2.wav"
    assert audio_length(dialog.exported.path)[0] == 3 * RATE
    assert (tmp_path / "out" / "Ferry.wav").read_bytes() == b"mine"
    assert dialog.target == tmp_path / "out" / "Ferry 3.wav"


def test_formats_that_cannot_be_written_are_greyed_with_the_reason(shown: Callable[..., ExportDialog]) -> None:
    """Row 129: by libsndfile alone, without another program."""
    why = "libsndfile 1.0 on this system cannot write it (no LAME)."
    formats = tuple(Availability(one, why if one.key in {"flac-24", "mp3"} else None) for one in FORMATS)
    dialog = shown(formats=formats, first_format="mp3")
    assert dialog.format_key == "flac-16", "the first that can be written"
    box = dialog.formats
    flags = {box.itemData(place): bool(box.model().flags(box.model().index(place, 0)).value & 32) for place in range(8)}
    assert [key for key, usable in flags.items() if not usable] == ["flac-24", "mp3"]
    assert any(why in label.text() for label in dialog.findChildren(QLabel))
    none = shown(formats=tuple(Availability(one, why) for one in FORMATS))
    assert none.target is None
    assert not none.go.isEnabled()


def test_the_licence_of_the_weights_is_said(shown: Callable[..., ExportDialog]) -> None:
    assert any("CC BY-NC 4.0" in label.text() for label in shown().findChildren(QLabel))


class _Slow:
    """An export that goes on until it is given up."""

    def __init__(self) -> None:
        self.orders: list[ExportOrder] = []
        self.may_fail = threading.Event()

    def __call__(
        self, folder: Path, target: Path, order: ExportOrder, *, on_samples: OnSamples, cancelled: Callable[[], bool]
    ) -> Exported:
        self.orders.append(order)
        on_samples(30, 100)
        wait = threading.Event()
        while not cancelled():
            if self.may_fail.is_set():
                raise Problem(ProblemKind.DISK_FULL, "The disk is full; free 20 MB and export again.")
            wait.wait(0.005)
        raise Problem(ProblemKind.CANCELLED, "The export was cancelled; nothing was written.")


def test_progress_is_seen_and_it_can_be_given_up(shown: Callable[..., ExportDialog], qtbot: QtBot) -> None:
    slow = _Slow()
    dialog = shown(export=slow)
    dialog.words.setChecked(False)
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.bar.maximum() == 100)
    assert dialog.bar.value() == 30
    assert dialog.go.text() == "Cancel"
    assert not dialog.title.isEnabled()
    dialog.begin()
    assert dialog.line.text() == "Cancelling…"
    qtbot.waitUntil(lambda: dialog.go.text() == "Export")
    assert "nothing was written" in dialog.line.text()
    assert slow.orders == [ExportOrder("flac-24", "Ferry", end=2 * RATE, lyrics=False, song=True)]


def test_a_failure_is_told_where_it_happened(shown: Callable[..., ExportDialog], qtbot: QtBot) -> None:
    slow = _Slow()
    slow.may_fail.set()
    dialog = shown(export=slow)
    dialog.begin()
    qtbot.waitUntil(lambda: "disk is full" in dialog.line.text())
    assert dialog.line.property("role") == "bad"
    assert dialog.go.isEnabled()
    assert dialog.exported is None


def test_closing_gives_up_what_runs(shown: Callable[..., ExportDialog], qtbot: QtBot) -> None:
    dialog = shown(export=_Slow())
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.bar.maximum() == 100)
    dialog.reject()
    assert dialog.result() == ExportDialog.DialogCode.Rejected


def test_another_folder_is_asked_for(shown: Callable[..., ExportDialog], tmp_path: Path) -> None:
    asked: list[Path] = []

    def ask(heading: str, start: Path) -> Path:
        asked.append(start)
        return tmp_path

    dialog = shown(ask=ask)
    button = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Other folder…")
    assert str(tmp_path / "out" / "Ferry.flac") in button.accessibleDescription()
    button.click()
    assert asked == [tmp_path / "out"]
    assert dialog.target == tmp_path / "Ferry.flac"
    assert dialog.place.text == str(tmp_path / "Ferry.flac")
    assert str(tmp_path / "Ferry.flac") in button.accessibleDescription()


def test_enter_exports_once_and_then_closes(shown: Callable[..., ExportDialog], qtbot: QtBot, tmp_path: Path) -> None:
    """Pressed again without a look it would write the same once more."""
    dialog = shown(formats=export_formats())
    QTest.keyClick(dialog.title, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.exported is not None)
    assert [one.text() for one in dialog.findChildren(QPushButton) if one.isDefault()] == ["Close"]
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)
    assert dialog.result() == ExportDialog.DialogCode.Accepted
    assert dialog.isHidden()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["Ferry.flac"]


@pytest.mark.parametrize("way", ["click", "enter", "space"])
def test_the_button_of_the_export_gives_way_once_it_is_done(
    shown: Callable[..., ExportDialog], qtbot: QtBot, way: str
) -> None:
    dialog = shown(formats=export_formats())
    dialog.go.setFocus()
    if way == "click":
        QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(dialog.go, Qt.Key.Key_Return if way == "enter" else Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.exported is not None)
    close = dialog.buttons.button(QDialogButtonBox.StandardButton.Close)
    assert dialog.focusWidget() is close
    assert (close.property("kind"), dialog.go.property("kind")) == ("primary", "")
    # Another file is another export.
    dialog.formats.setCurrentIndex(next(at for at in range(8) if dialog.formats.itemData(at) == "wav-16"))
    assert dialog.go.isDefault()
    assert (close.property("kind"), dialog.go.property("kind")) == ("", "primary")


def test_enter_presses_the_button_that_has_the_focus(shown: Callable[..., ExportDialog], qtbot: QtBot) -> None:
    dialog = shown(formats=export_formats())
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.exported is not None)
    assert dialog.exported is not None
    assert out_of_reach(dialog) == out_of_turn([dialog]) == []  # with one more than it began with
    dialog.folder_button.setFocus()
    with qtbot.waitSignal(dialog.show_in_folder_requested) as told:
        QTest.keyClick(dialog.folder_button, Qt.Key.Key_Return)
    assert told.args == [str(dialog.exported.path)]
    assert dialog.isVisible()


def test_no_sentence_is_clipped(shown: Callable[..., ExportDialog], qtbot: QtBot) -> None:
    dialog = shown()
    dialog.song.setText("In another language this may be said with very many more words than in English " * 2)
    dialog._failed(Problem(ProblemKind.BAD_FILE, "A long reason, " * 30))
    qtbot.waitUntil(lambda: dialog.song.width() >= dialog.song.sizeHint().width())
    for label in dialog.findChildren(QLabel):
        if label.isVisible() and label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width()), label.text()
