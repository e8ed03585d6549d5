"""MusicXML files, plain or compressed, as scores: the melody's part and the chord symbols.

XML is read without entities and without any other file (defusedxml); sizes are bounded before anything is unpacked.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from yue2_desktop.score.importing.assemble import assembled
from yue2_desktop.score.importing.compose import compose
from yue2_desktop.score.importing.musicxml_part import PartReader
from yue2_desktop.score.importing.readbar import ReadBar
from yue2_desktop.score.importing.refusal import ANOTHER, CUT, refused
from yue2_desktop.score.importing.sketch import Changes, Imported, Sketch
from yue2_desktop.score.importing.voices import INS_NAME, MELODY_NAME
from yue2_desktop.song.errors import Problem, ProblemKind

MAX_BYTES = 16 * 2**20
_CONTAINER = "META-INF/container.xml"


def import_musicxml(data: bytes, part: str | None = None) -> Imported:
    """Return the score of a MusicXML file (`.musicxml`, `.xml` or compressed `.mxl`).

    `part` names the melody's part by id or name; otherwise one named like a voice, with words, or the first is taken.
    Raises Problem(BAD_FILE) for a file that is damaged, too large, or no partwise MusicXML.
    """
    changes = Changes()
    try:
        root = _root(_unpacked(data))
        sketch = _sketch(root, part, changes)
    except (ValueError, ArithmeticError, LookupError) as error:
        raise refused(f"is damaged MusicXML ({error})", ANOTHER) from error
    return Imported(compose(sketch, changes), changes.sentences())


def _root(data: bytes) -> Element:
    try:
        root: Element = fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line, column = error.position
        raise refused(f"is not well-formed XML at line {line}, column {column + 1}", ANOTHER) from error
    except DefusedXmlException as error:
        raise refused("declares entities, which a score does not need and which can do harm", ANOTHER) from error
    if root.tag == "score-timewise":
        raise refused("is timewise MusicXML", "save it as partwise, as programs usually do")
    if root.tag != "score-partwise":
        raise refused("is XML, but not MusicXML", ANOTHER)
    return root


def _unpacked(data: bytes) -> bytes:
    if data[:2] == b"PK":
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                container = _member(archive, _CONTAINER)
                rootfiles = (one for one in _xml(container).iter() if one.tag.rpartition("}")[2] == "rootfile")
                rootfile = next(rootfiles, None)
                data = _member(archive, rootfile.get("full-path", "") if rootfile is not None else "")
        except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
            raise refused("is a damaged .mxl file", ANOTHER) from error
    if len(data) > MAX_BYTES:
        raise refused("is larger than 16 MiB, so it is no single song", CUT)
    return data


def _xml(data: bytes) -> Element:
    try:
        root: Element = fromstring(data)
    except (ParseError, DefusedXmlException) as error:
        raise refused("is a damaged .mxl file", ANOTHER) from error
    return root


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as member:
        data = member.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise refused("unpacks to more than 16 MiB, so it is no single song", CUT)
    return data


def _sketch(root: Element, wanted: str | None, changes: Changes) -> Sketch:
    names = {one.get("id", ""): (one.findtext("part-name") or "").strip() for one in root.iter("score-part")}
    parts = root.findall("part")
    if not parts:
        raise refused("has no parts", ANOTHER)
    melody = _melody(parts, names, wanted)
    ins = next((one for one in parts if one is not melody and INS_NAME.match(names.get(one.get("id", ""), ""))), None)
    left = [_name(one, names) for one in parts if one not in {melody, ins}]
    if left:
        changes.say(f"Left out: {', '.join(left[:8])}{' and others' if len(left) > 8 else ''}.")
    bars = _bars(melody, changes)
    chord_bars = bars if any(bar.chords for bar in bars) else _chord_bars(parts, melody) or bars
    other = _bars(ins, Changes()) if ins is not None else []
    return assembled(bars, chord_bars, other, changes)


def _melody(parts: list[Element], names: dict[str, str], wanted: str | None) -> Element:
    if wanted is not None:
        for part in parts:
            if wanted in {part.get("id"), names.get(part.get("id", ""))}:
                return part
        known = ", ".join(_name(one, names) for one in parts[:12])
        raise Problem(ProblemKind.BAD_REQUEST, f"The file has no part '{wanted}'; it has {known}.", part=wanted)
    named = [part for part in parts if MELODY_NAME.search(names.get(part.get("id", ""), ""))]
    sung = [part for part in parts if next(part.iter("lyric"), None) is not None]
    return (named or sung or parts)[0]


def _name(part: Element, names: dict[str, str]) -> str:
    identity = part.get("id", "?")
    return names.get(identity) or identity


def _bars(part: Element, changes: Changes) -> list[ReadBar]:
    reader = PartReader(changes)
    bars = [reader.read(measure) for measure in part.findall("measure")]
    if not bars:
        raise refused("has a part without measures", ANOTHER)
    voices = Counter(voice for bar in bars for voice, _ in bar.tones)
    if voices:
        main = min(voices, key=lambda one: (one.partition(".")[0], -voices[one]))
        for bar in bars:
            bar.tones = [(voice, tone) for voice, tone in bar.tones if voice == main]
        if len(voices) > 1:
            changes.say(f"The part has {len(voices)} voices; the first of them was taken.")
    return bars


def _chord_bars(parts: list[Element], melody: Element) -> list[ReadBar] | None:
    for part in parts:
        if part is not melody and next(part.iter("harmony"), None) is not None:
            return _bars(part, Changes())
    return None
