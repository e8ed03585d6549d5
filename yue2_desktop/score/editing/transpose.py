"""Transposition: notes, chord symbols and keys together, the whole song or from a section on, token by token."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.editing.edit import Edit, Replacement, edit_of, refused
from yue2_desktop.score.editing.keeping import first_hidden
from yue2_desktop.score.editing.marks import Marks
from yue2_desktop.score.elements import VOICES, Bar, ChordSymbol, KeyChange, Note, Rest, Span, Voice
from yue2_desktop.score.keys import Key, moved_key
from yue2_desktop.score.model import Group, VoiceLine
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.pitch import HIGHEST, LOWEST, Pitch, Spelling, pitch_with, spelling_at
from yue2_desktop.score.writer import write_note

MOST = 48


def transpose(parsed: Parsed, semitones: int, from_section: int = 0) -> Edit:
    """Move the song up or down, from a section on (0: the whole song with its header).

    Every key becomes the one with the fewest accidentals (whole octaves keep it), letters and chord roots move with
    their key, and the marks that are written stay written. A tie into the first moved note is cut. Transposing by +n
    and then by -n gives the same text where every key has one usual spelling. Raises a `Problem` where a pitch would
    leave MIDI's 0..127, and where text was not understood that may hold music.
    """
    sections = parsed.score.sections
    hidden = first_hidden(parsed)
    if hidden is not None:
        raise refused(f"Line {hidden.line}: {hidden.sentence} Repair this before transposing.", line=hidden.line)
    if not 0 <= from_section < max(len(sections), 1):
        raise refused(f"There are {len(sections)} sections; section {from_section + 1} does not exist.")
    if abs(semitones) > MOST:
        raise refused(f"{semitones} semitones are more than {MOST // 12} octaves; give at most {MOST}.")
    first_group = sections[from_section].first_group if sections else 0
    work = _Work(parsed, semitones, first_group)
    if semitones:
        work.run()
    return edit_of(_described(parsed, semitones, from_section, work.cut), work.replacements, parsed.text)


def moved_chord(chord: Chord, key: Key, semitones: int) -> Chord:
    """Return a chord that stands in `key`, moved together with it."""
    shift = _shift(key, semitones)
    root, bass = spelling_at(chord.root.fifths + shift), chord.bass
    return Chord(root, chord.quality, spelling_at(bass.fifths + shift) if bass else None)


def _shift(key: Key, semitones: int) -> int:
    """Return how far every spelling moves on the line of fifths when the key moves."""
    return moved_key(key, semitones).fifths - key.fifths


def _described(parsed: Parsed, semitones: int, from_section: int, cut: int) -> str:
    size = f"{abs(semitones)} semitone{'' if abs(semitones) == 1 else 's'} {'up' if semitones >= 0 else 'down'}"
    if from_section == 0:
        key = parsed.score.header.key
        text = f"Transpose {size}, from {key.name} to {moved_key(key, semitones).name}."
    else:
        text = f"Transpose {size} from the section '{parsed.score.sections[from_section].label}' on."
    return text + (" A tie into it is cut." if cut else "")


@dataclass(slots=True)
class _Work:
    """The replacements of one transposition while they are gathered."""

    parsed: Parsed
    semitones: int
    first_group: int
    replacements: list[Replacement] = field(default_factory=list)
    cut: int = 0

    def run(self) -> None:
        score = self.parsed.score
        if self.first_group == 0:
            self._span(score.header.span_of("K"), f"K:{self._key(score.header.key).name}")
        for voice in VOICES:
            before = self._last_key_before(voice)
            for group in score.groups[self.first_group :]:
                self._group_key(group, group.line_of(voice), before)
                before = None
            self._bars(voice)

    def _key(self, key: Key) -> Key:
        return moved_key(key, self.semitones)

    def _span(self, span: Span | None, text: str) -> None:
        if span is not None:
            start = self.parsed.offset(span.line, span.column)
            self.replacements.append(Replacement(start, start + span.end - span.column, text))

    def _last_key_before(self, voice: Voice) -> Key | None:
        """Return the key that holds before the first moved group, None where the whole song moves."""
        if self.first_group == 0:
            return None
        key = self.parsed.score.header.key
        for group in self.parsed.score.groups[: self.first_group]:
            line = group.line_of(voice)
            key = line.key_change or key
            for bar in line.bars:
                key = _key_after(bar)
        return key

    def _group_key(self, group: Group, line: VoiceLine, before: Key | None) -> None:
        """Move a group's `K:` line; the first group of a later section gets one, or loses one that is idle then."""
        if before is None:
            if line.key_change is not None and line.key_span is not None:
                self._span(line.key_span, f"K:{self._key(line.key_change).name}")
            return
        new = self._key(line.key_change or before)
        if line.key_span is not None:
            start = self.parsed.offset(line.key_span.line, 1)
            if new != before:
                self._span(line.key_span, f"K:{new.name}")
            else:
                end = self.parsed.line_starts[line.key_span.line] if line.key_span.line < self._lines else start
                self.replacements.append(Replacement(start, end, ""))
        elif new != before:
            if not line.music_line:
                raise refused(f"Line {group.first_line}: {line.voice} has no music here; repair the group first.")
            start = self.parsed.offset(line.music_line, 1)
            self.replacements.append(Replacement(start, start, f"K:{new.name}\n"))

    @property
    def _lines(self) -> int:
        return len(self.parsed.line_starts)

    def _bars(self, voice: Voice) -> None:
        held: Note | None = None
        written: Note | None = None
        for bar in self.parsed.score.bars(voice):
            if bar.group < self.first_group:
                written = next((event for event in reversed(bar.events) if isinstance(event, Note)), written)
                continue
            if written is not None and written.tie:
                self.cut += 1
                self._span(written.span, write_note(replace(written, tie=False)))
            written = None
            held = self._bar(bar, held)

    def _bar(self, bar: Bar, held: Note | None) -> Note | None:
        """Move one bar; `held` is the moved note that is tied into it. Return the one that is tied out of it."""
        key = bar.key
        marks = Marks(self._key(key).alters, held)
        for event in bar.events:
            if isinstance(event, KeyChange):
                key = event.key
                marks.key(self._key(key).alters)
                self._span(event.span, f"[K:{self._key(key).name}]")
                continue
            if event.chord is not None:
                self._chord(event.chord, key)
            if isinstance(event, Rest):
                held = None
                marks.rest()
                continue
            pitch = self._pitch(event, key, held if event.tied else None)
            moved = marks.marked(
                replace(event, letter=pitch.letter, alter=pitch.alter, octave=pitch.octave, pitch=pitch.midi)
            )
            self._span(event.span, write_note(moved))
            held = moved if moved.tie else None
        return held if bar.events else None

    def _pitch(self, note: Note, key: Key, held: Note | None) -> Pitch:
        midi = note.pitch + self.semitones
        if not LOWEST <= midi <= HIGHEST:
            where = f"Line {note.span.line}, column {note.span.column}"
            raise refused(f"{where}: {note.spelled.name} would leave the range of MIDI pitches; transpose by less.")
        if held is not None and held.pitch == midi:
            return held.spelled
        spelling = spelling_at(Spelling(note.letter, note.alter).fifths + _shift(key, self.semitones))
        return pitch_with(spelling, midi)

    def _chord(self, symbol: ChordSymbol, key: Key) -> None:
        if symbol.chord is not None:
            self._span(symbol.span, f'"{moved_chord(symbol.chord, key, self.semitones).name}"')


def _key_after(bar: Bar) -> Key:
    changes = [event.key for event in bar.events if isinstance(event, KeyChange)]
    return changes[-1] if changes else bar.key
