"""MEI: what verovio and abc2midi hear in our scores is what the parser says."""

from __future__ import annotations

import base64
import random
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.score.engraving.midi_notes import notes_of
from tests.score.samples import FOLDER, GOOD, MALFORMED, bare, header, random_score
from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.engraving.engrave import engrave
from yue2_desktop.score.engraving.ids import Kind, read_id
from yue2_desktop.score.engraving.mei import MAX_BARS, mei
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.model import Score
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import sounds

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
#: verovio's MIDI has 120 ticks a quarter and cuts tuplet lengths down to whole ones, once for each tied piece.
TICKS = 2


def ids(document: str) -> list[str]:
    return [name for one in ET.fromstring(document).iter() if (name := one.get(XML_ID)) is not None]


def heard(score: Score, ticks: int) -> list[list[tuple[float, float, int]]]:
    """Return for each voice that has notes (start, end, pitch) in ticks, as the parser says."""
    return [
        sorted((float(one.onset * ticks), float((one.onset + one.duration) * ticks), one.pitch) for one in found)
        for voice in VOICES
        if (found := sounds(score, voice))
    ]


def assert_same(mine: list[list[tuple[float, float, int]]], theirs: list[list[tuple[int, int, int]]]) -> None:
    assert [len(one) for one in mine] == [len(one) for one in theirs]
    for one, other in zip(mine, theirs, strict=True):
        for (start, end, pitch), (their_start, their_end, their_pitch) in zip(one, other, strict=True):
            assert pitch == their_pitch
            assert abs(start - their_start) <= TICKS
            assert abs(end - their_end) <= TICKS


@pytest.mark.parametrize("name", GOOD)
def test_verovio_plays_every_onset_and_pitch(name: str) -> None:
    score = parse(GOOD[name]).score
    ticks, tracks = notes_of(base64.b64decode(engrave(score).midi()))
    assert_same(heard(score, ticks), tracks)


@pytest.mark.parametrize("seed", range(30))
def test_verovio_plays_random_scores_as_they_are(seed: int) -> None:
    score = parse(random_score(random.Random(seed))).score
    ticks, tracks = notes_of(base64.b64decode(engrave(score).midi()))
    assert_same(heard(score, ticks), tracks)


@pytest.mark.skipif(shutil.which("abc2midi") is None, reason="abc2midi (Debian's abcmidi) is not installed")
@pytest.mark.parametrize("name", GOOD)
def test_abc2midi_plays_every_onset_and_pitch(name: str, tmp_path: Path) -> None:
    output = tmp_path / "song.mid"
    command = ["abc2midi", str(FOLDER / f"{name}.abc"), "-o", str(output), "-NGUI"]
    subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=tmp_path)
    score = parse(GOOD[name]).score
    ticks, tracks = notes_of(output.read_bytes())
    mine = heard(score, ticks)
    # abc2midi adds a track with the chords that it makes of chord symbols, begins at tick 1, and lets notes end early.
    begun = [[(start - 1, pitch) for start, _, pitch in track] for track in tracks]
    for voice in mine:
        assert [(round(start), pitch) for start, _, pitch in voice] in begun


@pytest.mark.parametrize("name", GOOD)
def test_verovio_keeps_time_as_we_do(name: str) -> None:
    """Every note and rest begins in verovio's timemap where the map of the score has it, in quarters."""
    score = parse(GOOD[name]).score
    score_map = ScoreMap(score)
    begun = {}
    for entry in engrave(score).timemap():
        for identity in (*entry.get("on", ()), *entry.get("restsOn", ())):
            begun[identity] = entry["qstamp"]
    ours = [one for one in score_map.elements if one.kind in {Kind.NOTE, Kind.REST}]
    assert {one.name for one in ours} <= set(begun)
    for one in ours:
        assert begun[one.name] == pytest.approx(float(one.onset), abs=2e-3)


@pytest.mark.parametrize("name", [*GOOD, *MALFORMED])
def test_ids_are_unique_and_ours(name: str) -> None:
    found = ids(mei(parse({**GOOD, **MALFORMED}[name]).score))
    assert len(found) == len(set(found))
    assert all(read_id(one) is not None for one in found)


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_scores_are_drawn_as_far_as_they_were_understood(name: str) -> None:
    score = parse(MALFORMED[name]).score
    engraving = engrave(score)
    drawn = {one for at in range(engraving.page_count) for one in engraving.page(at).boxes}
    score_map = ScoreMap(score)
    wanted = [one for one in score_map.elements if one.kind in {Kind.NOTE, Kind.REST, Kind.CHORD}]
    assert {one.name for one in wanted} <= drawn
    assert all(score_map.by_id(one) is not None for one in drawn if "b0c0" not in one)


def test_double_accidentals_sound_without_a_sign_too() -> None:
    score = parse(bare("^^F8F8|__B8B8|", "Z2|")).score
    _, tracks = notes_of(base64.b64decode(engrave(score).midi()))
    assert [pitch for _, _, pitch in tracks[0]] == [67, 67, 69, 69]


def test_names_with_any_sign_are_safe_xml() -> None:
    text = bare('"<&>"G16|').replace("% verse", "% <b>&\x01\ue262 \ud800verse")
    document = mei(parse(text).score)
    labels = [one.text for one in ET.fromstring(document).iter() if one.tag.endswith("}rend")]
    assert "<b>& verse" in labels


def test_runs_of_rests_have_an_id_in_each_bar() -> None:
    found = [read_id(one) for one in ids(mei(parse(bare("c16|c16|c16|c16|", "Z4|")).score))]
    rests = [one for one in found if one is not None and one.kind is Kind.REST]
    assert [one.bar for one in rests] == [0, 1, 2, 3]
    assert len({one.span for one in rests}) == 1


def test_for_exchange_the_tempo_is_a_tempo() -> None:
    score = parse(GOOD["01_full_twinkle"]).score
    tempo = next(one for one in ET.fromstring(mei(score, exchange=True)).iter() if one.tag.endswith("}tempo"))
    assert tempo.get("midi.bpm") == "96"


def test_a_text_without_end_is_cut() -> None:
    rests = "Z4|" * 60
    text = header() + f"V: Vocal\n{rests}\nV: Ins\n{rests}\n" * 6
    score = parse(text).score
    assert score.bar_count > MAX_BARS
    document = mei(score)
    assert document.count("<measure") == MAX_BARS
    assert engrave(score).is_cut
