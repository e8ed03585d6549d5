"""The program's own line icons: SVG files, drawn in the palette's colour at every size that is asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from yue2_desktop import paths
from yue2_desktop.ui.theme.palette import Palette
from yue2_desktop.ui.theme.qt_palette import current_palette

#: Pixels, for 16, 20 and 24 at 100, 150, 200 and 300 %.
_SIZES: Final = (16, 20, 24, 30, 32, 36, 40, 48, 60, 72)
_COLOUR: Final = "currentColor"


def icon_names() -> tuple[str, ...]:
    """The icons that there are."""
    return tuple(sorted(path.stem for path in (paths.resources() / "icons").glob("*.svg")))


def icon(name: str, palette: Palette | None = None, *, colour: str | None = None) -> QIcon:
    """An icon in the text's colour (or `colour`), paler where it is disabled.

    The colours are those of the moment: ask again after a PaletteChange. Raises FileNotFoundError for a name that
    there is not.
    """
    palette = palette or current_palette()
    return _icon(name, colour or palette.text, palette.disabled)


@lru_cache(maxsize=256)
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    svg = _svg(name)
    made = QIcon()
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(svg.replace(_COLOUR, ink).encode("utf-8")))
        for size in _SIZES:
            made.addPixmap(_drawn(renderer, size), mode)
    return made


def _drawn(renderer: QSvgRenderer, size: int) -> QPixmap:
    picture = QPixmap(QSize(size, size))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture


@lru_cache(maxsize=128)
def _svg(name: str) -> str:
    return (paths.resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
