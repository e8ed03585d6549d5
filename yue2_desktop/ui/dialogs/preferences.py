"""The preferences: folders, card, threads, looks, and what is never sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QFormLayout, QLabel, QSpinBox, QWidget

from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.sizes import gib
from yue2_desktop.settings import Settings
from yue2_desktop.ui.dialogs.folder_field import AskFolder, FolderField
from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet, roomy
from yue2_desktop.ui.theme import metrics

_Buttons = QDialogButtonBox.StandardButton


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
        self._models = self._folder_row(self.tr("&Models folder"), settings.models_folder, is_made=False)
        self._output = self._folder_row(self.tr("&Takes go to"), settings.output_folder, is_made=True)
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
            self._settings.with_output_folder(self._output.folder_or(self._settings.output_folder)),
            models_folder=self._models.folder_or(self._settings.models_folder),
            gpu=self._settings.gpu if self._gpu is None else self._gpu.currentData(),
            threads=self._threads.value() or None,
            theme=self._theme.currentData(),
            language=self._language.currentData(),
        )

    def _folder_row(self, text: str, folder: Path, *, is_made: bool) -> FolderField:
        field = FolderField(text.replace("&", ""), folder, self._ask_folder, is_made=is_made)
        self._form.addRow(field.label(text), field)
        return field

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
