"""Which device plays: a button whose menu is filled when it is opened, since asking PortAudio takes a moment."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from yue2_desktop.ui.background import Background
from yue2_desktop.ui.player.opening import device_names
from yue2_desktop.ui.theme.icons import icon


class DeviceButton(QToolButton):
    """`chosen` carries a device's name, or None for the system's default."""

    chosen = Signal(object)

    def __init__(self, devices: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._devices = devices
        self._names: tuple[str, ...] | None = None
        self._device: str | None = None
        self._may_look = True
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self._menu.triggered.connect(self._triggered)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setProperty("menu", True)
        self.setText(self.tr("Device"))
        self.set_device(None)
        self._colour()

    def set_device(self, device: str | None) -> None:
        """Shows which device is chosen."""
        self._device = device
        name = self.tr("Sound device: {}").format(device or self.tr("the system's default"))
        self.setAccessibleName(name)
        self.setToolTip(name)

    def set_may_look(self, may_look: bool) -> None:
        """Whether new devices may be looked for: only while nothing plays (user-reports.md, row 123)."""
        self._may_look = may_look

    @property
    def entries(self) -> tuple[str, ...]:
        """The menu as it is shown, without the marks of keys."""
        return tuple(action.text() for action in self._menu.actions() if action.text())

    @Slot()
    def _fill(self) -> None:
        if self._names is None:
            self._ask(look_again=False)
        self._show()

    def _ask(self, *, look_again: bool) -> None:
        self._names = None
        self._devices.run(partial(device_names, look_again=look_again), self._found)

    def _found(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._show()
        if self._menu.isVisible():
            _keep_on_screen(self._menu)

    def _show(self) -> None:
        menu = self._menu
        menu.clear()
        group = QActionGroup(menu)
        if self._names is None:
            menu.addAction(self.tr("Looking for devices…")).setEnabled(False)
        elif not self._names:
            menu.addAction(self.tr("No sound device; export still works")).setEnabled(False)
        else:
            for name in (None, *self._names):
                action = menu.addAction((name or self.tr("The system's default")).replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(name == self._device)
                action.setData((name,))
                group.addAction(action)
        menu.addSeparator()
        again = menu.addAction(self.tr("Look again"))
        again.setData("again")
        again.setEnabled(self._may_look and self._names is not None)
        if not self._may_look:
            again.setText(self.tr("Look again (while nothing plays)"))

    @Slot(QAction)
    def _triggered(self, action: QAction) -> None:
        what = action.data()
        if what == "again":
            if self._may_look:
                self._ask(look_again=True)
        elif isinstance(what, tuple):
            self.chosen.emit(what[0])

    def _colour(self) -> None:
        self.setIcon(icon("note"))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


def _keep_on_screen(menu: QMenu) -> None:
    """A menu that is filled while it is open was placed for what it had before."""
    room, size = menu.screen().availableGeometry(), menu.sizeHint().boundedTo(menu.screen().availableSize())
    left = max(room.left(), min(menu.x(), room.right() + 1 - size.width()))
    top = max(room.top(), min(menu.y(), room.bottom() + 1 - size.height()))
    menu.setGeometry(QRect(QPoint(left, top), size))
