"""PDF, PNG and SVG files of pages."""

from __future__ import annotations

import io
import re

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from tests.score.samples import GOOD, MALFORMED
from yue2_desktop.score.engraving.engrave import Layout
from yue2_desktop.score.engraving.sheet import sheet
from yue2_desktop.score.engraving.tint import DARK
from yue2_desktop.score.export.pdf import pdf_bytes, without_glyph
from yue2_desktop.score.export.picture import png_files, svg_file
from yue2_desktop.score.export.svg_path import segments
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem

SMALL = sheet(parse(GOOD["06_full_tuplets"]), Layout(height=100))


def picture(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("L"))


def test_a_pdf_has_its_pages_in_their_size_with_text_in_the_embedded_font() -> None:
    data = pdf_bytes(sheet(parse(GOOD["10_full_long_104bars"])), "Long")
    document = pypdfium2.PdfDocument(data)
    assert len(document) == 4
    assert document[0].get_size() == pytest.approx((595.28, 841.89), abs=0.1)  # A4 in points
    text = document[0].get_textpage().get_text_range()
    assert {"Am", "intro", "Vocal"} <= set(text.split())
    assert document.get_metadata_value("Title") == "Long"
    document.close()
    assert re.search(rb"/FontFile2", data)


def test_the_same_pages_are_the_same_bytes() -> None:
    assert pdf_bytes(SMALL) == pdf_bytes(SMALL)


def test_a_picture_shows_ink_where_the_staves_are_and_none_outside() -> None:
    page = SMALL[0]
    pixels = picture(png_files(SMALL, 100)[0])
    scale = pixels.shape[1] / page.width
    top = min(box.y for box in page.boxes.values())
    bottom = max(box.bottom for box in page.boxes.values())
    assert pixels[: int(top * scale) - 3].min() == 255
    assert pixels[int(bottom * scale) + 3 :].min() == 255
    for name, box in page.boxes.items():
        part = pixels[int(box.y * scale) : int(box.bottom * scale) + 1, int(box.x * scale) : int(box.right * scale) + 1]
        assert part.min() < 160, name


def test_a_dark_picture_is_dark() -> None:
    pages = sheet(parse(GOOD["09_full_onebar"]), Layout(height=60), DARK)
    pixels = picture(png_files(pages, 60, DARK.paper)[0])
    assert pixels[0, 0] < 60
    assert pixels.max() > 180
    assert np.median(pixels) < 60


def test_an_svg_file_names_fonts_that_are_as_wide() -> None:
    text = svg_file(SMALL[0])
    assert text.startswith("<?xml")
    assert 'font-family="Liberation Serif, Times New Roman, Times, serif"' in text


def test_signs_that_the_font_lacks_are_told() -> None:
    assert without_glyph(sheet(parse(MALFORMED["26_bad_unicode"]))) == "主歌😀"
    assert without_glyph(SMALL) == ""


@pytest.mark.parametrize("dpi", [1, 5000])
def test_pictures_without_measure_are_refused(dpi: float) -> None:
    with pytest.raises(Problem, match="dpi"):
        png_files(SMALL, dpi)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M1 2L3 4Z", [("M", 1, 2), ("L", 3, 4), ("Z",)]),
        ("m1 2l3 4h5v-1z", [("M", 1, 2), ("L", 4, 6), ("L", 9, 6), ("L", 9, 5), ("Z",)]),
        ("M0 0 1 1 2 0", [("M", 0, 0), ("L", 1, 1), ("L", 2, 0)]),
        ("M0 0c1 0 2 1 2 2s1 2 2 2", [("M", 0, 0), ("C", 1, 0, 2, 1, 2, 2), ("C", 2, 3, 3, 4, 4, 4)]),
        ("M0 0Q3 0 3 3", [("M", 0, 0), ("C", 2, 0, 3, 1, 3, 3)]),
        ("M1e1-.5L.5.5", [("M", 10, -0.5), ("L", 0.5, 0.5)]),
    ],
)
def test_path_data(data: str, expected: list[tuple[object, ...]]) -> None:
    assert list(segments(data)) == expected


@pytest.mark.parametrize("data", ["M0 0A1 1 0 0 0 2 2", "M0 0T1 1", "1 2"])
def test_path_data_that_the_engraver_does_not_write(data: str) -> None:
    with pytest.raises(ValueError, match=r"drawn|begins"):
        list(segments(data))
