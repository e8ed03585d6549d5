"""The bar of the fit line: the peak of memory against what is free."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.qt_palette import current_palette

_WIDTH, _HEIGHT = 12 * metrics.GRID, metrics.GRID
#: From here on the bar is amber: it fits, but little else may take memory meanwhile.
_NARROW = 0.92


class MemoryBar(QWidget):
    """A share of what is free, from 0; above 1 it does not fit and the bar is full and red."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def share(self) -> float:
        """What is shown."""
        return self._share

    def set_share(self, share: float) -> None:
        """Shows a share."""
        self._share = max(0.0, share)
        self.update()

    def sizeHint(self) -> QSize:
        """Qt's own."""
        return QSize(_WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's own."""
        palette = current_palette()
        colour = palette.bad if self._share > 1 else palette.doubtful if self._share > _NARROW else palette.outline
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(0, 0, self.width(), self.height())
        painter.setBrush(QColor(palette.line))
        painter.drawRoundedRect(whole, metrics.NEAR, metrics.NEAR)
        painter.setBrush(QColor(colour))
        whole.setWidth(max(metrics.GRID, whole.width() * min(1.0, self._share)))
        painter.drawRoundedRect(whole, metrics.NEAR, metrics.NEAR)
        painter.end()
