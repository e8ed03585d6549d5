"""Puts a theme on the application, and follows the desktop where the user wants that."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from yue2_desktop import paths
from yue2_desktop.ui.theme.palette import Palette, ThemeChoice, palette_for
from yue2_desktop.ui.theme.qt_palette import qt_palette
from yue2_desktop.ui.theme.stylesheet import stylesheet

_SMALLEST_POINTS = 10.0


class Theme(QObject):
    """The application's theme; `changed` carries the palette that it has now."""

    changed = Signal(object)

    def __init__(self, app: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        app.setStyle("Fusion")
        app.setFont(body_font(app.font()))
        app.styleHints().colorSchemeChanged.connect(self._scheme_changed)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        """What the user chose."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Changes the theme at once."""
        self._choice = choice
        self._apply()

    @Slot()
    def _scheme_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        palette = palette_for(self._choice, system_is_dark=dark)
        put_on(self._app, palette)
        self.changed.emit(palette)


def put_on(app: QApplication, palette: Palette) -> None:
    """Colours and style sheet for the whole application."""
    app.setPalette(qt_palette(palette))
    app.setStyleSheet(stylesheet(palette, paths.resources() / "controls"))


def body_font(system: QFont) -> QFont:
    """The system's own font, at a size that is read with ease."""
    font = QFont(system)
    if 0 < font.pointSizeF() < _SMALLEST_POINTS:
        font.setPointSizeF(_SMALLEST_POINTS)
    return font


def title_font(body: QFont) -> QFont:
    """The one larger size, for the title of the song and of dialogs."""
    font = QFont(body)
    font.setPointSizeF(body.pointSizeF() * 1.3)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def number_font(body: QFont) -> QFont:
    """The body's font with figures of one width, for numbers that change in place."""
    font = QFont(body)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
