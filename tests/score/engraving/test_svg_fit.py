"""Pages made fit for plain renderers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from tests.score.samples import GOOD, MALFORMED, bare
from yue2_desktop.score.engraving.engrave import Layout, engrave
from yue2_desktop.score.engraving.ids import Kind, read_id
from yue2_desktop.score.engraving.svg_fit import Fitted, fit
from yue2_desktop.score.parser import parse

SVG = "{http://www.w3.org/2000/svg}"


def page(text: str, ink: str = "#000000") -> Fitted:
    return engrave(parse(text).score, ink=ink).page(0)


@pytest.mark.parametrize("name", [*GOOD, *MALFORMED])
def test_nothing_is_left_that_qt_cannot_draw(name: str) -> None:
    root = ET.fromstring(page({**GOOD, **MALFORMED}[name]).svg)
    tags = {one.tag.removeprefix(SVG) for one in root.iter()}
    assert tags <= {"svg", "defs", "g", "path", "use", "rect", "polygon", "polyline", "ellipse", "text"}
    assert len(list(root.iter(f"{SVG}svg"))) == 1
    for one in root.iter():
        assert "class" not in one.attrib
        if one.tag == f"{SVG}text":
            assert len(one) == 0
            assert float(one.get("font-size", "0")) > 0
            assert not re.search("[\ue000-\uf8ff]", one.text or "")
        if "stroke-width" in one.attrib:
            assert one.get("stroke") == "#000000"


def test_the_ink_is_the_only_colour() -> None:
    svg = page(GOOD["10_full_long_104bars"], "#e6e4df").svg
    assert set(re.findall('#[0-9a-f]{6}(?=")', svg)) == {"#e6e4df"}
    assert "currentColor" not in svg
    assert "black" not in svg


def test_flats_of_chords_are_outlines_between_their_letters() -> None:
    fitted = page(bare('"Bbm7b5/Eb"c16|'))
    group = next(one for one in ET.fromstring(fitted.svg).iter() if (one.get("id") or "").startswith("v1m0h"))
    shown = [(one.tag.removeprefix(SVG), one.text) for one in group.iter() if one.tag != f"{SVG}g"]
    assert shown == [
        ("text", "B"), ("path", None), ("text", "m7"), ("path", None), ("text", "5/E"), ("path", None),
    ]  # fmt: skip
    places = [float(one.get("x", 0)) for one in group.iter(f"{SVG}text")]
    assert places == sorted(places)
    assert len(set(places)) == 3


def test_a_page_has_its_size_in_hundredths_of_a_millimetre() -> None:
    fitted = engrave(parse(GOOD["09_full_onebar"]).score, Layout(width=100, height=80)).page(0)
    assert (fitted.width, fitted.height) == (10000, 8000)
    assert fitted.svg.startswith("<svg")
    assert 'width="100mm"' in fitted.svg


def test_one_tall_page_is_as_tall_as_the_song() -> None:
    engraving = engrave(parse(GOOD["10_full_long_104bars"]).score, Layout(height=None))
    assert engraving.page_count == 1
    lowest = max(box.bottom for box in engraving.page(0).boxes.values())
    assert lowest < engraving.page(0).height < lowest + 4000


def test_boxes_lie_on_the_page_and_notes_within_their_bar() -> None:
    fitted = page(GOOD["01_full_twinkle"])
    for name, box in fitted.boxes.items():
        assert 0 <= box.x <= box.right <= fitted.width
        assert 0 <= box.y <= box.bottom <= fitted.height
        identity = read_id(name)
        assert identity is not None
        if identity.kind is Kind.NOTE:
            bar = next(
                two
                for other, two in fitted.boxes.items()
                if (found := read_id(other)) is not None
                and (found.kind, found.voice, found.bar) == (Kind.BAR, identity.voice, identity.bar)
            )
            assert bar.x <= box.x <= box.right <= bar.right


def test_the_bars_of_both_voices_stand_above_each_other() -> None:
    boxes = {read_id(name): box for name, box in page(GOOD["05_full_changes"]).boxes.items()}
    bars = {(one.voice, one.bar): box for one, box in boxes.items() if one is not None and one.kind is Kind.BAR}
    for (voice, bar), box in bars.items():
        other = next(two for (name, number), two in bars.items() if number == bar and name is not voice)
        assert (box.x, box.width) == (other.x, other.width)
        assert box.bottom < other.y or other.bottom < box.y


def test_chords_do_not_overlap_each_other_or_their_staff() -> None:
    music = '"Bbm7b5/Eb"c4"F#m(maj7)/C#"d4"Ebmaj7/Bb"e4"G#7sus4/D#"f4|' * 4
    boxes = {read_id(name): box for name, box in page(bare(music, "Z4|")).boxes.items()}
    chords = [box for one, box in boxes.items() if one is not None and one.kind is Kind.CHORD]
    assert len(chords) == 16
    for at, one in enumerate(chords):
        for two in chords[at + 1 :]:
            assert one.right <= two.x or two.right <= one.x or one.bottom <= two.y or two.bottom <= one.y
    staves = [box for one, box in boxes.items() if one is not None and one.kind is Kind.BAR]
    assert all(chord.bottom <= staff.y or chord.y >= staff.bottom for chord in chords for staff in staves)


def test_a_foreign_svg_is_refused() -> None:
    with pytest.raises(ValueError, match="no inner svg"):
        fit('<svg xmlns="http://www.w3.org/2000/svg"/>')
