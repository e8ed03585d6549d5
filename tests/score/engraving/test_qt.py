"""Qt draws our pages: not blank, and with the boxes that we measured without it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.score.samples import GOOD
from yue2_desktop.score.engraving.engrave import engrave
from yue2_desktop.score.engraving.ids import Kind, read_id
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.engraving.truetype import FACES, font_file
from yue2_desktop.score.parser import parse

QtSvg = pytest.importorskip("PySide6.QtSvg", reason="PySide6 is not installed", exc_type=ImportError)
QtGui = pytest.importorskip("PySide6.QtGui", reason="PySide6 is not installed", exc_type=ImportError)
#: Page units (hundredths of a millimetre) by which a box may differ: half a wide stroke, which Qt counts in.
TOLERANCE = 15.0
#: Kinds with text: Qt's box is that of the line of text, higher than the letters.
TEXTS = frozenset({Kind.CHORD, Kind.LABEL, Kind.TEMPO})


@pytest.fixture(scope="module")
def application(qapp: Any) -> Any:
    for bold, italic in FACES:
        assert QtGui.QFontDatabase.addApplicationFont(str(font_file(bold=bold, italic=italic))) >= 0
    return qapp


def renderer(page: Fitted) -> Any:
    made = QtSvg.QSvgRenderer(page.svg.encode("utf-8"))
    assert made.isValid()
    return made


@pytest.mark.parametrize("name", ["05_full_changes", "07_full_extremes_Dsm", "06_full_tuplets"])
def test_boxes_are_those_that_qt_finds(application: Any, name: str) -> None:
    page = engrave(parse(GOOD[name]).score).page(0)
    drawn = renderer(page)
    compared = 0
    for identity, box in page.boxes.items():
        parts = read_id(identity)
        assert parts is not None
        if parts.kind is Kind.BAR or not drawn.elementExists(identity):
            continue
        theirs = drawn.transformForElement(identity).mapRect(drawn.boundsOnElement(identity))
        compared += 1
        assert theirs.x() == pytest.approx(box.x, abs=TOLERANCE)
        if parts.kind not in TEXTS:
            assert theirs.right() == pytest.approx(box.right, abs=TOLERANCE)
            assert theirs.y() == pytest.approx(box.y, abs=TOLERANCE)
            assert theirs.bottom() == pytest.approx(box.bottom, abs=TOLERANCE)
    assert compared > 20


def test_the_picture_is_not_blank_where_the_staves_are(application: Any) -> None:
    page = engrave(parse(GOOD["01_full_twinkle"]).score, ink="#000000").page(0)
    scale = 1000 / page.width
    image = QtGui.QImage(1000, round(page.height * scale), QtGui.QImage.Format.Format_RGB32)
    image.fill(QtGui.QColor("white"))
    painter = QtGui.QPainter(image)
    renderer(page).render(painter)
    painter.end()
    for identity, box in page.boxes.items():
        parts = read_id(identity)
        if parts is None or parts.kind not in {Kind.BAR, Kind.NOTE, Kind.CHORD}:
            continue
        darkest = min(
            image.pixelColor(x, y).lightness()
            for x in range(int(box.x * scale), int(box.right * scale) + 1)
            for y in range(int(box.y * scale), int(box.bottom * scale) + 1)
        )
        assert darkest < 128, identity
