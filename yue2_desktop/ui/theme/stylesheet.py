"""What the palette alone cannot say of controls, as a style sheet made from the same colours."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Final

from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.palette import Palette, mixed

# Roles of widgets are dynamic properties: `role` of a label (title, heading, quiet, bad, doubtful), `kind` of a
# button (primary, flat), `menu` of one that opens a menu, `panel` of a widget with a surface of its own.
_SHEET: Final = Template("""
QMainWindow, QDialog, QWidget#window { background: $window; }
QWidget[panel="true"], QFrame[panel="true"] { background: $surface; }
QFrame[card="true"] { background: $surface; border: 1px solid $line; border-radius: ${radius}px; }
QLabel { background: transparent; }
QLabel[role="title"], QLabel[role="heading"] { font-weight: 600; }
QLabel[role="quiet"] { color: $quiet; }
QLabel[role="bad"] { color: $bad; }
QLabel[role="doubtful"] { color: $doubtful; }
QLabel[role="good"] { color: $good; }
QToolTip { background: $raised; color: $text; border: 1px solid $outline; padding: 4px 6px; }

QWidget#rule { background: $line; }
QMenuBar { background: $window; color: $text; padding: 2px 8px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $pressed; }
QMenu { background: $raised; color: $text; border: 1px solid $outline; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 28px; border-radius: 4px; }
QMenu::item:selected { background: $selected; color: $on_selected; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $menu_line; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }

QPushButton { background: $raised; color: $text; border: 1px solid $outline; border-radius: ${radius}px;
  padding: 0 12px; min-height: ${inner}px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $pressed; }
QPushButton:focus { border: 2px solid $accent_text; padding: 0 11px; min-height: ${focused}px; }
QPushButton:disabled { color: $disabled; border-color: $line; background: $surface; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600;
  padding: 0 16px; }
QPushButton[kind="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; padding: 0 15px; }
QPushButton[kind="primary"]:disabled { background: $line; color: $quiet; border-color: $line; }
QPushButton[kind="flat"] { background: transparent; border: 1px solid transparent; padding: 0 8px; }
QPushButton[kind="flat"]:hover { background: $pressed; }
QPushButton[kind="flat"]:focus { border: 2px solid $accent_text; padding: 0 7px; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: $accent_text;
  padding: 0 4px; text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 1px solid $accent_text; padding: 0 4px; min-height: ${inner}px; }
QPushButton[menu="true"], QPushButton[menu="true"]:focus { padding-right: 24px; }
QPushButton::menu-indicator { image: url("$down"); width: 12px; height: 12px;
  subcontrol-position: right center; right: 8px; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: ${radius}px; padding: 4px; }
QToolButton:hover { background: $pressed; }
QToolButton:pressed, QToolButton:checked { background: $selected; color: $on_selected; }
QToolButton:focus { border: 1px solid $accent_text; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; }
QToolButton[menu="true"] { padding-right: 16px; }
QToolButton[menu="true"]::menu-indicator { image: url("$down"); width: 12px; height: 12px;
  subcontrol-position: right center; right: 4px; }

QLineEdit, QPlainTextEdit, QTextEdit, QTextBrowser { background: $field; color: $text; border: 1px solid $outline;
  border-radius: ${radius}px; selection-background-color: $selected; selection-color: $on_selected; }
QLineEdit { padding: 0 8px; min-height: ${inner}px; }
QPlainTextEdit, QTextEdit, QTextBrowser { padding: 4px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QTextBrowser:focus { border: 1px solid $accent_text; }
QLineEdit:disabled, QPlainTextEdit:disabled { color: $disabled; background: $surface; border-color: $line; }
QLineEdit[kind="quiet"] { background: transparent; border: 1px solid transparent; padding: 0 8px; }
QLineEdit[kind="quiet"]:hover { border-color: $line; }
QLineEdit[kind="quiet"]:focus { background: $field; border-color: $accent_text; }

QComboBox, QSpinBox, QDoubleSpinBox { background: $raised; color: $text; border: 1px solid $outline;
  border-radius: ${radius}px; padding: 0 8px; min-height: ${inner}px; }
QSpinBox, QDoubleSpinBox { padding: 0 24px 0 8px; max-height: ${inner}px; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { background: transparent; border: none; padding: 0; min-height: 0; }
QComboBox:hover, QSpinBox:hover { background: $hover; }
QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 1px solid $accent_text; }
QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { color: $disabled; border-color: $line; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$down"); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $outline; outline: none;
  selection-background-color: $selected; selection-color: $on_selected; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
  border: none; background: transparent; width: 20px; subcontrol-origin: border; margin-right: 2px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$up"); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$down"); width: 10px; height: 10px; }

QCheckBox, QRadioButton { spacing: 8px; background: transparent; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid $outline; border-radius: 4px; background: $field; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent_edge; image: url("$check"); }
QCheckBox::indicator:indeterminate { background: $accent; border-color: $accent_edge; image: url("$partial"); }
QCheckBox::indicator:disabled { border-color: $line; background: $surface; }
QRadioButton::indicator { width: 16px; height: 16px; border: 1px solid $outline; border-radius: 9px;
  background: $field; }
QRadioButton::indicator:checked { width: 8px; height: 8px; border: 5px solid $accent_edge; background: $field; }
QCheckBox:focus, QRadioButton:focus { color: $accent_text; }

QProgressBar { background: $line; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider::groove:horizontal { background: $outline; height: 2px; border-radius: 1px; }
QSlider::sub-page:horizontal { background: $accent_edge; height: 2px; }
QSlider::handle:horizontal { background: $raised; border: 1px solid $outline; width: 12px; height: 12px;
  margin: -6px 0; border-radius: 7px; }
QSlider::handle:horizontal:focus { border: 2px solid $accent_text; }

QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent_edge; }
QStatusBar { background: $window; color: $quiet; }
QStatusBar::item { border: none; }
QScrollArea { border: none; background: transparent; }
QListView, QTableView, QTreeView { background: $surface; alternate-background-color: $surface; color: $text;
  border: none; selection-background-color: $selected; selection-color: $on_selected; outline: none; }
QListWidget::item { padding: 4px 8px; border-radius: 4px; color: $text; }
QListWidget::item:selected { background: $selected; color: $on_selected; }
QDialog QListWidget { background: $field; border: 1px solid $outline; border-radius: ${radius}px; padding: 4px; }
QDialog QListWidget:focus { border-color: $accent_text; }
QDialog QTableView { background: $surface; border: 1px solid $line; border-radius: ${radius}px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QHeaderView::section { background: $surface; color: $quiet; border: none; border-bottom: 1px solid $line;
  padding: 4px 8px; }
QTabWidget::pane { border: 1px solid $line; border-radius: ${radius}px; background: $surface; top: -1px; }
QTabBar::tab { background: transparent; color: $quiet; padding: 6px 14px; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent_edge; }
QTabBar::tab:focus { color: $accent_text; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $outline; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
""")


def stylesheet(palette: Palette, controls: Path) -> str:
    """The style sheet of the window; `controls` is the folder with the marks of check boxes and arrows."""
    marks = {name: (controls / f"{name}.svg").as_posix().replace('"', "%22") for name in _MARKS}
    dark = palette.is_dark
    return _SHEET.substitute(
        {name: value for name, value in vars(palette).items() if isinstance(value, str)},
        **marks,
        radius=metrics.RADIUS,
        inner=metrics.COMPACT_HEIGHT - 2,
        focused=metrics.COMPACT_HEIGHT - 4,
        menu_line=mixed(palette.raised, palette.outline, 0.4),
        pressed=mixed(palette.window, palette.text, 0.1),
        accent_hover=mixed(palette.accent, "#ffffff" if dark else "#000000", 0.08),
        accent_edge=palette.accent if dark else mixed(palette.accent, palette.accent_text, 0.55),
        scroll=mixed(palette.window, palette.outline, 0.55),
    )


_MARKS: Final = ("check", "partial", "down", "up")
