"""Which faults leave the model whole, so that a bar may be written again without losing what the text said."""

from __future__ import annotations

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.model import Group
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.rules import Code

#: Faults that the model holds as they are: writing the bar again keeps them.
_HELD = frozenset({
    Code.BAR_LENGTH,
    Code.PITCH_RANGE,
    Code.CHORD_NAME,
    Code.CHORD_VOICE,
    Code.TIE_REST,
    Code.TIE_PITCH,
    Code.TIE_END,
    Code.LENGTH,
})
#: Faults of the lines' order and form: the model has all that they say, and writing the group again mends them.
_MENDED = frozenset({
    Code.LABEL_PLACE,
    Code.VOICE_LINE,
    Code.VOICE_MISSING,
    Code.VOCAL_MISSING,
    Code.INS_MISSING,
    Code.MUSIC_MISSING,
    Code.MUSIC_EXTRA,
    Code.FIELD_PLACE,
    Code.FIELD_REPEATED,
    Code.METER_DIFFERS,
    Code.KEY_DIFFERS,
    Code.BAR_COUNT,
    Code.BARS_PER_LINE,
    Code.FULL_REST_COUNT,
    Code.CHORD_FULL_REST,
    Code.BAR_OPEN,
    Code.BARLINE,
})
#: Faults after which notes, chords or keys may stand in the text that the model has not.
_HIDES_MUSIC = frozenset({
    Code.EMPTY,
    Code.NOT_A_SCORE,
    Code.FOREIGN,
    Code.TOO_LARGE,
    Code.TOO_MANY_NOTES,
    Code.TOO_MANY_FAULTS,
    Code.TOO_MANY_BARS,
    Code.BAR_TOKENS,
    Code.UNFINISHED,
    Code.NO_MUSIC,
    Code.NOT_UNDERSTOOD,
    Code.NOTE_CHORD,
    Code.GRACE,
    Code.INLINE_FIELD,
    Code.OVERLAY,
    Code.CHORD_NAME,
    Code.CHORD_OPEN,
    Code.KEY,
})


def first_loss(parsed: Parsed, group: Group, *, mending: bool) -> Diagnostic | None:
    """Return the first error of a group that would be lost from the text if the group were written again, or None.

    With `mending`, faults of order and form do not count: mending them is the purpose.
    """
    kept = _HELD | _MENDED if mending else _HELD
    for one in parsed.errors:
        if group.first_line <= one.line <= group.last_line and one.code not in kept:
            return one
    return None


def first_hidden(parsed: Parsed) -> Diagnostic | None:
    """Return the first error after which the model may lack notes, chords or keys that the text has, or None."""
    return next((one for one in parsed.errors if one.code in _HIDES_MUSIC), None)
