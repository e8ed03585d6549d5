"""The waveform of the player: a click goes there, a drag makes a loop, arrow keys move."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from yue2_desktop.library.soundings import Sounding
from yue2_desktop.ui.player.waveform import WaveCache
from yue2_desktop.ui.takes.words import clock
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.qt_palette import current_palette

_HEIGHT: Final = 5 * metrics.GRID
_LEAST_WIDTH: Final = 20 * metrics.GRID
#: A drag is one from so many pixels on, and a loop is at least so long.
_DRAG: Final = 5
_LEAST_LOOP_S: Final = 0.25
_STEP_S, _LONG_STEP_S = 5.0, 30.0


class WaveStrip(QWidget):
    """`sought` carries seconds; `loop_chosen` a pair of seconds, or None for no loop."""

    sought = Signal(float)
    loop_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._sounding: Sounding | None = None
        self._length = 0.0
        self._seconds = 0.0
        self._loop: tuple[float, float] | None = None
        self._ticks: tuple[float, ...] = ()
        self._pressed: float | None = None
        self._drawn: tuple[float, float] | None = None
        self._waves = WaveCache(8)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(self.tr("Click to go there, drag to loop a part"))
        self._name()

    def set_sound(self, key: str, sounding: Sounding | None, length: float, ticks: tuple[float, ...]) -> None:
        """Shows a sound of `length` seconds; `ticks` are where sections begin."""
        self._key, self._sounding, self._length, self._ticks = key, sounding, length, ticks
        self._name()
        self.update()

    def set_place(self, seconds: float) -> None:
        """Moves the playhead; only what changes is painted."""
        before, self._seconds = self._x(self._seconds), seconds
        after = self._x(seconds)
        if int(before) != int(after):
            left, right = sorted((before, after))
            self.update(int(left) - 2, 0, int(right - left) + 5, self.height())
        if self.hasFocus() and int(seconds) % int(_STEP_S) == 0:
            self._name()

    def set_loop(self, loop: tuple[float, float] | None) -> None:
        """Shows a loop."""
        self._loop = loop
        self.update()

    def sizeHint(self) -> QSize:
        """Qt's own."""
        return QSize(_LEAST_WIDTH, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Qt's own."""
        return self.sizeHint()

    def _name(self) -> None:
        at = self.tr("Place {at} of {length}").format(at=clock(self._seconds), length=clock(self._length))
        if at != self.accessibleName():
            self.setAccessibleName(at)

    def _x(self, seconds: float) -> float:
        return 0.0 if self._length <= 0 else seconds / self._length * self.width()

    def _at(self, x: float) -> float:
        return min(max(x / max(1, self.width()), 0.0), 1.0) * self._length

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's own."""
        palette = current_palette()
        painter = QPainter(self)
        place = self._x(self._seconds)
        loop = self._drawn or self._loop
        if loop is not None:
            region = QRectF(self._x(loop[0]), 0, self._x(loop[1]) - self._x(loop[0]), self.height())
            painter.fillRect(region, QColor(palette.selected))
            painter.setPen(QPen(QColor(palette.accent_text), 1))
            for x in (region.left(), region.right()):
                painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        painter.setPen(QColor(palette.line))
        for tick in self._ticks:
            if tick > 0:
                painter.drawLine(QPointF(self._x(tick), 0), QPointF(self._x(tick), self.height()))
        self._paint_wave(painter, place)
        if self._length > 0:
            painter.setPen(QPen(QColor(palette.accent_text), 2))
            x = min(max(1.0, place), self.width() - 1.0)
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        if self.hasFocus():
            painter.setPen(QPen(QColor(palette.accent_text), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics.NEAR, metrics.NEAR)
        painter.end()

    def _paint_wave(self, painter: QPainter, place: float) -> None:
        palette = current_palette()
        size = QSize(self.width(), self.height() - metrics.GRID)
        if self._sounding is None:
            painter.setPen(QColor(palette.line))
            painter.drawLine(0, self.height() // 2, self.width(), self.height() // 2)
            return
        ratio = self.devicePixelRatioF()
        for colour, left, right in ((palette.accent_text, 0.0, place), (palette.wave, place, float(self.width()))):
            painter.save()
            painter.setClipRect(QRectF(left, 0, right - left, self.height()))
            picture = self._waves.picture(self._key, self._sounding, size, ratio, colour)
            painter.drawPixmap(QPointF(0, metrics.NEAR), picture)
            painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's own."""
        if event.button() == Qt.MouseButton.LeftButton and self._length > 0:
            self._pressed = event.position().x()
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's own: the loop as it would be."""
        if self._pressed is None:
            return
        x = event.position().x()
        if self._drawn is not None or abs(x - self._pressed) >= _DRAG:
            start, stop = sorted((self._at(self._pressed), self._at(x)))
            self._drawn = (start, stop)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's own: a drag is a loop, a click a place."""
        pressed, drawn = self._pressed, self._drawn
        self._pressed = self._drawn = None
        self.update()
        if pressed is None:
            return
        if drawn is None:
            self.sought.emit(self._at(pressed))
        elif drawn[1] - drawn[0] >= _LEAST_LOOP_S:
            self.loop_chosen.emit(drawn)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: arrows, Home and End go; L ends a loop; Esc ends a drag."""
        key = event.key()
        step = _LONG_STEP_S if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP_S
        places: dict[int, float] = {
            Qt.Key.Key_Left: self._seconds - step,
            Qt.Key.Key_Right: self._seconds + step,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: self._length,
        }
        if key in places:
            self.sought.emit(min(max(0.0, places[key]), self._length))
            self._name()
        elif key == Qt.Key.Key_L:
            self.loop_chosen.emit(None)
        elif key == Qt.Key.Key_Escape and self._pressed is not None:
            self._pressed = self._drawn = None
            self.update()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt's own: says the place to those who hear it."""
        self._name()
        super().focusInEvent(event)
        self.update()
