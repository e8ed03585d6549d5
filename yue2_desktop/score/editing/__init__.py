"""Edits of a score as values: transposition, notes, chords, bars, sections, voices."""
