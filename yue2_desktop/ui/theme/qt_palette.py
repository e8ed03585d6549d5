"""Qt's own palette from our colours, and which of ours a widget is painted with."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QGuiApplication, QPalette

from yue2_desktop.ui.theme.palette import DARK, LIGHT, Palette, mixed

_Role = QPalette.ColorRole
_Group = QPalette.ColorGroup
#: Qt's role, and the name of ours.
_ROLES: Final = {
    _Role.Window: "surface",
    _Role.WindowText: "text",
    _Role.Base: "field",
    _Role.AlternateBase: "surface",
    _Role.Text: "text",
    _Role.Button: "raised",
    _Role.ButtonText: "text",
    _Role.BrightText: "on_accent",
    _Role.ToolTipBase: "raised",
    _Role.ToolTipText: "text",
    _Role.PlaceholderText: "quiet",
    _Role.Highlight: "selected",
    _Role.HighlightedText: "on_selected",
    _Role.Accent: "accent",
    _Role.Link: "accent_text",
    _Role.LinkVisited: "accent_text",
    _Role.Mid: "line",
    _Role.Midlight: "hover",
    _Role.Light: "raised",
    _Role.Dark: "outline",
}
_DISABLED_TEXT: Final = (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.PlaceholderText)


def qt_palette(palette: Palette) -> QPalette:
    """Every role of Qt's that a widget may paint with."""
    made = QPalette()
    for role, name in _ROLES.items():
        made.setColor(role, QColor(getattr(palette, name)))
    made.setColor(_Role.Shadow, QColor(mixed(palette.window, "#000000", 0.4)))
    for role in _DISABLED_TEXT:
        made.setColor(_Group.Disabled, role, QColor(palette.disabled))
    made.setColor(_Group.Disabled, _Role.Base, QColor(palette.surface))
    made.setColor(_Group.Disabled, _Role.Button, QColor(palette.surface))
    return made


def current_palette() -> Palette:
    """The colours that the window has now; widgets ask again when they get a PaletteChange."""
    surface = QGuiApplication.palette().color(_Role.Window)
    return DARK if surface.lightness() < 128 else LIGHT
