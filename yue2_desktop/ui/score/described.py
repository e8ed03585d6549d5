"""An element of a score in words, for those who cannot see the picture and for the line below it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from yue2_desktop.score.elements import Note
from yue2_desktop.score.engraving.ids import Kind
from yue2_desktop.score.engraving.score_map import ScoreElement
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.timeline import place_at


def described(parsed: Parsed, element: ScoreElement | None) -> str:
    """Return what an element is and where; empty for none."""
    if element is None:
        return ""
    place = place_at(parsed.score, element.span.line, element.span.column)
    event = place.event if place is not None else None
    if element.kind is Kind.NOTE and isinstance(event, Note):
        name = event.spelled.name.replace("b", "♭").replace("#", "♯")
        what = _tr("{name}, {length} quarters").format(name=name, length=_number(float(element.duration)))
    elif element.kind is Kind.CHORD and event is not None and not hasattr(event, "key") and event.chord is not None:
        what = _tr("Chord {name}").format(name=event.chord.text)
    elif element.kind is Kind.REST:
        what = _tr("Silence, {length} quarters").format(length=_number(float(element.duration)))
    else:
        what = _tr("Bar")
    voice = _tr("Vocal") if element.voice is not None and element.voice.value == "Vocal" else _tr("Instrument")
    where = _tr("bar {number}").format(number=element.bar + 1)
    return ", ".join((what, where, voice) if element.voice is not None else (what, where))


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _tr(text: str) -> str:
    return QCoreApplication.translate("ScoreElements", text)
