"""Buttons that put a section's tag into the lyrics."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from yue2_desktop.ui.editor.flow import FlowLayout
from yue2_desktop.ui.editor.insertion import COMMON, OTHERS
from yue2_desktop.ui.theme.metrics import COMPACT_HEIGHT, GRID

_LOOK = "QToolButton { border: 1px solid palette(mid); } QToolButton:focus { border-color: palette(link); }"


class SectionButtons(QWidget):
    """The commonest sections as buttons, the others in a menu. The names are the model's own, in any language."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        flow = FlowLayout(self, gap=GRID // 2)
        for name in COMMON:
            button = _button(name, self)
            button.setToolTip(self.tr("Insert {tag} at the cursor").format(tag=f"[{name}]"))
            button.setAccessibleName(button.toolTip())
            button.clicked.connect(partial(self._ask, name))
            flow.addWidget(button)
        self._more = _button(self.tr("More"), self)
        self._more.setProperty("menu", True)
        self._more.setToolTip(self.tr("Insert another section"))
        self._more.setAccessibleName(self._more.toolTip())
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._more)
        for name in OTHERS:
            menu.addAction(name).triggered.connect(partial(self._ask, name))
        self._more.setMenu(menu)
        self._all = QMenu(self)
        for name in (*COMMON, *OTHERS):
            self._all.addAction(name).triggered.connect(partial(self._ask, name))
        flow.addWidget(self._more)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def menu(self) -> QMenu:
        """All sections, for a button elsewhere while there is no room for these."""
        return self._all

    def _ask(self, name: str, _checked: bool = False) -> None:
        self.asked.emit(name)


class _Button(QToolButton):
    def sizeHint(self) -> QSize:
        """Qt's own: on the grid."""
        hint = super().sizeHint()
        return QSize(hint.width() + GRID, max(COMPACT_HEIGHT, hint.height()))


def _button(text: str, parent: QWidget) -> QToolButton:
    button = _Button(parent)
    button.setText(text)
    button.setStyleSheet(_LOOK)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
