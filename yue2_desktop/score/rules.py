"""The rules of the dialect, each with its code, severity, law and repair (spec/abc.md, section 1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """*error*: the reference's checker refuses the score; *warning*: the model is not used to such text."""

    ERROR = "error"
    WARNING = "warning"


class Code(StrEnum):
    """The names of the rules, as they appear in reports."""

    EMPTY = "empty"
    NOT_A_SCORE = "not-a-score"
    FOREIGN = "foreign-abc"
    TOO_LARGE = "too-large"
    TOO_MANY_NOTES = "too-many-notes"
    TOO_MANY_FAULTS = "too-many-faults"
    TOO_MANY_BARS = "too-many-bars"
    BAR_TOKENS = "bar-tokens"
    UNFINISHED = "unfinished"
    NO_MUSIC = "no-music"
    BOM = "byte-order-mark"
    LINE_ENDING = "line-ending"
    FINAL_NEWLINE = "final-newline"
    FENCE = "code-fence"
    BLANK_LINE = "blank-line"
    HARD_SPACE = "hard-space"
    HEADER_MISSING = "header-missing"
    HEADER_ORDER = "header-order"
    HEADER_REPEATED = "header-repeated"
    HEADER_EXTRA = "header-extra"
    NUMBER = "header-number"
    TITLE = "title"
    METER = "meter"
    UNIT = "unit"
    UNIT_UNUSUAL = "unit-unusual"
    TEMPO = "tempo"
    TEMPO_UNUSUAL = "tempo-unusual"
    VOICE_HEADER = "voice-header"
    KEY = "key"
    DIRECTIVE = "directive"
    LABEL_FORM = "label-form"
    LABEL_UNUSUAL = "label-unusual"
    LABEL_PLACE = "label-place"
    VOICE_LINE = "voice-line"
    VOICE_MISSING = "voice-missing"
    VOCAL_MISSING = "vocal-missing"
    INS_MISSING = "ins-missing"
    MUSIC_MISSING = "music-missing"
    MUSIC_EXTRA = "music-extra"
    FIELD_PLACE = "field-place"
    FIELD_REPEATED = "field-repeated"
    FIELD_ORDER = "field-order"
    FIELD_REDUNDANT = "field-redundant"
    FIELD_REFUSED = "field-refused"
    LYRICS = "lyrics"
    METER_DIFFERS = "meter-differs"
    KEY_DIFFERS = "key-differs"
    BAR_COUNT = "bar-count"
    BARS_PER_LINE = "bars-per-line"
    GROUP_SHORT = "group-short"
    BAR_OPEN = "bar-open"
    BAR_EMPTY = "bar-empty"
    BARLINE = "barline"
    BAR_LENGTH = "bar-length"
    NOT_UNDERSTOOD = "not-understood"
    SPACE = "space"
    LENGTH = "length"
    LENGTH_FORM = "length-form"
    LENGTH_ONE = "length-one"
    REST_FORM = "rest-form"
    FULL_REST = "full-rest"
    FULL_REST_COUNT = "full-rest-count"
    SILENCE = "silence"
    PITCH_RANGE = "pitch-range"
    NOTE_CHORD = "note-chord"
    GRACE = "grace"
    SLUR = "slur"
    DECORATION = "decoration"
    OVERLAY = "overlay"
    INVISIBLE_REST = "invisible-rest"
    BROKEN_RHYTHM = "broken-rhythm"
    INLINE_FIELD = "inline-field"
    ANNOTATION = "annotation"
    COMMENT = "comment"
    KEY_AT_BARLINE = "key-at-barline"
    CHORD_NAME = "chord-name"
    CHORD_OPEN = "chord-open"
    CHORD_VOICE = "chord-voice"
    CHORD_PLACE = "chord-place"
    CHORD_FULL_REST = "chord-full-rest"
    CHORD_SPELLING = "chord-spelling"
    TIE_REST = "tie-rest"
    TIE_PITCH = "tie-pitch"
    TIE_END = "tie-end"
    TUPLET_FORM = "tuplet-form"
    TUPLET_SHORT = "tuplet-short"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its severity, what it asks, and the name of the repair that mends a breach (see `repair`)."""

    code: Code
    severity: Severity
    law: str
    repair: str | None = None


_E, _W = Severity.ERROR, Severity.WARNING
_TABLE: tuple[tuple[Code, Severity, str, str | None], ...] = (
    (Code.EMPTY, _E, "A score has text.", None),
    (Code.NOT_A_SCORE, _E, "A score has a header and groups of music.", None),
    (Code.FOREIGN, _E, "The score is in YuE2's dialect, not in ordinary ABC.", None),
    (Code.TOO_LARGE, _E, "A score has at most 64 KB.", None),
    (Code.TOO_MANY_NOTES, _E, "A score has at most 4,096 notes.", None),
    (Code.TOO_MANY_FAULTS, _E, "A text with thousands of faults is no score.", None),
    (Code.TOO_MANY_BARS, _E, "Of a music line at most 256 bars are read.", None),
    (Code.BAR_TOKENS, _E, "A bar has at most 256 tokens.", None),
    (Code.UNFINISHED, _E, "A score ends with a whole group.", "drop-unfinished"),
    (Code.NO_MUSIC, _E, "At least one group of music follows the header.", None),
    (Code.BOM, _E, "The text has no byte order mark.", "byte-order-mark"),
    (Code.LINE_ENDING, _W, "Lines end with a line feed alone.", "line-endings"),
    (Code.FINAL_NEWLINE, _W, "The last line ends with a line feed.", "final-newline"),
    (Code.FENCE, _E, "The text is not wrapped in code fences.", "code-fences"),
    (Code.BLANK_LINE, _E, "There are no blank lines.", "blank-lines"),
    (Code.HARD_SPACE, _E, "Spaces are ordinary spaces.", "hard-spaces"),
    (Code.HEADER_MISSING, _E, "All eight header lines are there.", "header"),
    (Code.HEADER_ORDER, _E, "The header lines come in the order X T M L Q V V K.", "header"),
    (Code.HEADER_REPEATED, _E, "Each header line comes once.", "header"),
    (Code.HEADER_EXTRA, _E, "The header has no other lines.", "header"),
    (Code.NUMBER, _E, "The first line is X:1.", "header"),
    (Code.TITLE, _E, "T: is empty; a title is kept in the project.", "title"),
    (Code.METER, _E, "M: is a fraction n/d, d a power of two.", "meter"),
    (Code.UNIT, _E, "L: is 1/N, N a power of two.", None),
    (Code.UNIT_UNUSUAL, _W, "The model writes L:1/16 or L:1/32.", None),
    (Code.TEMPO, _E, "Q: is 1/4= and a whole number.", None),
    (Code.TEMPO_UNUSUAL, _W, "Tempi lie between 40 and 220 quarter notes a minute.", None),
    (Code.VOICE_HEADER, _E, "The two voice lines of the header are exact.", "header"),
    (Code.KEY, _E, "A key is one of fifteen majors Cb..C# and fifteen minors Abm..A#m.", "key"),
    (Code.DIRECTIVE, _E, "There are no %% directives.", "directives"),
    (Code.LABEL_FORM, _W, "A label is a percent sign, a space and a name.", "labels"),
    (Code.LABEL_UNUSUAL, _W, "Labels are the names of sections.", None),
    (Code.LABEL_PLACE, _E, "Labels stand before V: Vocal.", "regroup"),
    (Code.VOICE_LINE, _E, "The voice lines of a group are V: Vocal and V: Ins, exactly.", "voice-lines"),
    (Code.VOICE_MISSING, _E, "A music line follows its voice line.", "regroup"),
    (Code.VOCAL_MISSING, _E, "A group begins with V: Vocal and its music.", "regroup"),
    (Code.INS_MISSING, _E, "A group has V: Ins and its music after the Vocal.", "missing-ins"),
    (Code.MUSIC_MISSING, _E, "Each voice of a group has a music line.", "regroup"),
    (Code.MUSIC_EXTRA, _E, "Each voice of a group has one music line.", "regroup"),
    (Code.FIELD_PLACE, _E, "M: and K: stand between a voice line and its music.", "regroup"),
    (Code.FIELD_REPEATED, _E, "A voice of a group has M: and K: at most once.", "regroup"),
    (Code.FIELD_ORDER, _W, "M: stands before K:.", "regroup"),
    (Code.FIELD_REDUNDANT, _W, "M: and K: come where they change something.", "regroup"),
    (Code.FIELD_REFUSED, _E, "Groups have no other fields than V:, M: and K:.", "drop-lines"),
    (Code.LYRICS, _E, "There are no w: lines; the words are in the request.", "drop-lines"),
    (Code.METER_DIFFERS, _E, "Both voices change the meter alike.", "regroup"),
    (Code.KEY_DIFFERS, _E, "Both voices change the key at the same beat.", "same-keys"),
    (Code.BAR_COUNT, _E, "Both voices of a group have the same number of bars.", "missing-ins"),
    (Code.BARS_PER_LINE, _E, "A music line has one to four bars.", "regroup"),
    (Code.GROUP_SHORT, _W, "A group ends after four bars, or before a label, a meter or a key.", "regroup"),
    (Code.BAR_OPEN, _E, "Every bar is closed by a bar line.", "barlines"),
    (Code.BAR_EMPTY, _E, "A bar has notes or rests.", "barlines"),
    (Code.BARLINE, _E, "Bar lines are plain.", "barlines"),
    (Code.BAR_LENGTH, _E, "A bar lasts exactly as its meter says.", "bar-length"),
    (Code.NOT_UNDERSTOOD, _E, "A bar has notes, rests, chord symbols, tuplets and [K:] only.", "drop-text"),
    (Code.SPACE, _W, "Music lines have no spaces.", "spaces"),
    (Code.LENGTH, _E, "A length is one of 1 2 3 4 6 8 12 16 24 32 48.", "lengths"),
    (Code.LENGTH_FORM, _E, "A length is a whole number of units.", "lengths"),
    (Code.LENGTH_ONE, _W, "The length 1 is not written.", "lengths"),
    (Code.REST_FORM, _E, "A rest has no accidental, octave or tie.", "drop-text"),
    (Code.FULL_REST, _E, "Z stands alone in its bar.", None),
    (Code.FULL_REST_COUNT, _E, "Full-bar rests are Z, Z2, Z3 or Z4.", "regroup"),
    (Code.SILENCE, _W, "Silent bars without a chord are written as one Z.", "regroup"),
    (Code.PITCH_RANGE, _E, "Pitches lie within MIDI's 0 to 127.", "octaves"),
    (Code.NOTE_CHORD, _E, "There are no [CEG] chords: a voice has one note at a time.", "top-notes"),
    (Code.GRACE, _E, "There are no grace notes.", "drop-text"),
    (Code.SLUR, _E, "There are no slurs.", "drop-text"),
    (Code.DECORATION, _E, "There are no decorations.", "drop-text"),
    (Code.OVERLAY, _E, "There are no overlays.", None),
    (Code.INVISIBLE_REST, _E, "Rests are written z or Z.", "plain-rests"),
    (Code.BROKEN_RHYTHM, _E, "There is no broken rhythm.", None),
    (Code.INLINE_FIELD, _E, "K: is the only field inside a bar.", "drop-text"),
    (Code.ANNOTATION, _E, "There are no annotations.", "drop-text"),
    (Code.COMMENT, _E, "A music line has no comment.", "drop-text"),
    (Code.KEY_AT_BARLINE, _W, "A key change at a bar line is a K: line of a new group.", "regroup"),
    (Code.CHORD_NAME, _E, "A chord symbol is in the vocabulary.", "chord-names"),
    (Code.CHORD_OPEN, _E, "A chord symbol ends with a quotation mark.", None),
    (Code.CHORD_VOICE, _E, "Chord symbols stand in the Vocal line only.", "chords-to-vocal"),
    (Code.CHORD_PLACE, _E, "A chord symbol stands immediately before a note or rest inside the bar.", "drop-text"),
    (Code.CHORD_FULL_REST, _E, 'A bar with a chord over silence is written "C"z16, not Z.', "full-rests"),
    (Code.CHORD_SPELLING, _W, "A chord is spelled as its key asks.", "chord-spelling"),
    (Code.TIE_REST, _E, "A tie does not lead into a rest.", "ties"),
    (Code.TIE_PITCH, _E, "A tie joins two notes of one pitch.", "ties"),
    (Code.TIE_END, _E, "A tie does not end the song.", "ties"),
    (Code.TUPLET_FORM, _E, "A tuplet is (p, (p:q or (p:q:r.", None),
    (Code.TUPLET_SHORT, _E, "A tuplet's notes stand in one bar, and no other tuplet among them.", None),
)

#: Every rule by its code.
RULES = {code: Rule(code, severity, law, repair) for code, severity, law, repair in _TABLE}
