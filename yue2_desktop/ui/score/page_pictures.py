"""Pictures of pages as they are on the screen: drawn when they are first seen, and kept while they may be again."""

from __future__ import annotations

import logging
from collections import OrderedDict
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QFontDatabase, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.engraving.truetype import FACES, font_file

_log = logging.getLogger(__name__)
#: Pixels of all kept pictures together: four bytes each.
_MOST_PIXELS: Final = 24_000_000


@lru_cache(maxsize=1)
def register_fonts() -> None:
    """Gives Qt the text font of the pages, once."""
    for bold, italic in FACES:
        if QFontDatabase.addApplicationFont(str(font_file(bold=bold, italic=italic))) < 0:
            _log.warning("Qt does not take the font %s", font_file(bold=bold, italic=italic).name)


class PagePictures:
    """Pictures by page, for one scale at a time; the least recently seen go first."""

    def __init__(self) -> None:
        self._made: OrderedDict[int, tuple[Fitted, QPixmap]] = OrderedDict()
        self._scale = (0.0, 0.0)

    def __len__(self) -> int:
        return len(self._made)

    def clear(self) -> None:
        """Forgets all."""
        self._made.clear()

    def picture(self, page: Fitted, scale: float, ratio: float) -> QPixmap:
        """The page with `scale` logical pixels a page unit, on a screen with `ratio` real pixels a logical one."""
        if (scale, ratio) != self._scale:
            self._made.clear()
            self._scale = (scale, ratio)
        kept = self._made.get(id(page))
        if kept is not None and kept[0] is page:
            self._made.move_to_end(id(page))
            return kept[1]
        made = _drawn(page, scale, ratio)
        self._made[id(page)] = (page, made)
        while len(self._made) > 1 and sum(one.width() * one.height() for _, one in self._made.values()) > _MOST_PIXELS:
            self._made.popitem(last=False)
        return made


def _drawn(page: Fitted, scale: float, ratio: float) -> QPixmap:
    register_fonts()
    width, height = page.width * scale, page.height * scale
    picture = QPixmap(QSize(max(1, round(width * ratio)), max(1, round(height * ratio))))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(page.svg.encode("utf-8"))).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return picture
