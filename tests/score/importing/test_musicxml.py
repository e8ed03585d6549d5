"""MusicXML files of other programs."""

from __future__ import annotations

import io
import random
import re
import zipfile

import pytest

from tests.score.samples import GOOD
from yue2_desktop.score.elements import Voice
from yue2_desktop.score.export.musicxml import musicxml
from yue2_desktop.score.importing.musicxml import import_musicxml
from yue2_desktop.score.importing.sketch import Imported
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import chords, sounds
from yue2_desktop.song.errors import Problem, ProblemKind

FIRST = (
    "<attributes><divisions>2</divisions><key><fifths>0</fifths></key>"
    "<time><beats>4</beats><beat-type>4</beat-type></time></attributes>"
)

SEVENTH = "<degree-value>7</degree-value><degree-alter>0</degree-alter><degree-type>add</degree-type>"


def note(step: str, duration: int, *, octave: int = 4, inside: str = "", before: str = "", alter: int = 0) -> str:
    altered = f"<alter>{alter}</alter>" if alter else ""
    return (
        f"<note>{before}<pitch><step>{step}</step>{altered}<octave>{octave}</octave></pitch>"
        f"<duration>{duration}</duration>{inside}</note>"
    )


def file(*measures: str, name: str = "Melody", more: str = "", extra_part: str = "") -> bytes:
    bars = "".join(f"<measure number='{at}'>{one}</measure>" for at, one in enumerate(measures, 1))
    return (
        f"<?xml version='1.0'?><score-partwise version='3.1'><part-list><score-part id='P1'><part-name>{name}"
        f"</part-name></score-part>{more}</part-list><part id='P1'>{bars}</part>{extra_part}</score-partwise>"
    ).encode()


def lines(imported: Imported) -> list[str]:
    assert parse(imported.text).diagnostics == ()
    return imported.text.splitlines()[8:]


def test_a_plain_file_becomes_a_score() -> None:
    imported = import_musicxml(file(FIRST + note("C", 4) + note("F", 4, alter=1)))
    assert lines(imported) == ["V: Vocal", "C8^F8|", "V: Ins", "Z|"]
    assert imported.changes == ("The file has no tempo; 120 was taken.",)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("<kind>minor-seventh</kind>", "Cm7"),
        ("<kind>dominant-ninth</kind>", "C7"),
        ("<kind text='sus'>suspended-fourth</kind>", "Csus4"),
        (f"<kind>suspended-fourth</kind><degree>{SEVENTH}</degree>", "C7sus4"),
        ("<kind>major</kind><bass><bass-step>E</bass-step><bass-alter>-1</bass-alter></bass>", "C/Eb"),
        ("<kind>power</kind>", "C"),
        ("<kind>none</kind>", None),
        ("<kind>other</kind>", "C"),
    ],
)
def test_chord_kinds(kind: str, text: str | None) -> None:
    harmony = f"<harmony><root><root-step>C</root-step></root>{kind}</harmony>"
    found = chords(parse(import_musicxml(file(FIRST + harmony + note("C", 8))).text).score)
    assert [one.symbol.text for one in found] == ([text] if text else [])


def test_voices_chords_grace_notes_and_other_parts_are_told() -> None:
    second = "<backup><duration>8</duration></backup>" + note("E", 8, inside="<voice>2</voice>")
    top = note("C", 4, inside="<voice>1</voice>") + note("G", 4, before="<chord/>", inside="<voice>1</voice>")
    grace = "<note><grace/><pitch><step>A</step><octave>4</octave></pitch><voice>1</voice></note>"
    other = "<score-part id='P2'><part-name>Tuba</part-name></score-part>"
    part = "<part id='P2'><measure number='1'/></part>"
    content = FIRST + top + grace + note("D", 4, inside="<voice>1</voice>") + second
    imported = import_musicxml(file(content, more=other, extra_part=part))
    assert lines(imported)[1] == "G8D8|"
    assert set(imported.changes) >= {
        "Left out: Tuba.",
        "Grace and cue notes left out: 1.",
        "The part has 2 voices; the first of them was taken.",
        "Notes below the melody left out, since a voice has one at a time: 1.",
    }


def test_a_part_can_be_asked_for_by_name_or_id() -> None:
    other = "<score-part id='P2'><part-name>Flute</part-name></score-part>"
    part = f"<part id='P2'><measure number='1'>{FIRST}{note('G', 8)}</measure></part>"
    data = file(FIRST + note("C", 8), more=other, extra_part=part)
    assert lines(import_musicxml(data))[1] == "C16|"
    assert lines(import_musicxml(data, "Flute"))[1] == lines(import_musicxml(data, "P2"))[1] == "G16|"
    with pytest.raises(Problem, match="no part 'Oboe'; it has Melody, Flute"):
        import_musicxml(data, "Oboe")


def test_a_pickup_is_a_full_bar_with_rests_before_it() -> None:
    imported = import_musicxml(file(FIRST + note("G", 2), note("C", 8), note("D", 6)))
    assert lines(imported)[1] == "z12G4|C16|D12z4|"


def test_repeats_with_endings_are_written_out() -> None:
    first = "<barline location='left'><ending number='1' type='start'/></barline>"
    end = "<barline><ending number='1' type='stop'/><repeat direction='backward'/></barline>"
    second = "<barline location='left'><ending number='2' type='start'/></barline>"
    stop = "<barline><ending number='2' type='stop'/></barline>"
    imported = import_musicxml(
        file(FIRST + note("C", 8), first + note("D", 8) + end, second + note("E", 8) + stop, note("F", 8))
    )
    assert lines(imported)[1] == "C16|D16|C16|E16|"
    assert lines(imported)[5] == "F16|"
    assert "Repeats were written out." in imported.changes


def test_tempo_from_the_metronome_counts_its_beat() -> None:
    metronome = (
        "<direction><direction-type><metronome><beat-unit>quarter</beat-unit><beat-unit-dot/>"
        "<per-minute>c. 60</per-minute></metronome></direction-type></direction>"
    )
    assert parse(import_musicxml(file(FIRST + metronome + note("C", 8))).text).score.header.tempo == 90


def test_a_transposing_part_is_written_as_it_sounds() -> None:
    trumpet = FIRST.replace("</attributes>", "<transpose><chromatic>-2</chromatic></transpose></attributes>")
    score = parse(import_musicxml(file(trumpet + note("D", 8))).text).score
    assert [one.pitch for one in sounds(score, Voice.VOCAL)] == [60]


def zipped(content: bytes, path: str = "score.xml") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        container = f"<container><rootfiles><rootfile full-path='{path}'/></rootfiles></container>"
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("score.xml", content)
    return buffer.getvalue()


def test_compressed_files_are_read() -> None:
    plain = musicxml(parse(GOOD["03_full_waltz_Gm"]).score).encode("utf-8")
    assert import_musicxml(zipped(plain)) == import_musicxml(plain)


_BOMB = (
    b"<?xml version='1.0'?><!DOCTYPE s [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><score-partwise>&b;</score-partwise>"
)
_FILE = (
    b"<?xml version='1.0'?><!DOCTYPE s [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><score-partwise>&a;</score-partwise>"
)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"<score-partwise>", "is not well-formed XML at line 1"),
        (b"<html/>", "is XML, but not MusicXML"),
        (b"<score-timewise/>", "save it as partwise"),
        (b"<score-partwise/>", "has no parts"),
        (_BOMB, "declares entities"),
        (_FILE, "declares entities"),
        (b"PK\3\4rest", "is a damaged .mxl file"),
        (zipped(b"<a/>", "nothing.xml"), "is a damaged .mxl file"),
        (zipped(b" " * (17 * 2**20)), "unpacks to more than 16 MiB"),
        (b"<" + b" " * (17 * 2**20), "larger than 16 MiB"),
        (file(FIRST), "has no notes"),
        (file(FIRST + note("H", 8)), "is damaged MusicXML"),
        (file(FIRST + note("C", 8, octave=99)), "is damaged MusicXML"),
        (file(FIRST.replace("<divisions>2<", "<divisions>0<") + note("C", 8)), "is damaged MusicXML"),
        (file(FIRST.replace("<divisions>2<", "<divisions>x<") + note("C", 8)), "is damaged MusicXML"),
        (file(FIRST + note("C", 10**9)), "is damaged MusicXML"),
    ],
)
def test_other_files_are_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence) as caught:
        import_musicxml(data)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert re.fullmatch(r"The file [^;]+; [^;]+\.", caught.value.sentence)  # the fault, and what helps


def imported_or_told(data: bytes) -> str:
    """Return the score, or the sentence that says why there is none."""
    try:
        return import_musicxml(data).text
    except Problem as problem:
        return problem.sentence


@pytest.mark.parametrize("seed", range(3))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    good = musicxml(parse(GOOD["06_full_tuplets"]).score)
    numbers = [at for at, char in enumerate(good) if char.isdigit()]
    for _ in range(40):
        text = list(good)
        for _ in range(rng.randint(1, 5)):
            text[rng.choice(numbers)] = rng.choice(["0", "7", "99", "-3", "", "x", "1/3"])
        outcome = imported_or_told("".join(text).encode("utf-8"))
        assert outcome.endswith(".") or not parse(outcome).errors
