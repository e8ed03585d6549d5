"""Writes a score as MEI for the engraver: two staves, every element with an id that says where it stands in the text.

The file is ours to the last attribute and holds nothing but what the model says, so that the engraver never sees text
that it might stumble over (spec/abc.md, sections 3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from yue2_desktop.score.elements import VOICES, Bar, ChordSymbol, Meter, Note, Rest, Voice
from yue2_desktop.score.engraving.ids import NOWHERE, Kind, id_text
from yue2_desktop.score.engraving.mei_layer import layer, mark_id, signature
from yue2_desktop.score.engraving.mei_text import chord_text, drawable, xml_text
from yue2_desktop.score.model import Group, Score
from yue2_desktop.score.notation.written import WrittenBar, ties_in, written_voice

#: So many bars are drawn; a longer text (64 KB hold 80,000 bars of `Z4`) is no song.
MAX_BARS = 1000
_NAMES = {Voice.VOCAL: ("Vocal", "Voc."), Voice.INS: ("Inst.", "Inst.")}
_STAFF = {Voice.VOCAL: 1, Voice.INS: 2}


def mei(score: Score, *, exchange: bool = False, bars: range | None = None) -> str:
    """Return the score as an MEI 5.1 document. Never raises; a score without bars gives one empty bar.

    For `exchange` with other programs the tempo is a `<tempo>`, and there are line feeds. With `bars` only those
    indices are written, with the key and meter in force there; ids and numbers are those of the whole song.
    """
    written = {voice: written_voice(score, voice, MAX_BARS) for voice in VOICES}
    count = min(score.bar_count, MAX_BARS)
    ties = {voice: _tie_elements(written[voice]) for voice in VOICES}
    groups = _group_starts(score)
    wanted = range(max(count, 1)) if bars is None else range(bars.start, min(bars.stop, count))
    parts = [_HEAD, _definition(score, wanted.start)]
    for index in wanted:
        group = groups.get(index)
        both = {voice: written[voice].get(index) for voice in VOICES}
        if index == 0 or index != wanted.start:  # the definition has what holds at the first bar of a part
            parts.append(_changes(index, group, both))
        last = index >= count - 1
        parts.append(f'<measure xml:id="{measure_id(index)}" n="{index + 1}"{_END if last and score.groups else ""}>')
        parts.extend(_staff(voice, index, both[voice]) for voice in VOICES)
        if group is not None:
            parts.append(_labels(index, group))
        if index == 0:
            parts.append(_real_tempo(score) if exchange else _tempo(score))
        for voice in VOICES:
            bar = both[voice]
            if bar is not None:
                parts.extend(_chords(bar.bar))
                parts.extend(tie for end, tie in ties[voice].get(index, ()) if end in wanted)
        parts.append("</measure>\n" if exchange else "</measure>")
    parts.append(_TAIL)
    return "".join(parts)


def measure_id(index: int) -> str:
    """Return the id of the measure that holds both voices' bars of an index."""
    return id_text(None, index, Kind.BAR, NOWHERE)


def bar_id(voice: Voice, index: int, bar: Bar | None) -> str:
    """Return the id of one staff of a measure; `bar` is None where the voice lacks the bar."""
    return id_text(voice, index, Kind.BAR, bar.span if bar is not None else NOWHERE)


def _group_starts(score: Score) -> dict[int, Group]:
    starts, at = {}, 0
    for group in score.groups:
        if group.bar_count:
            starts[at] = group
        at += group.bar_count
    return starts


def _definition(score: Score, first: int) -> str:
    header = score.header
    staves = []
    for voice in VOICES:
        name, short = _NAMES[voice]
        key = id_text(voice, first, Kind.KEY, NOWHERE if first else header.span_of("K") or NOWHERE)
        meter = id_text(voice, first, Kind.METER, NOWHERE if first else header.span_of("M") or NOWHERE)
        in_force = next((bar for bar in score.bars(voice) if bar.index >= first), None) if first else None
        staves.append(
            f'<staffDef n="{_STAFF[voice]}" lines="5"><label>{name}</label><labelAbbr>{short}</labelAbbr>'
            f'<clef shape="G" line="2"/><keySig xml:id="{key}" sig="{signature((in_force or header).key)}"/>'
            f"{_meter(meter, (in_force or header).meter)}</staffDef>"
        )
    return (
        f'<scoreDef midi.bpm="{header.tempo}"><staffGrp symbol="bracket" bar.thru="true">'
        f"{''.join(staves)}</staffGrp></scoreDef><section>"
    )


def _meter(identity: str, meter: Meter) -> str:
    return f'<meterSig xml:id="{identity}" count="{meter.numerator}" unit="{meter.denominator}"/>'


def _changes(index: int, group: Group | None, bars: dict[Voice, WrittenBar | None]) -> str:
    staves = []
    for voice, bar in bars.items():
        if bar is None or (bar.meter is None and bar.key is None):
            continue
        inside = ""
        line = group.line_of(voice) if group is not None else None
        if bar.key is not None:
            identity = id_text(voice, index, Kind.KEY, (line.key_span if line else None) or NOWHERE)
            inside += f'<keySig xml:id="{identity}" sig="{signature(bar.key)}"/>'
        if bar.meter is not None:
            identity = id_text(voice, index, Kind.METER, (line.meter_span if line else None) or NOWHERE)
            inside += _meter(identity, bar.meter)
        staves.append(f'<staffDef n="{_STAFF[voice]}">{inside}</staffDef>')
    return f"<scoreDef><staffGrp>{''.join(staves)}</staffGrp></scoreDef>" if staves else ""


def _staff(voice: Voice, index: int, written: WrittenBar | None) -> str:
    bar = written.bar if written is not None else None
    inside = layer(written) if written is not None else "<mSpace/>"
    identity = bar_id(voice, index, bar)
    return f'<staff xml:id="{identity}" n="{_STAFF[voice]}"><layer n="1">{inside}</layer></staff>'


def _tempo(score: Score) -> str:
    # A <tempo> would stand between chords and staff; the engraver puts rehearsal marks above everything.
    identity = id_text(None, 0, Kind.TEMPO, score.header.span_of("Q") or NOWHERE)
    return (
        f'<reh xml:id="{identity}" staff="1" tstamp="1" place="above">'
        f'<rend glyph.auth="smufl" glyph.name="metNoteQuarterUp">&#xECA5;</rend> = {score.header.tempo}</reh>'
    )


def _real_tempo(score: Score) -> str:
    tempo = score.header.tempo
    return f'<tempo staff="1" tstamp="1" place="above" midi.bpm="{tempo}" mm="{tempo}" mm.unit="4">♩ = {tempo}</tempo>'


def _labels(index: int, group: Group) -> str:
    names = [(label.span, drawable(label.text)) for label in group.labels]
    return "".join(
        f'<reh xml:id="{id_text(None, index, Kind.LABEL, span)}" staff="1" tstamp="1" place="above">'
        f'<rend rend="box">{xml_text(name)}</rend></reh>'
        for span, name in names
        if name
    )


def _chords(bar: Bar) -> Iterator[str]:
    for event in bar.events:
        if isinstance(event, Note | Rest) and event.chord is not None:
            yield _chord(bar, event, event.chord)


def _chord(bar: Bar, event: Note | Rest, symbol: ChordSymbol) -> str:
    identity = id_text(bar.voice, bar.index, Kind.CHORD, symbol.span)
    inside = event.offset + event.length <= bar.meter.quarters
    if inside:
        beat = 1 + event.offset * Fraction(bar.meter.denominator, 4)
        place = f'tstamp="{float(beat):.6g}"'
    else:  # a bar that is too long has no such beat
        kind = Kind.NOTE if isinstance(event, Note) else Kind.REST
        place = f'startid="#{id_text(bar.voice, bar.index, kind, event.span)}"'
    return (
        f'<harm xml:id="{identity}" staff="{_STAFF[bar.voice]}" place="above" {place}>'
        f"{xml_text(chord_text(symbol))}</harm>"
    )


def _tie_elements(written: dict[int, WrittenBar]) -> dict[int, list[tuple[int, str]]]:
    """Return the ties by the bar in which they begin, each with the bar in which it ends."""
    found: dict[int, list[tuple[int, str]]] = {}
    for (index, at), (next_index, next_at) in ties_in(written).items():
        one, two = written[index], written[next_index]
        first, second = mark_id(one.bar, one.marks[at]), mark_id(two.bar, two.marks[next_at])
        found.setdefault(index, []).append((next_index, f'<tie startid="#{first}" endid="#{second}"/>'))
    return found


_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<mei xmlns="http://www.music-encoding.org/ns/mei" meiversion="5.1"><meiHead><fileDesc><titleStmt><title/>'
    "</titleStmt><pubStmt/></fileDesc></meiHead><music><body><mdiv><score>"
)
_TAIL = "</section></score></mdiv></body></music></mei>"
_END = ' right="end"'
