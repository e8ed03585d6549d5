"""The row above the notation: sections, key, tempo, preview, and everything else in one menu."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QSpinBox, QToolButton, QWidget

from yue2_desktop.score.editing.voices import FASTEST, SLOWEST
from yue2_desktop.score.parser import Parsed
from yue2_desktop.ui.score.score_menus import fill_key_menu, fill_section_menu, shown_key, shown_label
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon


class ScoreBar(QWidget):
    """Shows where the score is and how it goes; says what its user asks for."""

    transposed = Signal(int, int)
    tempo_chosen = Signal(int)
    section_chosen = Signal(int)
    section_inserted = Signal(int, str)
    section_duplicated = Signal(int)
    section_deleted = Signal(int)
    preview_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parsed: Parsed | None = None
        self._section = 0
        self._playing = False
        self.heading = QLabel(self.tr("Score"))
        self.heading.setProperty("role", "heading")
        self.sections = self._menu_button(self.tr("Section"))
        self.sections.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.key = self._menu_button(self.tr("Key"))
        self.tempo = QSpinBox()
        self.tempo.setRange(SLOWEST, FASTEST)
        self.tempo.setPrefix(" ♩ = ")
        self.tempo.setKeyboardTracking(False)
        self.tempo.setFont(number_font(self.font()))
        self.tempo.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.tempo.setAccessibleName(self.tr("Tempo in quarter notes a minute"))
        self.tempo.setToolTip(self.tr("Quarter notes a minute"))
        self.preview = QToolButton()
        self.preview.setIconSize(QSize(metrics.ICON_TOOLBAR, metrics.ICON_TOOLBAR))
        self.more = QToolButton()
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setToolTip(self.tr("Export, import, chords and more"))
        self.more.setAccessibleName(self.tr("More about the score"))
        self.more.setMenu(QMenu(self.more))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.GAP)
        row.addWidget(self.heading)
        row.addWidget(self.sections)
        row.addStretch(1)
        for one in (self.key, self.tempo, self.preview, self.more):
            row.addWidget(one)
        for one in (self.sections, self.key, self.preview, self.more):
            one.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            one.setMinimumSize(metrics.COMPACT_HEIGHT, metrics.COMPACT_HEIGHT)
        self.sections.menu().aboutToShow.connect(self._fill_sections)
        self.key.menu().aboutToShow.connect(self._fill_keys)
        self.tempo.valueChanged.connect(self._choose_tempo)
        self.preview.clicked.connect(self.preview_asked)
        self._colour()
        self.show_score(None)

    def show_score(self, parsed: Parsed | None) -> None:
        """What is shown; None where there is no score."""
        self._parsed = parsed
        has_bars = parsed is not None and parsed.score.bar_count > 0
        for one in (self.sections, self.key, self.tempo, self.preview):
            one.setVisible(has_bars)
        if parsed is None or not has_bars:
            return
        header = parsed.score.header
        self.key.setText(shown_key(header.key))
        self.key.setToolTip(self.tr("Move the song to another key"))
        self.key.setAccessibleName(self.tr("Key: {key}").format(key=shown_key(header.key)))
        self.tempo.blockSignals(True)
        self.tempo.setValue(header.tempo)
        self.tempo.blockSignals(False)
        self.show_section(self._section)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's own: the field is as wide as its figures need; Qt reckons with the widest of the theme's paddings."""
        super().showEvent(event)
        self.tempo.setMaximumWidth(self.tempo.fontMetrics().horizontalAdvance(" ♩ = 4000") + 5 * metrics.GRID)

    def show_section(self, index: int) -> None:
        """The section that is in view or chosen."""
        sections = self._parsed.score.sections if self._parsed is not None else ()
        self._section = min(max(index, 0), max(len(sections) - 1, 0))
        name = shown_label(sections[self._section]) if sections else ""
        self.sections.setText(name)
        self.sections.setToolTip(self.tr("Go to a section; insert, duplicate or delete one"))
        self.sections.setAccessibleName(self.tr("Section: {name}").format(name=name))

    @property
    def section(self) -> int:
        """The index of the section that is shown."""
        return self._section

    def show_playing(self, *, playing: bool) -> None:
        """Whether the preview plays."""
        self._playing = playing
        self._colour()

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: icons in the colours of now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "more"):
            self._colour()

    def _colour(self) -> None:
        self.preview.setIcon(icon("stop" if self._playing else "play"))
        name = self.tr("Stop the preview") if self._playing else self.tr("Play a preview of the score")
        self.preview.setAccessibleName(name)
        self.preview.setToolTip(self.tr("{name} (Space in the notation)").format(name=name))
        self.more.setIcon(icon("more"))

    def _menu_button(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(name)
        button.setMenu(QMenu(button))
        button.setProperty("menu", True)
        return button

    @Slot()
    def _fill_sections(self) -> None:
        if self._parsed is not None:
            fill_section_menu(
                self.sections.menu(),
                self._parsed.score.sections,
                self._section,
                go=self.section_chosen.emit,
                insert=self.section_inserted.emit,
                duplicate=self.section_duplicated.emit,
                delete=self.section_deleted.emit,
            )

    @Slot()
    def _fill_keys(self) -> None:
        if self._parsed is not None:
            fill_key_menu(self.key.menu(), self._parsed.score.header.key, self._section, self.transposed.emit)

    @Slot(int)
    def _choose_tempo(self, tempo: int) -> None:
        self.tempo_chosen.emit(tempo)
