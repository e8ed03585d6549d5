"""MusicXML: valid by its schema, read by verovio with the same times, read back with the same notes."""

from __future__ import annotations

import importlib.util
import random
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.score.importing.same import assert_same
from tests.score.samples import GOOD, MALFORMED, bare, random_score
from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.engraving.fonts import data_folder
from yue2_desktop.score.export.musicxml import musicxml
from yue2_desktop.score.importing.musicxml import import_musicxml
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import sounds
from yue2_desktop.song.errors import Problem


@pytest.fixture(scope="module")
def schema() -> Any:
    """The schema of MusicXML 4.0 that the package `musicxml` ships, read by the package `xmlschema`."""
    xmlschema = pytest.importorskip("xmlschema", exc_type=ImportError)
    spec = importlib.util.find_spec("musicxml")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package musicxml is not installed")
    path = Path(spec.submodule_search_locations[0]) / "generate_classes" / "musicxml_4_0.xsd"
    return xmlschema.XMLSchema(path.read_text(encoding="utf-8"), allow="local", base_url=str(path.parent))


@pytest.mark.parametrize("name", [*GOOD, *MALFORMED])
def test_scores_are_valid(name: str, schema: Any) -> None:
    document = musicxml(parse({**GOOD, **MALFORMED}[name]).score, title="A <b> & c", lyrics="[Verse]\nTwin-kle, 小星")
    assert [str(error) for error in schema.iter_errors(document)] == []


@pytest.mark.parametrize("seed", range(12))
def test_random_scores_are_valid(seed: int, schema: Any) -> None:
    document = musicxml(parse(random_score(random.Random(seed))).score)
    assert [str(error) for error in schema.iter_errors(document)] == []


def test_the_schema_refuses_what_is_wrong(schema: Any) -> None:
    document = musicxml(parse(GOOD["09_full_onebar"]).score)
    assert list(schema.iter_errors(document.replace("<duration>", "<length>").replace("</duration>", "</length>")))
    assert list(schema.iter_errors(document.replace("<octave>4</octave>", "<octave>11</octave>")))


@pytest.mark.parametrize("name", GOOD)
def test_a_score_comes_back_as_it_was(name: str) -> None:
    score = parse(GOOD[name]).score
    parsed = parse(import_musicxml(musicxml(score).encode("utf-8")).text)
    assert parsed.diagnostics == ()
    assert_same(score, parsed.score)


@pytest.mark.parametrize("seed", range(30))
def test_random_scores_come_back(seed: int) -> None:
    score = parse(random_score(random.Random(seed))).score
    if not any(sounds(score, voice) for voice in VOICES):
        with pytest.raises(Problem, match="no notes"):
            import_musicxml(musicxml(score).encode("utf-8"))
        return
    parsed = parse(import_musicxml(musicxml(score).encode("utf-8")).text)
    assert parsed.diagnostics == ()
    assert_same(score, parsed.score)


@pytest.mark.parametrize("name", GOOD)
def test_verovio_reads_it_with_the_same_times(name: str) -> None:
    verovio = pytest.importorskip("verovio", exc_type=ImportError)
    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit(False)
    toolkit.setResourcePath(str(data_folder()))
    toolkit.setOptions({"inputFrom": "musicxml"})
    score = parse(GOOD[name]).score
    assert toolkit.loadData(musicxml(score))
    begun = sorted(entry["qstamp"] for entry in toolkit.renderToTimemap() for _ in entry.get("on", ()))
    written = sorted(
        float(bar.start + note.offset) for voice in VOICES for bar in score.bars(voice) for note in bar.notes
    )
    assert begun == pytest.approx(written, abs=2e-3)


def test_words_lie_under_the_notes_that_begin() -> None:
    text = bare('"C"c4d4-d4e4|"G"f4g4a4b4|', "Z2|")
    document = musicxml(parse(text).score, lyrics="[Verse]\nTwinkle, twin 小星", language="en")
    lyrics = [
        (note.findtext("pitch/step"), note.findtext("lyric/syllabic"), note.findtext("lyric/text"))
        for note in ET.fromstring(document).iter("note")
        if note.find("lyric") is not None
    ]
    assert lyrics == [
        ("C", "begin", "Twin"), ("D", "end", "kle,"), ("E", "single", "twin"), ("F", "single", "小"),
        ("G", "single", "星"),
    ]  # fmt: skip


def test_without_words_there_are_none() -> None:
    assert "<lyric" not in musicxml(parse(GOOD["01_full_twinkle"]).score)


def test_chords_outside_the_vocabulary_are_left_out() -> None:
    document = musicxml(parse(MALFORMED["23_bad_unknown_chords"]).score)
    inside = musicxml(parse(GOOD["01_full_twinkle"]).score)
    assert 0 < document.count("<harmony>") < inside.count("<harmony>")
