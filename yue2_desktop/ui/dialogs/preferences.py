"""The preferences: folders, card, threads, looks, and what is never sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.sizes import gib
from yue2_desktop.settings import Settings
from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet, roomy
from yue2_desktop.ui.theme import metrics

_Buttons = QDialogButtonBox.StandardButton
AskFolder = Callable[[str, Path], Path | None]


class PreferencesDialog(FramedDialog):
    """Edits a copy of the settings; `settings` is what the user wants when it is accepted.

    `gpus` are the machine's cards: with two or more there is a choice (user-reports.md, row 35).
    """

    def __init__(
        self,
        settings: Settings,
        gpus: Sequence[GpuFacts],
        ask_folder: AskFolder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Preferences"), _Buttons.Ok | _Buttons.Cancel, parent)
        self._settings = settings
        self._ask_folder = ask_folder
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(metrics.GROUP_GAP)
        self._form.setVerticalSpacing(metrics.GAP)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._models = self._folder_row(self.tr("&Models folder"), settings.models_folder)
        self._output = self._folder_row(self.tr("&Takes go to"), settings.output_folder)
        self._gpu = self._gpu_row(gpus)
        self._threads = roomy(QSpinBox(minimum=0, maximum=512))
        self._threads.setSpecialValueText(self.tr("All but one"))
        self._threads.setValue(settings.threads or 0)
        self._row(self.tr("&Processor threads"), self._threads)
        self._theme = self._choice(
            self.tr("&Colours"),
            (("system", self.tr("As the system")), ("light", self.tr("Light")), ("dark", self.tr("Dark"))),
            settings.theme,
        )
        self._language = self._choice(
            self.tr("&Language"), (("system", self.tr("As the system")), ("en", "English")), settings.language
        )
        self.column.addLayout(self._form)
        self.column.addSpacing(metrics.GAP)
        self.column.addWidget(
            quiet(self.tr("Your songs stay on this machine: nothing of them, and nothing about you, is sent anywhere."))
        )
        self.column.addStretch(1)
        self.resize(72 * metrics.GRID, self.sizeHint().height())

    @property
    def settings(self) -> Settings:
        """What the user chose. Raises nothing: a path that is no full path is left as it was."""
        return replace(
            self._settings,
            models_folder=_folder(self._models, self._settings.models_folder),
            output_folder=_folder(self._output, self._settings.output_folder),
            gpu=self._settings.gpu if self._gpu is None else self._gpu.currentData(),
            threads=self._threads.value() or None,
            theme=self._theme.currentData(),
            language=self._language.currentData(),
        )

    def _folder_row(self, text: str, folder: Path) -> QLineEdit:
        line = QLineEdit(str(folder))
        line.setCursorPosition(0)
        line.setAccessibleName(text.replace("&", ""))
        button = QPushButton(self.tr("Choose…"))
        button.setAccessibleName(self.tr("Choose: {}").format(line.accessibleName()))
        picker = _FolderPicker(line, self._ask_folder, self)
        button.clicked.connect(picker.pick)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.GAP)
        row.addWidget(line, 1)
        row.addWidget(button)
        label = QLabel(text)
        label.setBuddy(line)
        self._form.addRow(label, both)
        return line

    def _gpu_row(self, gpus: Sequence[GpuFacts]) -> QComboBox | None:
        if len(gpus) < 2:
            return None
        names: list[tuple[str | None, str]] = [(None, self.tr("The best one"))]
        for card in gpus:
            size = "" if card.total_bytes is None else f", {gib(card.total_bytes)}"
            names.append((card.uuid, f"{card.label}{size}"))
        return self._choice(self.tr("&Graphics card"), names, self._settings.gpu)

    def _choice(self, text: str, values: Sequence[tuple[str | None, str]], value: str | None) -> QComboBox:
        box = QComboBox()
        for data, words in values:
            box.addItem(words, data)
        box.setCurrentIndex(max(0, box.findData(value)))
        self._row(text, box)
        return box

    def _row(self, text: str, field: QWidget) -> None:
        field.setAccessibleName(text.replace("&", ""))
        label = QLabel(text)
        label.setBuddy(field)
        self._form.addRow(label, field)


class _FolderPicker(QWidget):
    """What a "choose" button does for its line."""

    def __init__(self, line: QLineEdit, ask: AskFolder, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._line, self._ask = line, ask

    @Slot()
    def pick(self) -> None:
        """Asks for a folder and puts it into the line."""
        chosen = self._ask(self._line.accessibleName(), Path(self._line.text()))
        if chosen is not None:
            self._line.setText(str(chosen))


def _folder(line: QLineEdit, before: Path) -> Path:
    typed = Path(line.text().strip()).expanduser()
    return typed if typed.is_absolute() else before
