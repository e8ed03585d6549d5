"""What is asked of the notation by keys: choosing the next note, and edits of the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop.score.editing.chords import set_chord
from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.engraving.ids import Kind
from yue2_desktop.score.engraving.score_map import ScoreElement, ScoreMap
from yue2_desktop.score.parser import Parsed
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.score import moves
from yue2_desktop.ui.score.note_keys import Ask
from yue2_desktop.ui.score.score_edits import ScoreEdits

_SEMITONES: Final = {Ask.HIGHER: 1, Ask.LOWER: -1, Ask.OCTAVE_UP: 12, Ask.OCTAVE_DOWN: -12}
_STEPS: Final = {Ask.NEXT: 1, Ask.PREVIOUS: -1}
_BARS: Final = {Ask.NEXT_BAR: 1, Ask.PREVIOUS_BAR: -1}
_LENGTHS: Final = {Ask.LONGER: 1, Ask.SHORTER: -1}


class NoteCommands(QObject):
    """Keeps which element is chosen, in the text as it is now; `selected` says when it is another."""

    selected = Signal(object)
    chord_wanted = Signal(object, str)

    def __init__(self, edits: ScoreEdits, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edits = edits
        self._element: ScoreElement | None = None
        self._read: tuple[Parsed, ScoreMap] | None = None
        self._kept: Parsed | None = None
        self._chord_at: tuple[int, Fraction] | None = None

    @property
    def element(self) -> ScoreElement | None:
        """The chosen element."""
        return self._element

    def score_map(self) -> ScoreMap | None:
        """The elements of the text as it is now."""
        parsed = self._edits.parsed()
        if parsed is None:
            return None
        if self._read is None or self._read[0] is not parsed:
            self._read = (parsed, ScoreMap(parsed.score))
        return self._read[1]

    @Slot(object)
    def choose(self, element: ScoreElement | None) -> None:
        """Chooses an element."""
        if element != self._element:
            self._element = element
            self.selected.emit(element)

    def choose_at(self, line: int, column: int) -> None:
        """Chooses what is written at a place of the text."""
        score_map = self.score_map()
        found = score_map.at_text(line, column) if score_map is not None else ()
        self.choose(found[0] if found else None)

    @Slot(int)
    def choose_section(self, index: int) -> None:
        """Chooses the first note or rest of a section."""
        parsed, score_map = self._edits.parsed(), self.score_map()
        if parsed is None or score_map is None or index >= len(parsed.score.sections):
            return
        bar = parsed.score.sections[index].first_bar
        inside = score_map.in_bar(bar)
        self.choose(next((one for one in inside if one.kind in {Kind.NOTE, Kind.REST}), inside[0] if inside else None))

    def use_map(self, parsed: Parsed, score_map: ScoreMap) -> None:
        """The elements of a text that were found elsewhere, so that they are not looked for again."""
        self._read = (parsed, score_map)

    def keep_up(self) -> None:
        """After the text became another: the chosen element is what stands there now."""
        score_map = self.score_map()
        self._kept = self._read[0] if self._read is not None else None
        if score_map is None:
            self.choose(None)
        elif self._element is not None and score_map.by_id(self._element.name) != self._element:
            self.choose(moves.after_edit(score_map, self._element))

    def ask(self, ask: Ask) -> bool:
        """Does what a key asks for; False for what is not about notes."""
        score_map = self.score_map()
        if score_map is None:
            return False
        if self._read is not None and self._kept is not self._read[0]:
            self.keep_up()
        if ask in _STEPS:
            self._go(moves.neighbour(score_map, self._element, _STEPS[ask]))
        elif self._element is None and (ask in _BARS or ask is Ask.OTHER_VOICE):
            self._go(moves.neighbour(score_map, None, 1))
        elif ask in _BARS and self._element is not None:
            self._go(moves.bar_step(score_map, self._element, _BARS[ask]))
        elif ask is Ask.OTHER_VOICE and self._element is not None:
            self._go(moves.across(score_map, self._element))
        elif ask in _SEMITONES:
            self._edit(partial(moves.moved_pitch, semitones=_SEMITONES[ask]))
        elif ask in _LENGTHS:
            self._edit(partial(moves.moved_length, step=_LENGTHS[ask]))
        elif ask is Ask.SILENCE:
            self._silence()
        elif ask is Ask.CHORD:
            self.want_chord()
        else:
            return False
        return True

    @Slot()
    def want_chord(self) -> None:
        """Asks for the chord symbol at the chosen element."""
        parsed = self._edits.parsed()
        if parsed is None:
            return
        try:
            bar, offset, name = moves.chord_place(parsed, self._element)
        except Problem as problem:
            self._edits.refused.emit(problem.sentence)
            return
        self._chord_at = (bar, offset)
        self.chord_wanted.emit(self._element, name)

    @Slot(str)
    def set_chord(self, name: str) -> None:
        """Writes the chord symbol that was asked for; an empty name takes it out."""
        if self._chord_at is None:
            return
        bar, offset = self._chord_at
        self._edits.make(lambda parsed: set_chord(parsed, bar, offset, name or None))

    def _silence(self) -> None:
        if self._element is None or self._element.kind is not Kind.CHORD:
            self._edit(moves.silenced)
            return

        def without(parsed: Parsed) -> Edit:
            bar, offset, _ = moves.chord_place(parsed, self._element)
            return set_chord(parsed, bar, offset, None)

        self._edits.make(without)

    def _go(self, element: ScoreElement | None) -> None:
        if element is not None:
            self.choose(element)

    def _edit(self, operation: Callable[[Parsed, ScoreElement | None], Edit]) -> None:
        self._edits.make(lambda parsed: operation(parsed, self._element))
