"""The picture of a sound: bars from its minima and maxima, painted once for each size and colour."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from yue2_desktop.audio.peaks import Peaks
from yue2_desktop.library.soundings import Sounding

#: Width of a bar and of the gap after it, in device-independent pixels.
_BAR, _GAP = 2, 1
_KEPT: Final = 400


class WaveCache:
    """Pictures by sound, size and colour; the ones that were asked for least recently go first."""

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._made: OrderedDict[tuple[str, int, int, int, float, str], QPixmap] = OrderedDict()

    def picture(self, key: str, sounding: Sounding, size: QSize, ratio: float, colour: str) -> QPixmap:
        """The waveform of `sounding`, which `key` names, in `size` at so many device pixels a pixel."""
        name = (key, id(sounding), size.width(), size.height(), ratio, colour)
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = wave_picture(sounding, size, ratio, colour)
            if len(self._made) > self._kept:
                self._made.popitem(last=False)
        self._made.move_to_end(name)
        return found


def wave_picture(sounding: Sounding, size: QSize, ratio: float, colour: str) -> QPixmap:
    """The whole sound in bars, on nothing; a silent one is a thin line."""
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    count = max(1, size.width() // (_BAR + _GAP))
    columns = Peaks(sounding.samples, sounding.waveform, sounding.finest).columns(0, max(1, sounding.samples), count)
    middle = size.height() / 2
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for index, (low, high) in enumerate(columns.tolist()):
        reach = max(0.5, min(1.0, max(high, -low)) * middle)
        painter.drawRoundedRect(QRectF(index * (_BAR + _GAP), middle - reach, _BAR, 2 * reach), 1, 1)
    painter.end()
    return picture
