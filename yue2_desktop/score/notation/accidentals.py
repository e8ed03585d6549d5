"""Written accidentals: which note needs a sign before it, by the rules of engraving and not by those of the text.

In the text an accidental holds for its letter in all octaves; on a staff it holds for one line or space. A sign is
written where the staff would otherwise be read as another pitch, and as a courtesy where the same letter was altered
otherwise in another octave of the same bar.
"""

from __future__ import annotations

from collections.abc import Mapping

from yue2_desktop.score.elements import Note


class Accidentals:
    """The signs in force on one staff while its bars are written one after another."""

    def __init__(self, alters: Mapping[str, int]) -> None:
        self._alters = dict(alters)
        self._on_line: dict[tuple[str, int], int] = {}
        self._of_letter: dict[str, int] = {}

    def new_bar(self) -> None:
        """A bar line: the signs of the bar before no longer hold."""
        self._on_line.clear()
        self._of_letter.clear()

    def new_key(self, alters: Mapping[str, int]) -> None:
        """A key signature is drawn: it holds from here on, and the signs before it no longer do."""
        self._alters = dict(alters)
        self.new_bar()

    def sign(self, note: Note, *, tied: bool) -> int | None:
        """Return the alteration to be written before a note, or None; a note that is tied to gets none."""
        place = (note.letter, note.octave)
        expected = self._on_line.get(place, self._alters[note.letter])
        elsewhere = self._of_letter.get(note.letter, expected)
        self._of_letter[note.letter] = note.alter
        if tied:
            return None
        if note.alter == expected == elsewhere:
            return None
        self._on_line[place] = note.alter
        return note.alter
