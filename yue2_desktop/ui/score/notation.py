"""The notation: pages under one another, of which only those in view are drawn; notes are chosen and edited by keys."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from yue2_desktop.score.engraving.score_map import ScoreElement
from yue2_desktop.ui.score.note_keys import Ask, asked
from yue2_desktop.ui.score.page_pictures import PagePictures
from yue2_desktop.ui.score.sheet_view import PIXELS_A_MM, Sheet
from yue2_desktop.ui.theme.palette import mixed
from yue2_desktop.ui.theme.qt_palette import current_palette

_SMALLEST, _LARGEST = 0.5, 3.0
_STEP: Final = 1.2
#: Paper is laid out in steps of this, so that a drag of the window's edge does not engrave for each pixel.
_WIDTH_STEP_MM: Final = 5
_NARROWEST_MM, _WIDEST_MM = 80, 420
_PAD: Final = 3.0
_LOOK = """
NotationView { background: palette(base); border: 1px solid palette(dark); border-radius: 6px; }
NotationView:focus { border-color: palette(link); }
"""


class NotationView(QAbstractScrollArea):
    """Shows a sheet. `chosen` has the element that was clicked, or None; `asked` what a key asks for (an `Ask`).

    `layout_wanted` says that pages of another width, in millimetres, or in other colours would serve better.
    """

    chosen = Signal(object)
    asked = Signal(object)
    layout_wanted = Signal()
    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Notation"))
        self.setStyleSheet(_LOOK)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._sheet: Sheet | None = None
        self._zoom = 1.0
        self._element: ScoreElement | None = None
        self._time: Fraction | None = None
        self._pictures = PagePictures()
        self._width_told = 0.0
        self._resized = QTimer(self)
        self._resized.setSingleShot(True)
        self._resized.setInterval(120)
        self._resized.timeout.connect(self._tell_width)

    @property
    def sheet(self) -> Sheet | None:
        """What is shown."""
        return self._sheet

    @property
    def zoom(self) -> float:
        """1 is the usual size."""
        return self._zoom

    @property
    def selected(self) -> ScoreElement | None:
        """The chosen element."""
        return self._element

    @property
    def time(self) -> Fraction | None:
        """Where the cursor is, in quarters; None for no cursor."""
        return self._time

    @property
    def pictures(self) -> PagePictures:
        """The pictures that were made."""
        return self._pictures

    def sizeHint(self) -> QSize:
        """Qt's own."""
        return QSize(560, 320)

    def minimumSizeHint(self) -> QSize:
        """Qt's own."""
        return QSize(200, 96)

    def paper_width(self) -> float:
        """The width of a page in millimetres that fills the view at this zoom."""
        bar = 0 if self.verticalScrollBar().isVisible() else self.verticalScrollBar().sizeHint().width()
        millimetres = (self.viewport().width() - bar) / (PIXELS_A_MM * self._zoom)
        return float(min(max(int(millimetres) // _WIDTH_STEP_MM * _WIDTH_STEP_MM, _NARROWEST_MM), _WIDEST_MM))

    def show_sheet(self, sheet: Sheet | None) -> None:
        """Shows another sheet at the place where the last one was; its zoom becomes that of the view."""
        self._sheet = None if sheet is None else Sheet(sheet.parsed, sheet.drawn, self._zoom)
        if self._sheet is None:
            self._pictures.clear()
        self._fit_bars()
        self.viewport().update()

    def set_zoom(self, zoom: float) -> None:
        """Larger or smaller, within 50 and 300 %; what is in the middle stays there."""
        zoom = min(max(zoom, _SMALLEST), _LARGEST)
        if zoom == self._zoom:
            return
        bar, half = self.verticalScrollBar(), self.viewport().height() / 2
        middle = (bar.value() + half) / self._zoom
        self._zoom = zoom
        self.show_sheet(self._sheet)
        bar.setValue(round(middle * zoom - half))
        self.zoomed.emit(zoom)
        self._resized.start()

    def zoom_by(self, steps: int) -> None:
        """So many steps larger, or smaller."""
        self.set_zoom(1.0 if abs(self._zoom * _STEP**steps - 1.0) < 0.05 else self._zoom * _STEP**steps)

    def select(self, element: ScoreElement | None, *, reveal: bool = True) -> None:
        """Marks an element, and brings it into view."""
        self._element = element
        if element is not None and self._sheet is not None and reveal:
            rects = self._sheet.of_element(element)
            if rects:
                self._bring_into_view(rects[0].adjusted(0, -60, 0, 60))
        self.viewport().update()

    def set_time(self, quarters: Fraction | None) -> None:
        """Puts the cursor at a time, or takes it away; the view follows."""
        if quarters == self._time:
            return
        self._time = quarters
        if quarters is not None and self._sheet is not None:
            line = self._sheet.playhead(quarters)
            if line is not None:
                self._bring_into_view(line)
        self.viewport().update()

    def stop(self) -> None:
        """No more of this, before the window goes."""
        self._resized.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: notes are chosen and changed; everything else scrolls, or is the window's."""
        for standard, ask in ((QKeySequence.StandardKey.Undo, Ask.UNDO), (QKeySequence.StandardKey.Redo, Ask.REDO)):
            if event.matches(standard):
                self.asked.emit(ask)
                return
        for standard, steps in ((QKeySequence.StandardKey.ZoomIn, 1), (QKeySequence.StandardKey.ZoomOut, -1)):
            if event.matches(standard):
                self.zoom_by(steps)
                return
        ask_of_key = asked(event)
        if ask_of_key is not None:
            self.asked.emit(ask_of_key)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Qt's own: keys that are the notation's while it has the focus are no shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and asked(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette needs other pages."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.layout_wanted.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt's own."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's own."""
        super().focusOutEvent(event)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's own: chooses."""
        if event.button() is Qt.MouseButton.LeftButton and self._sheet is not None:
            self.chosen.emit(self._sheet.hit(event.position() + self._shift()))
            event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's own: with Ctrl it zooms."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own."""
        super().resizeEvent(event)
        self._fit_bars()
        if self.paper_width() != self._width_told:
            self._resized.start()

    def viewportEvent(self, event: QEvent) -> bool:
        """Qt's own: a flawed bar says what is wrong."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            flaw = self._sheet.flaw_at(QPointF(event.pos()) + self._shift()) if self._sheet is not None else None
            text = "\n".join(one.sentence for one in flaw.diagnostics[:5]) if flaw is not None else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's own: tints, marks, then the pages over them."""
        palette = current_palette()
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(palette.field))
        if self._sheet is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(-self._shift())
            seen = QRectF(event.rect()).translated(self._shift())
            self._paint_under(painter, self._sheet, seen)
            for page in self._sheet.pages_between(seen.top(), seen.bottom()):
                picture = self._pictures.picture(
                    self._sheet.drawn.page(page), self._sheet.scale, self.devicePixelRatioF()
                )
                painter.drawPixmap(QPointF(0, self._sheet.tops[page]), picture)
        painter.end()

    def _paint_under(self, painter: QPainter, sheet: Sheet, seen: QRectF) -> None:
        palette = current_palette()
        for flaw, placed in sheet.flawed:
            colour = mixed(palette.field, palette.bad if flaw.is_error else palette.accent, 0.24)
            for rect in sheet.rects(placed, 180.0):
                if rect.intersects(seen):
                    painter.fillRect(rect, QColor(colour))
        if self._element is not None:
            outline = QColor(palette.accent_text if self.hasFocus() else palette.outline)
            for rect in sheet.of_element(self._element):
                painter.setPen(outline)
                painter.setBrush(QColor(palette.selected))
                painter.drawRoundedRect(rect.adjusted(-_PAD, -_PAD, _PAD, _PAD), 3, 3)
        if self._time is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.sounding))
            for rect in sheet.sounding(self._time):
                painter.drawRoundedRect(rect.adjusted(-_PAD, -_PAD, _PAD, _PAD), 3, 3)
            line = sheet.playhead(self._time)
            if line is not None:
                painter.fillRect(line.adjusted(-0.75, 0, 0.75, 0), QColor(palette.accent_text))

    def _shift(self) -> QPointF:
        """From a point of the view to one of the sheet; a sheet that is narrower than the view stands in the middle."""
        sheet_width = self._sheet.width if self._sheet is not None else 0.0
        left = max(0.0, (self.viewport().width() - sheet_width) / 2)
        return QPointF(self.horizontalScrollBar().value() - left, self.verticalScrollBar().value())

    def _fit_bars(self) -> None:
        view = self.viewport().size()
        width, height = (self._sheet.width, self._sheet.height) if self._sheet is not None else (0.0, 0.0)
        for bar, wanted, have in (
            (self.verticalScrollBar(), height, view.height()),
            (self.horizontalScrollBar(), width, view.width()),
        ):
            bar.setRange(0, max(0, round(wanted) - have))
            bar.setPageStep(have)
            bar.setSingleStep(32)

    def _bring_into_view(self, rect: QRectF) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if rect.top() < bar.value() or rect.bottom() > bar.value() + height:
            bar.setValue(round(rect.top() - max(0.0, height * 0.2)))
        across = self.horizontalScrollBar()
        left = across.value()
        if rect.left() < left or rect.right() > left + self.viewport().width():
            across.setValue(round(rect.left() - self.viewport().width() * 0.2))

    def place_of(self, element: ScoreElement | None) -> QRectF:
        """Where an element is in the view, in pixels; the upper left corner where it is not drawn."""
        rects = self._sheet.of_element(element) if element is not None and self._sheet is not None else []
        return rects[0].translated(-self._shift()) if rects else QRectF()

    def _tell_width(self) -> None:
        self._width_told = self.paper_width()
        self.layout_wanted.emit()
