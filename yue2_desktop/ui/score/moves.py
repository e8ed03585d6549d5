"""What keys on the notation mean: the next note, a pitch or a length further, as elements and edits."""

from __future__ import annotations

from fractions import Fraction

from yue2_desktop.score.editing.edit import Edit, refused
from yue2_desktop.score.editing.notes import set_length, set_pitch, silence
from yue2_desktop.score.elements import LENGTHS, VOICES, KeyChange, Note, Rest
from yue2_desktop.score.engraving.ids import Kind
from yue2_desktop.score.engraving.score_map import ScoreElement, ScoreMap
from yue2_desktop.score.model import Score
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.pitch import Pitch
from yue2_desktop.score.timeline import Place, place_at, places, sounds

_EVENTS = frozenset({Kind.NOTE, Kind.REST})
#: A rest before all notes of its voice becomes the tonic of this octave.
_FIRST_OCTAVE = 4


def neighbour(score_map: ScoreMap, element: ScoreElement | None, step: int) -> ScoreElement | None:
    """Return the note or rest `step` further in the same voice; from nothing the first one, at the ends the same."""
    voice = (element.voice if element is not None else None) or VOICES[0]
    row = [one for one in score_map.elements if one.voice is voice and one.kind in _EVENTS]
    if not row:
        return None
    if element is None:
        return row[0]
    if element in row:
        at = row.index(element) + step
    else:  # a chord or a bar: the event there
        at = max((n for n, one in enumerate(row) if one.onset <= element.onset), default=0)
    return row[min(max(at, 0), len(row) - 1)]


def across(score_map: ScoreMap, element: ScoreElement) -> ScoreElement | None:
    """Return what the other voice has at the time of an element."""
    found = [one for one in score_map.at_time(element.onset) if one.voice is not element.voice]
    return found[0] if found else None


def bar_step(score_map: ScoreMap, element: ScoreElement, step: int) -> ScoreElement | None:
    """Return the first note or rest of the bar `step` bars further, in the same voice."""
    row = [one for one in score_map.elements if one.voice is element.voice and one.kind in _EVENTS]
    wanted = element.bar + step
    return next((one for one in row if one.bar == wanted), None)


def event_place(parsed: Parsed, element: ScoreElement | None) -> Place:
    """Return the written event of an element; raises a Problem that says what to choose where there is none."""
    if element is not None:
        place = place_at(parsed.score, element.span.line, element.span.column)
        if place is not None:
            return place
        if element.kind is Kind.REST:
            raise refused("A bar of silence has no notes yet; write its music in the text below, for example c32.")
    raise refused("Choose a note first: click it, or go there with the arrow keys.")


def moved_pitch(parsed: Parsed, element: ScoreElement | None, semitones: int) -> Edit:
    """Return the edit that moves a note; octaves keep its spelling. A rest becomes the note that its voice had last."""
    place = event_place(parsed, element)
    event = place.event
    if isinstance(event, Rest):
        return set_pitch(parsed, place, _last_pitch(parsed.score, place))
    if isinstance(event, KeyChange):
        raise refused("A change of key has no pitch; choose a note.")
    if semitones % 12 == 0:
        return set_pitch(parsed, place, Pitch(event.letter, event.alter, event.octave + semitones // 12))
    return set_pitch(parsed, place, event.pitch + semitones)


def moved_length(parsed: Parsed, element: ScoreElement | None, step: int) -> Edit:
    """Return the edit that gives a note the next longer (1) or shorter (-1) length that has a sign of its own."""
    place = event_place(parsed, element)
    units = _units_in_bar(parsed.score, place)
    if step > 0:
        wanted = next((one for one in LENGTHS if one > units), None)
    else:
        wanted = next((one for one in reversed(LENGTHS) if one < units), None)
    if wanted is None:
        raise refused("The note cannot be longer." if step > 0 else "The note cannot be shorter; Delete silences it.")
    return set_length(parsed, place, wanted)


def silenced(parsed: Parsed, element: ScoreElement | None) -> Edit:
    """Return the edit that turns a note into silence."""
    return silence(parsed, event_place(parsed, element))


def chord_place(parsed: Parsed, element: ScoreElement | None) -> tuple[int, Fraction, str]:
    """Return where a chord symbol for an element stands: bar, quarters into it, and the name that is there."""
    if element is None:
        raise refused("Choose a note first: the chord stands above it.")
    bar = next((one for one in parsed.score.vocal_bars if one.index == element.bar), None)
    if bar is None:
        raise refused("The Vocal lacks this bar, and chords stand there; repair the bar first.")
    offset = element.onset - bar.start
    for event in bar.events:
        if not isinstance(event, KeyChange) and event.chord is not None and event.offset == offset:
            return bar.index, offset, event.chord.text
    return bar.index, offset, ""


def after_edit(score_map: ScoreMap, element: ScoreElement) -> ScoreElement | None:
    """Return the element of a new text that stands where one of the old text stood: same voice and time."""
    return next(
        (
            one
            for one in score_map.elements
            if one.voice is element.voice
            and one.onset == element.onset
            and (one.kind in _EVENTS) == (element.kind in _EVENTS)
        ),
        None,
    )


def _units_in_bar(score: Score, place: Place) -> Fraction:
    event = place.event
    if not isinstance(event, Note):
        raise refused("Only a note can be given another length; a rest follows from its neighbours.")
    chain = next(one.notes for one in sounds(score, place.bar.voice) if any(note is event for note in one.notes))
    here = {id(one) for one in place.bar.events}
    return sum((Fraction(note.units) for note in chain if id(note) in here), Fraction(0))


def _last_pitch(score: Score, place: Place) -> Pitch:
    tonic = place.bar.key.tonic
    pitch = Pitch(tonic.letter, tonic.alter, _FIRST_OCTAVE)
    for one in places(score, place.bar.voice):
        if one.onset >= place.onset:
            break
        if isinstance(one.event, Note):
            pitch = one.event.spelled
    return pitch
