"""The score as MusicXML 4.0: two parts, chord symbols as harmony, sections as rehearsal marks, words when given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import VOICES, KeyChange, Meter, Note, Voice
from yue2_desktop.score.engraving.mei_text import drawable, xml_text, xml_value
from yue2_desktop.score.export.musicxml_note import note_xml, rest_xml, whole_rest_xml
from yue2_desktop.score.export.syllables import Syllable, syllables
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Group, Score
from yue2_desktop.score.notation.written import Mark, WrittenBar, written_voice
from yue2_desktop.score.pitch import Spelling

#: Divisions of a quarter beyond this are not portable; times are then rounded to these.
_MOST_DIVISIONS, _ROUGH_DIVISIONS = 16383, 10080
_NAMES = {Voice.VOCAL: ("Vocal", "Voc.", 53), Voice.INS: ("Ins", "Ins.", 5)}
#: MusicXML's words for the qualities of the dialect, and a degree to add where no word is enough.
KINDS: dict[str, tuple[str, int | None]] = {
    "": ("major", None), "m": ("minor", None), "dim": ("diminished", None), "aug": ("augmented", None),
    "7": ("dominant", None), "maj7": ("major-seventh", None), "m7": ("minor-seventh", None),
    "dim7": ("diminished-seventh", None), "m7b5": ("half-diminished", None), "sus4": ("suspended-fourth", None),
    "sus2": ("suspended-second", None), "6": ("major-sixth", None), "m6": ("minor-sixth", None),
    "7sus4": ("suspended-fourth", 7), "m(maj7)": ("major-minor", None),
}  # fmt: skip


def musicxml(score: Score, *, title: str = "", lyrics: str = "", language: str | None = None) -> str:
    """Return the score as a MusicXML 4.0 document.

    With `lyrics` the words are laid under the Vocal's notes, a syllable a note, as far as both go; `language` is
    their ISO 639 code, guessed without one. Chords outside the vocabulary are left out. Never raises; a score
    without bars gives parts of one empty bar.
    """
    divisions = _divisions(score)
    words = iter(syllables(lyrics, language))
    parts = [_HEAD, f"<work><work-title>{xml_text(drawable(title, 200))}</work-title></work>" if title.strip() else ""]
    parts.append(f"<identification><encoding><software>YuE2 Desktop</software>{_SUPPORTS}</encoding></identification>")
    parts.append(f"<part-list>{''.join(_part_entry(voice) for voice in VOICES)}</part-list>")
    for voice in VOICES:
        parts.append(f'<part id="{_part_id(voice)}">')
        parts.extend(_measures(score, voice, divisions, words if voice is Voice.VOCAL else iter(())))
        parts.append("</part>")
    parts.append("</score-partwise>\n")
    return "".join(parts)


def _divisions(score: Score) -> int:
    denominators = {1}
    for voice in VOICES:
        for bar in written_voice(score, voice).values():
            denominators |= {mark.offset.denominator for mark in bar.marks}
            denominators |= {mark.length.denominator for mark in bar.marks}
            denominators.add(bar.bar.meter.quarters.denominator)
    exact = lcm(*denominators)
    return exact if exact <= _MOST_DIVISIONS else _ROUGH_DIVISIONS


def _part_id(voice: Voice) -> str:
    return "P1" if voice is Voice.VOCAL else "P2"


def _part_entry(voice: Voice) -> str:
    name, short, program = _NAMES[voice]
    part = _part_id(voice)
    return (
        f'<score-part id="{part}"><part-name>{name}</part-name><part-abbreviation>{short}</part-abbreviation>'
        f'<score-instrument id="{part}-I"><instrument-name>{name}</instrument-name></score-instrument>'
        f'<midi-instrument id="{part}-I"><midi-channel>{1 if voice is Voice.VOCAL else 2}</midi-channel>'
        f"<midi-program>{program}</midi-program></midi-instrument></score-part>"
    )


def _measures(score: Score, voice: Voice, divisions: int, words: Iterator[Syllable]) -> Iterator[str]:
    written = written_voice(score, voice)
    groups: dict[int, Group] = {}
    at = 0
    for group in score.groups:
        groups.setdefault(at, group)
        at += group.bar_count
    meter = score.header.meter
    count = max(score.bar_count, 1)
    for index in range(count):
        bar = written.get(index)
        yield f'<measure number="{index + 1}">'
        yield _attributes(score, index, bar, divisions)
        if voice is Voice.VOCAL:
            yield _directions(score, index, groups.get(index))
        if bar is not None:
            meter = bar.bar.meter
            yield from _content(bar, divisions, words)
        else:
            yield whole_rest_xml(_ticks(meter, divisions))
        if index == count - 1:
            yield '<barline location="right"><bar-style>light-heavy</bar-style></barline>'
        yield "</measure>"


def _attributes(score: Score, index: int, bar: WrittenBar | None, divisions: int) -> str:
    first = index == 0
    key = bar.key if bar is not None else None
    meter = bar.meter if bar is not None else None
    if first:
        key, meter = key or score.header.key, meter or score.header.meter
    inside = f"<divisions>{divisions}</divisions>" if first else ""
    inside += _key_xml(key) if key is not None else ""
    if meter is not None:
        inside += f"<time><beats>{meter.numerator}</beats><beat-type>{meter.denominator}</beat-type></time>"
    inside += "<clef><sign>G</sign><line>2</line></clef>" if first else ""
    return f"<attributes>{inside}</attributes>" if inside else ""


def _key_xml(key: Key) -> str:
    return f"<key><fifths>{key.fifths}</fifths><mode>{'minor' if key.minor else 'major'}</mode></key>"


def _directions(score: Score, index: int, group: Group | None) -> str:
    found = ""
    if index == 0:
        tempo = score.header.tempo
        found += (
            '<direction placement="above"><direction-type><metronome><beat-unit>quarter</beat-unit>'
            f'<per-minute>{tempo}</per-minute></metronome></direction-type><sound tempo="{tempo}"/></direction>'
        )
    for label in group.labels if group is not None else ():
        name = drawable(label.text, 200)
        if name:
            found += (
                '<direction placement="above"><direction-type>'
                f"<rehearsal>{xml_text(name)}</rehearsal></direction-type></direction>"
            )
    return found


def _content(written: WrittenBar, divisions: int, words: Iterator[Syllable]) -> Iterator[str]:
    marks = written.marks
    if written.whole_rest:
        event = written.bar.events[0] if written.bar.events else None
        if event is not None and not isinstance(event, KeyChange) and event.chord is not None:
            yield _harmony(event.chord.chord)
        yield whole_rest_xml(_ticks(written.bar.meter, divisions))
        return
    for at, mark in enumerate(marks):
        event = mark.event
        if isinstance(event, KeyChange):
            yield f"<attributes>{_key_xml(event.key)}</attributes>"
            continue
        if event.chord is not None and mark.piece == 0:
            yield _harmony(event.chord.chord)
        length = _length(mark, divisions)
        tuplet = written.bar.tuplets[mark.tuplet] if mark.tuplet is not None else None
        edges = _tuplet_edges(marks, at)
        if isinstance(event, Note):
            word = next(words, None) if not mark.tied_back else None
            yield note_xml(mark, event, length, tuplet, edges, word)
        else:
            yield rest_xml(mark, length, tuplet, edges)


def _tuplet_edges(marks: Sequence[Mark], at: int) -> tuple[bool, bool]:
    mine = marks[at].tuplet
    if mine is None:
        return False, False
    return (
        at == 0 or marks[at - 1].tuplet != mine,
        at == len(marks) - 1 or marks[at + 1].tuplet != mine,
    )


def _length(mark: Mark, divisions: int) -> int:
    start = _round(mark.offset * divisions)
    return max(_round((mark.offset + mark.length) * divisions) - start, 1)


def _ticks(meter: Meter, divisions: int) -> int:
    return max(_round(meter.quarters * divisions), 1)


def _round(ticks: Fraction) -> int:
    return int(ticks + Fraction(1, 2))


def _harmony(chord: Chord | None) -> str:
    if chord is None:
        return ""
    kind, degree = KINDS[chord.quality]
    shown = f" text={xml_value(chord.quality)}" if chord.quality else ""
    added = ""
    if degree is not None:
        added = (
            f"<degree><degree-value>{degree}</degree-value><degree-alter>0</degree-alter>"
            "<degree-type>add</degree-type></degree>"
        )
    bass = _spelled("bass", chord.bass) if chord.bass is not None else ""
    return f"<harmony>{_spelled('root', chord.root)}<kind{shown}>{kind}</kind>{bass}{added}</harmony>"


def _spelled(name: str, spelling: Spelling) -> str:
    alter = f"<{name}-alter>{spelling.alter}</{name}-alter>" if spelling.alter else ""
    return f"<{name}><{name}-step>{spelling.letter}</{name}-step>{alter}</{name}>"


_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
    '"http://www.musicxml.org/dtds/partwise.dtd">\n<score-partwise version="4.0">'
)
#: What a reader may rely on: every sign that is to be seen is written, beams are the reader's own.
_SUPPORTS = '<supports element="accidental" type="yes"/><supports element="beam" type="no"/>'
