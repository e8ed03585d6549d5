"""The content of one bar on one staff in MEI: notes, rests, keys, beams and tuplets."""

from __future__ import annotations

from yue2_desktop.score.elements import Bar, KeyChange, Note, Rest
from yue2_desktop.score.engraving.beams import beamed
from yue2_desktop.score.engraving.ids import Kind, id_text
from yue2_desktop.score.keys import Key
from yue2_desktop.score.notation.values import Value
from yue2_desktop.score.notation.written import Mark, WrittenBar

#: Written signs, and what sounds where no sign is written: MEI spells a double sharp `x` and `ss`.
_SIGNS = {-2: "ff", -1: "f", 0: "n", 1: "s", 2: "x"}
_SOUNDING = {**_SIGNS, 2: "ss"}
#: Staves are drawn for octaves up to these; a pitch beyond them (rule pitch-range) is drawn at the edge.
_LOWEST_OCTAVE, _HIGHEST_OCTAVE = 0, 9


def layer(written: WrittenBar) -> str:
    """Return the content of the bar's `<layer>`."""
    bar = written.bar
    if written.whole_rest:
        span = bar.events[0].span if bar.events else bar.span
        return f'<mRest xml:id="{id_text(bar.voice, bar.index, Kind.REST, span)}"/>'
    marks = written.marks
    opens: dict[int, list[str]] = {}
    closes: dict[int, list[str]] = {}
    for first, last in _tuplets(marks):
        opens.setdefault(first, []).append(_tuplet(bar, marks[first]))
        closes.setdefault(last, []).append("</tuplet>")
    for first, last in beamed(marks, bar.meter):
        opens.setdefault(first, []).append("<beam>")
        closes.setdefault(last, []).insert(0, "</beam>")
    parts: list[str] = []
    for at, mark in enumerate(marks):
        parts.extend(closes.get(at, ()))
        parts.extend(opens.get(at, ()))
        parts.append(_mark(bar, mark))
    parts.extend(closes.get(len(marks), ()))
    return "".join(parts) or "<mSpace/>"


def mark_id(bar: Bar, mark: Mark) -> str:
    """Return the id of a mark."""
    kind = Kind.NOTE if isinstance(mark.event, Note) else Kind.REST if isinstance(mark.event, Rest) else Kind.KEY
    return id_text(bar.voice, bar.index, kind, mark.event.span, mark.piece)


def signature(key: Key) -> str:
    """Return a key's signature as MEI writes it: `3f`, `0`, `5s`."""
    return "0" if key.fifths == 0 else f"{abs(key.fifths)}{'s' if key.fifths > 0 else 'f'}"


def _tuplets(marks: tuple[Mark, ...]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(marks):
        end = at + 1
        if marks[at].tuplet is not None:
            while end < len(marks) and marks[end].tuplet == marks[at].tuplet:
                end += 1
            found.append((at, end))
        at = end
    return found


def _tuplet(bar: Bar, first: Mark) -> str:
    assert first.tuplet is not None
    tuplet = bar.tuplets[first.tuplet]
    identity = id_text(bar.voice, bar.index, Kind.TUPLET, tuplet.span)
    return f'<tuplet xml:id="{identity}" num="{tuplet.p}" numbase="{tuplet.q}" num.format="count">'


def _mark(bar: Bar, mark: Mark) -> str:
    event = mark.event
    identity = mark_id(bar, mark)
    if isinstance(event, KeyChange):
        return f'<keySig xml:id="{identity}" sig="{signature(event.key)}"/>'
    assert mark.value is not None
    if isinstance(event, Rest):
        return f'<rest xml:id="{identity}" {_duration(mark.value)}/>'
    octave = min(max(event.octave, _LOWEST_OCTAVE), _HIGHEST_OCTAVE)
    if mark.sign is not None:
        sign = f' accid="{_SIGNS[mark.sign]}"'
    elif event.alter:
        sign = f' accid.ges="{_SOUNDING[event.alter]}"'
    else:
        sign = ""
    return f'<note xml:id="{identity}" {_duration(mark.value)} oct="{octave}" pname="{event.letter.lower()}"{sign}/>'


def _duration(value: Value) -> str:
    base = "breve" if value.base == 0 else str(value.base)
    return f'dur="{base}" dots="1"' if value.dots else f'dur="{base}"'
