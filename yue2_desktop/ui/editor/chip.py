"""One piece of a style as a thing: it can be taken out, edited and moved, by mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from yue2_desktop.ui.theme.metrics import COMPACT_HEIGHT, GRID, RADIUS

_CROSS = 3.5
_OUT = frozenset({Qt.Key.Key_Delete, Qt.Key.Key_Backspace})


class ChipButton(QAbstractButton):
    """A click or Enter edits the text, the cross or Delete takes it out, arrows go to the neighbours.

    Ctrl with an arrow moves the chip itself. `gone_to` and `moved` carry -1 for the one before, 1 for the one behind.
    """

    edit_asked = Signal()
    removed = Signal(bool)
    gone_to = Signal(int)
    moved = Signal(int)

    def __init__(self, text: str, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = text
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMouseTracking(True)
        self.setAccessibleName(text)
        self.setAccessibleDescription(self.tr("{kind}. Enter edits it, Delete takes it out.").format(kind=kind))
        self.setToolTip(self.tr("{text} ({kind})").format(text=text, kind=kind))
        self.clicked.connect(self.edit_asked)

    @property
    def whole_text(self) -> str:
        """The piece, in full where the chip shows only a part."""
        return self._whole

    def sizeHint(self) -> QSize:
        """Qt's own: as wide as its text; the layout makes it narrower where the field is."""
        width = self.fontMetrics().horizontalAdvance(self._whole) + 3 * GRID + 2 * round(_CROSS)
        return QSize(width, max(COMPACT_HEIGHT, self.fontMetrics().height() + GRID))

    def minimumSizeHint(self) -> QSize:
        """Qt's own."""
        return QSize(COMPACT_HEIGHT, self.sizeHint().height())

    def cross(self) -> QRect:
        """Where a click takes the chip out, in its own pixels."""
        width = 2 * GRID + 2 * round(_CROSS)
        left = 0 if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else self.width() - width
        return QRect(left, 0, width, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's own: the cross is not the text."""
        if self.isDown() and self.cross().contains(event.position().toPoint()):
            self.setDown(False)
            self.removed.emit(False)
            return
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's own: the cross lights up."""
        super().mouseMoveEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Qt's own: Delete on a chip is meant for it, whatever else in the window has that key."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _OUT:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own."""
        key = event.key()
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(key), 0)
        if step and self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            step = -step
        if key in _OUT:
            self.removed.emit(key == Qt.Key.Key_Backspace)
        elif step and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.moved.emit(step)
        elif step:
            self.gone_to.emit(step)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2} and not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier
        ):
            self.edit_asked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Qt's own: a rounded piece with its text and a cross."""
        palette = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(palette.color(QPalette.ColorRole.Link if self.hasFocus() else QPalette.ColorRole.Mid))
        pen.setWidthF(2.0 if self.hasFocus() else 1.0)
        painter.setPen(pen)
        lit = self.underMouse() or self.isDown()
        painter.setBrush(palette.color(QPalette.ColorRole.Midlight if lit else QPalette.ColorRole.Window))
        half = pen.widthF() / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), RADIUS, RADIUS)
        self._paint_text(painter)
        self._paint_cross(painter)
        painter.end()

    def _paint_text(self, painter: QPainter) -> None:
        cross = self.cross()
        rect = self.rect().adjusted(GRID, 0, -GRID, 0)
        if cross.left() > 0:
            rect.setRight(cross.left())
        else:
            rect.setLeft(cross.right())
        painter.setPen(self.palette().color(QPalette.ColorRole.ButtonText))
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, rect.width() + 1)
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), shown)

    def _paint_cross(self, painter: QPainter) -> None:
        cross = self.cross()
        lit = cross.contains(self.mapFromGlobal(self.cursor().pos())) and self.underMouse()
        pen = QPen(self.palette().color(QPalette.ColorRole.Text if lit else QPalette.ColorRole.PlaceholderText), 1.25)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        centre, arm = QRectF(cross).center(), _CROSS
        painter.drawLine(centre - QPointF(arm, arm), centre + QPointF(arm, arm))
        painter.drawLine(centre - QPointF(arm, -arm), centre + QPointF(arm, -arm))
