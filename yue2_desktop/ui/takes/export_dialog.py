"""The dialog that exports a take: format, title, folder, silence at the end, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from yue2_desktop.library.export import Exported, ExportOrder, export_take, free_target
from yue2_desktop.library.export_formats import Availability
from yue2_desktop.library.trim import TrimOffer
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.takes.export_task import Export, ExportTask
from yue2_desktop.ui.takes.target_field import TargetField
from yue2_desktop.ui.takes.words import clock
from yue2_desktop.ui.theme import metrics

_Button = QDialogButtonBox.StandardButton
_WIDTH: Final = 72 * metrics.GRID
_PATIENCE_S: Final = 10.0


@dataclass(frozen=True)
class ExportSubject:
    """What is exported: the take's folder, its title, where to, the cut that is offered, the weights' licence."""

    folder: Path
    title: str
    target_folder: Path
    trim: TrimOffer | None = None
    licence: str = "CC BY-NC 4.0"


class ExportDialog(FramedDialog):
    """Accepted once the file is there: `exported` says which, and `format_key` what to offer first next time."""

    show_in_folder_requested = Signal(str)

    def __init__(
        self,
        subject: ExportSubject,
        formats: Sequence[Availability],
        ask_folder: Callable[[str, Path], Path | None],
        parent: QWidget | None = None,
        *,
        first_format: str = "flac-24",
        export: Export = export_take,
    ) -> None:
        super().__init__(_tr("Export a take"), _Button.Close, parent)
        self.setMinimumWidth(_WIDTH)
        self.exported: Exported | None = None
        self._subject, self._formats = subject, tuple(formats)
        self._ask_folder, self._export = ask_folder, export
        self._folder = subject.target_folder
        self._task: ExportTask | None = None
        self.formats = self._format_box(first_format)
        self.title = QLineEdit(subject.title)
        self.title.setAccessibleName(self.tr("Title"))
        self.place = TargetField()
        self.trim = QCheckBox()
        self.words = QCheckBox(self.tr("Lyrics in the tags"))
        self.song = QCheckBox(self.tr("Settings and score in the tags, to open the song from the file"))
        for box in (self.words, self.song):
            box.setChecked(True)
        self._lay_out()
        self.bar, self.line = QProgressBar(), QLabel(wordWrap=True)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the export"))
        self.bar.hide()
        self.line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.line)
        self.go = QPushButton(self.tr("Export"))
        self.folder_button = QPushButton(self.tr("Show in folder"))
        for button in (self.go, self.folder_button):
            button.setAccessibleName(button.text())
        self.buttons.addButton(self.go, QDialogButtonBox.ButtonRole.ActionRole)
        self._want(self.go)
        self.go.clicked.connect(self.begin)
        self.folder_button.clicked.connect(self._show_file)
        self.formats.currentIndexChanged.connect(self._show_target)
        self.title.textChanged.connect(self._show_target)
        for box in (self.trim, self.words, self.song):
            box.toggled.connect(self._show_target)
        self.place.other_wanted.connect(self._choose_folder)
        self._show_target()
        self.title.setFocus()

    def _format_box(self, first: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Format"))
        items = cast("QStandardItemModel", box.model())
        for place, one in enumerate(self._formats):
            box.addItem(one.format.label, one.format.key)
            if one.reason is not None:
                items.item(place).setEnabled(False)
                items.item(place).setText(self.tr("{} (not here)").format(one.format.label))
                items.item(place).setToolTip(one.reason)
        usable = [place for place, one in enumerate(self._formats) if one.available]
        wanted = [place for place in usable if self._formats[place].format.key == first]
        box.setCurrentIndex(next(iter((*wanted, *usable)), -1))
        return box

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(metrics.GROUP_GAP)
        form.setVerticalSpacing(metrics.GAP)
        form.addRow(self.tr("Title"), self.title)
        form.addRow(self.tr("Format"), self.formats)
        form.addRow(self.tr("Into"), self.place)
        offer = self._subject.trim
        self.trim.setVisible(offer is not None)
        if offer is not None:
            self.trim.setChecked(True)
            self.trim.setText(
                self.tr("Leave out {removed} s of silence at the end ({before} becomes {after})").format(
                    removed=round(offer.removed_seconds),
                    before=clock(offer.seconds),
                    after=clock(offer.trimmed_seconds),
                )
            )
        for box in (self.trim, self.words, self.song):
            box.setAccessibleName(box.text())
            form.addRow("", box)
        self.column.addLayout(form)
        greyed = [one.reason for one in self._formats if one.reason is not None]
        if greyed:
            self.column.addWidget(quiet(" ".join(greyed)))
        if self._subject.licence:
            words = self.tr("Licence of the model's weights: {}.")
            if "NC" in self._subject.licence:
                words = self.tr("Licence of the model's weights: {} (no commercial use).")
            self.column.addWidget(quiet(words.format(self._subject.licence)))

    @property
    def format_key(self) -> str:
        """The format that is chosen; empty where none can be written."""
        return self.formats.currentData() or ""

    @property
    def target(self) -> Path | None:
        """The file that would be written now: never one that is there."""
        found = next((one.format for one in self._formats if one.format.key == self.format_key), None)
        title = self.title.text().strip() or self._subject.title
        return None if found is None else free_target(self._folder, title, found.suffix)

    @Slot()
    def begin(self) -> None:
        """Writes the file; pressed again, gives that up."""
        if self._task is not None:
            self._task.cancel()
            self.go.setEnabled(False)
            self.line.setText(self.tr("Cancelling…"))
            return
        target = self.target
        if target is None:
            return
        offer = self._subject.trim
        order = ExportOrder(
            self.format_key,
            self.title.text().strip() or self._subject.title,
            end=offer.end if offer is not None and self.trim.isChecked() else None,
            lyrics=self.words.isChecked(),
            song=self.song.isChecked(),
        )
        self._task = ExportTask(self._export, self._subject.folder, target, order, self)
        self._task.progressed.connect(self._progressed)
        self._task.done.connect(self._done)
        self._task.failed.connect(self._failed)
        self._set_running(True)
        self._say(self.tr("Writing {}…").format(target.name))
        self._task.start()

    @Slot(int, int)
    def _progressed(self, done: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(done)

    @Slot(object)
    def _done(self, made: Exported) -> None:
        self._task = None
        self.exported = made
        self._set_running(False)
        self._say(
            self.tr("{name} is there: {length}, {size} MB. {note}").format(
                name=made.path.name, length=clock(made.seconds), size=f"{made.bytes / 1e6:.1f}", note=made.note
            )
        )
        if self.folder_button.parent() is not self.buttons:
            self.buttons.addButton(self.folder_button, QDialogButtonBox.ButtonRole.ActionRole)
            self.chain_buttons()
        self._show_target()
        self._want(self.buttons.button(_Button.Close))

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._task = None
        self._set_running(False)
        sentence = (
            error.sentence if isinstance(error, Problem) else self.tr("It could not be exported: {}").format(error)
        )
        cancelled = isinstance(error, Problem) and error.kind is ProblemKind.CANCELLED
        self._say(sentence, "" if cancelled else "bad")

    def _say(self, text: str, role: str = "") -> None:
        self.line.setProperty("role", role)
        self.line.style().polish(self.line)
        self.line.setText(text)
        self._fit()

    def _fit(self) -> None:
        """Grows to what the wrapped sentences need, which a layout does not ask for by itself."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            least = max(_WIDTH, layout.totalMinimumSize().width())
            width = max(self.width(), least)
            height = layout.totalHeightForWidth(width)
            self.setMinimumSize(least, height)
            self.resize(width, max(self.height(), height))

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's own."""
        super().showEvent(event)
        self._fit()

    def _want(self, button: QPushButton) -> None:
        """That is what comes next: it stands out, and Enter presses it."""
        close = self.buttons.button(_Button.Close)
        for one in (self.go, close):
            one.setProperty("kind", "primary" if one is button else "")
            one.style().polish(one)
        button.setDefault(True)
        if button is close:  # on a button that has the focus Enter presses that one, whatever the default is
            close.setFocus()

    def _set_running(self, running: bool) -> None:
        self.bar.setVisible(running)
        self._fit()
        self.bar.setRange(0, 0 if running else 1)
        self.go.setEnabled(True)
        self.go.setText(self.tr("Cancel") if running else self.tr("Export"))
        self.go.setAccessibleName(self.go.text())
        for part in (self.formats, self.title, self.place, self.trim, self.words, self.song):
            part.setEnabled(not running)

    @Slot()
    def _choose_folder(self) -> None:
        chosen = self._ask_folder(self.tr("Export into"), self._folder)
        if chosen is not None:
            self._folder = chosen
            self._show_target()

    @Slot()
    def _show_target(self) -> None:
        target = self.target
        self.place.show_target(target)
        self.go.setEnabled(target is not None)
        self._want(self.go)

    @Slot()
    def _show_file(self) -> None:
        if self.exported is not None:
            self.show_in_folder_requested.emit(str(self.exported.path))

    def done(self, result: int) -> None:
        """Qt's own: an export that still runs is given up first."""
        if self._task is not None:
            self._task.cancel()
            self._task.wait(_PATIENCE_S)
        super().done(FramedDialog.DialogCode.Accepted if self.exported is not None else result)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ExportDialog", text)
