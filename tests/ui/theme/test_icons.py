"""The icons: all drawn with one stroke, in the palette's colour."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

from yue2_desktop import paths
from yue2_desktop.ui.theme.icons import icon, icon_names
from yue2_desktop.ui.theme.palette import DARK, LIGHT, Palette
from yue2_desktop.ui.theme.qt_palette import current_palette, qt_palette


def near(colour: QColor, wanted: str) -> bool:
    """Whether they are the same but for the rounding of a premultiplied picture."""
    other = QColor(wanted)
    return max(abs(a - b) for a, b in zip(colour.getRgb()[:3], other.getRgb()[:3], strict=True)) <= 2


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_icon_has_ink_of_the_palette(qapp: QApplication, palette: Palette) -> None:
    assert len(icon_names()) > 30
    for name in icon_names():
        picture = icon(name, palette).pixmap(48).toImage()
        solid = [
            picture.pixelColor(x, y)
            for x in range(picture.width())
            for y in range(picture.height())
            if picture.pixelColor(x, y).alpha() == 255
        ]
        assert len(solid) > 20, name
        assert all(near(colour, palette.text) for colour in solid), name
        edge = [picture.pixelColor(x, 0).alpha() for x in range(picture.width())]
        assert max(edge) == 0, f"{name} touches the edge"


def test_disabled_is_paler(qapp: QApplication) -> None:
    names = {
        mode: icon("stop", LIGHT).pixmap(48, mode).toImage().pixelColor(24, 13).name()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    }
    assert near(QColor(names[QIcon.Mode.Normal]), LIGHT.text)
    assert near(QColor(names[QIcon.Mode.Disabled]), LIGHT.disabled)


def test_one_stroke_width_and_no_colour_of_their_own() -> None:
    for name in icon_names():
        svg = (paths.resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
        assert 'viewBox="0 0 24 24"' in svg, name
        assert 'stroke-width="1.75"' in svg, name
        assert "#" not in svg, name


def test_unknown_icon(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon", LIGHT)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_palette_is_told_from_qt(qapp: QApplication, palette: Palette) -> None:
    before = qapp.palette()
    try:
        qapp.setPalette(qt_palette(palette))
        assert current_palette() is palette
    finally:
        qapp.setPalette(before)
