"""Every rule of the dialect by name: one text that breaks it, where, and one that keeps it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.score.samples import INS_LINE, MUSIC_LINE, bare, header, song
from yue2_desktop.score.parser import MAX_BYTES, parse
from yue2_desktop.score.repairs.repair import REPAIRS
from yue2_desktop.score.rules import RULES, Code

GOOD_SONG = song()
V = MUSIC_LINE


@dataclass(frozen=True)
class Case:
    """A text that breaks a rule at a place (line, column, end), and one beside it that breaks none."""

    code: Code
    bad: str
    place: tuple[int, int, int]
    good: str = GOOD_SONG


def line(number: int, text: str, of: str = GOOD_SONG) -> str:
    """Return a text with another line `number`."""
    lines = of.split("\n")
    lines[number - 1] = text
    return "\n".join(lines)


def without(number: int, of: str = GOOD_SONG) -> str:
    """Return a text without the line `number`."""
    lines = of.split("\n")
    del lines[number - 1]
    return "\n".join(lines)


def before(number: int, text: str, of: str = GOOD_SONG) -> str:
    """Return a text with a line more before the line `number`."""
    lines = of.split("\n")
    lines.insert(number - 1, text)
    return "\n".join(lines)


def fields(vocal: str, ins: str, music: str = "c8|", rest: str = "Z|") -> str:
    """Return the song with these field lines in its last group."""
    head = GOOD_SONG.split("% chorus\n", maxsplit=1)[0]
    return f"{head}% chorus\nV: Vocal\n{vocal}{music}\nV: Ins\n{ins}{rest}\n"


VOCAL_HEADER = 'V: Vocal clef=treble name="Vocal Melody" snm="Vocal"'
FULL_GROUP = "V: Vocal\nc16|c16|c16|c16|\nV: Ins\nZ4|\n"
WHOLE_LINE = f"{'c' * 4}{'c' * 12}|"

CASES = [
    Case(Code.EMPTY, "", (1, 1, 2)),
    Case(Code.NOT_A_SCORE, "Here is your score.\n", (1, 1, 20)),
    Case(Code.FOREIGN, "X:1\nT:Reel\nK:G\nGABc|\n", (1, 1, 4)),
    Case(Code.TOO_LARGE, "%" * MAX_BYTES + "\nV: Vocal\n", (1, 1, 200)),
    Case(Code.TOO_MANY_NOTES, header() + "% verse\n" + f"V: Vocal\n{WHOLE_LINE * 4}\nV: Ins\nZ4|\n" * 65, (267, 1, 2)),
    Case(Code.TOO_MANY_FAULTS, GOOD_SONG + "w: la\n" * 1001, (1019, 1, 6)),
    Case(Code.TOO_MANY_BARS, song("c16|" * 256 + "d16|", "Z4|"), (V, 1025, 1029)),
    Case(Code.BAR_TOKENS, song("c" * 257 + "|"), (V, 1, 258)),
    Case(Code.UNFINISHED, song('"G"G8', ins="").split("V: Ins\n\n")[0], (V, 1, 6)),
    Case(Code.NO_MUSIC, header(), (8, 1, 2)),
    Case(Code.BOM, "\ufeff" + GOOD_SONG, (1, 1, 2)),
    Case(Code.LINE_ENDING, GOOD_SONG.replace("T:\n", "T:\r\n"), (2, 3, 4)),
    Case(Code.FINAL_NEWLINE, GOOD_SONG.rstrip("\n"), (18, 3, 4)),
    Case(Code.FENCE, "```\n" + GOOD_SONG, (1, 1, 4)),
    Case(Code.BLANK_LINE, before(14, ""), (14, 1, 2)),
    Case(Code.HARD_SPACE, line(14, "%\u00a0chorus"), (14, 2, 3)),
    Case(Code.HARD_SPACE, song("c8\u00a0c8|"), (V, 3, 4), song("c8c8|")),
    Case(Code.HEADER_MISSING, without(5), (5, 1, 2)),
    Case(
        Code.HEADER_ORDER, header().replace("M:4/4\nL:1/16\n", "L:1/16\nM:4/4\n") + "% verse\n" + FULL_GROUP, (4, 1, 6)
    ),
    Case(Code.HEADER_REPEATED, before(6, "Q:1/4=100"), (6, 1, 10)),
    Case(Code.HEADER_EXTRA, before(3, "C:trad."), (3, 1, 8)),
    Case(Code.NUMBER, line(1, "X:2"), (1, 1, 4)),
    Case(Code.TITLE, line(2, "T:My song"), (2, 1, 10)),
    Case(Code.METER, line(3, "M:C"), (3, 1, 4)),
    Case(Code.METER, line(3, "M:4/5"), (3, 1, 6)),
    Case(Code.METER, fields("M:C|\n", "M:2/4\n"), (V, 1, 5), fields("M:2/4\n", "M:2/4\n")),
    Case(Code.UNIT, line(4, "L:1/12"), (4, 1, 7)),
    Case(Code.UNIT_UNUSUAL, bare("C8|", unit=8), (4, 1, 6), bare("C32|", unit=32)),
    Case(Code.TEMPO, line(5, "Q:1/2=90"), (5, 1, 9)),
    Case(Code.TEMPO, line(5, "Q:1/4=96.5"), (5, 1, 11)),
    Case(Code.TEMPO, line(5, "Q:1/4=0"), (5, 1, 8)),
    Case(Code.TEMPO_UNUSUAL, line(5, "Q:1/4=250"), (5, 1, 10), line(5, "Q:1/4=220")),
    Case(Code.VOICE_HEADER, line(6, "V: Vocal clef=treble"), (6, 1, 21)),
    Case(Code.VOICE_HEADER, line(6, VOCAL_HEADER.replace("V: ", "V:")), (6, 1, 52)),
    Case(Code.KEY, line(8, "K:Cmaj"), (8, 1, 7)),
    Case(Code.KEY, line(8, "K:G#"), (8, 1, 5)),
    Case(Code.KEY, song("c8[K:Ddor]c8|"), (V, 3, 11), song("c8[K:D]c8|", "z8[K:D]z8|")),
    Case(Code.DIRECTIVE, before(9, "%%MIDI program 1"), (9, 1, 17)),
    Case(Code.LABEL_FORM, line(14, "%chorus"), (14, 1, 8)),
    Case(Code.LABEL_FORM, line(14, "% chorus "), (14, 1, 10)),
    Case(Code.LABEL_UNUSUAL, line(14, "% Strophe"), (14, 1, 10), line(14, "% verse 2")),
    Case(Code.LABEL_PLACE, before(17, "% verse"), (17, 1, 8)),
    Case(Code.LABEL_PLACE, before(16, "% verse"), (16, 1, 8)),
    Case(Code.VOICE_LINE, line(17, "V:Ins"), (17, 1, 6)),
    Case(Code.VOICE_LINE, line(15, "V: vocal"), (15, 1, 9)),
    Case(Code.VOICE_LINE, line(17, "V: Drums"), (17, 1, 9)),
    Case(Code.VOICE_MISSING, without(17), (17, 1, 3)),
    Case(Code.VOICE_MISSING, without(15), (15, 1, 8)),
    Case(Code.VOCAL_MISSING, without(15, without(16)), (15, 1, 7)),
    Case(Code.INS_MISSING, header() + "% verse\nV: Vocal\nc16|\n% chorus\n" + FULL_GROUP, (11, 1, 5)),
    Case(Code.MUSIC_MISSING, without(16), (16, 1, 7)),
    Case(Code.MUSIC_MISSING, without(13), (12, 1, 7)),
    Case(Code.MUSIC_EXTRA, before(17, "d16|", song(ins="Z2|")), (17, 1, 5), song("c16|d16|", "Z2|")),
    Case(Code.MUSIC_EXTRA, GOOD_SONG + "d16|\n", (19, 1, 5), song("c16|d16|", "Z|d16|")),
    Case(Code.FIELD_PLACE, before(15, "M:4/4"), (15, 1, 6)),
    Case(Code.FIELD_REPEATED, fields("M:2/4\nM:2/4\n", "M:2/4\n"), (17, 1, 6), fields("M:2/4\n", "M:2/4\n")),
    Case(Code.FIELD_ORDER, fields("K:D\nM:2/4\n", "M:2/4\nK:D\n"), (17, 1, 6), fields("M:2/4\nK:D\n", "M:2/4\nK:D\n")),
    Case(Code.FIELD_REDUNDANT, fields("M:4/4\n", "M:4/4\n", "c16|"), (16, 1, 6), fields("M:2/4\n", "M:2/4\n")),
    Case(Code.FIELD_REDUNDANT, song("c8[K:C]c8|", "z8[K:C]z8|"), (V, 3, 8), song("c8[K:F]c8|", "z8[K:F]z8|")),
    Case(Code.FIELD_REFUSED, before(16, "L:1/8"), (16, 1, 6)),
    Case(Code.LYRICS, before(17, "w: la la"), (17, 1, 9)),
    Case(Code.METER_DIFFERS, fields("M:2/4\n", ""), (18, 1, 7), fields("M:2/4\n", "M:2/4\n")),
    Case(Code.METER_DIFFERS, fields("M:2/4\n", "M:3/4\n"), (19, 1, 6), fields("M:2/4\n", "M:2/4\n")),
    Case(Code.METER_DIFFERS, fields("", "M:2/4\n", "c16|"), (18, 1, 6), fields("M:2/4\n", "M:2/4\n")),
    Case(Code.KEY_DIFFERS, fields("K:D\n", "", "c16|"), (18, 1, 7), fields("K:D\n", "K:D\n", "c16|")),
    Case(Code.KEY_DIFFERS, song("c8[K:D]c8|"), (V, 3, 8), song("c8[K:D]c8|", "z8[K:D]z8|")),
    Case(Code.KEY_DIFFERS, song("c8[K:D]c8|", "z4[K:D]z12|"), (V, 3, 8), song("c8[K:D]c8|", "z8[K:D]z8|")),
    Case(Code.BAR_COUNT, song("c16|d16|"), (INS_LINE, 1, 3), song("c16|d16|", "Z2|")),
    Case(Code.BARS_PER_LINE, song("c16|" * 5, "Z4|z16|"), (V, 17, 21), song("c16|" * 4, "Z4|")),
    Case(Code.GROUP_SHORT, without(14, song()).replace("c16|c16|c16|c16|", "c16|").replace("Z4|", "Z|"), (14, 1, 9)),
    Case(Code.BAR_OPEN, song("c16|d16", "Z2|"), (V, 5, 8), song("c16|d16|", "Z2|")),
    Case(Code.BAR_EMPTY, song("|c16|"), (V, 1, 2), song("c16|")),
    Case(Code.BARLINE, song("c16||"), (V, 4, 6), song("c16|")),
    Case(Code.BARLINE, song("|:c16:|"), (V, 1, 3), song("c16|")),
    Case(Code.BARLINE, song("c16|]"), (V, 4, 6), song("c16|")),
    Case(Code.BAR_LENGTH, song("c12|"), (V, 1, 4), song("c12z4|")),
    Case(Code.BAR_LENGTH, song("c16c2|"), (V, 1, 6), song("c12c4|")),
    Case(
        Code.BAR_LENGTH,
        song(ins="c16|").replace("c16|\n", "c8d4|\n").replace("c16|c8d4|", "c16|c16|"),
        (INS_LINE, 1, 5),
    ),
    Case(Code.NOT_UNDERSTOOD, song("c8♯c8|"), (V, 3, 4), song("c8^c8|")),
    Case(Code.NOT_UNDERSTOOD, song("c8?*c8|"), (V, 3, 5), song("c8c8|")),
    Case(Code.SPACE, song("c8 c8|"), (V, 3, 4), song("c8c8|")),
    Case(Code.LENGTH, song("c10c6|"), (V, 1, 4), song("c8-c2c6|")),
    Case(Code.LENGTH, song("z10c6|"), (V, 1, 4), song("z8z2c6|")),
    Case(Code.LENGTH_FORM, song("c3/2c|"), (V, 1, 5), song("c12c4|")),
    Case(Code.LENGTH_ONE, song("c1c12c3|"), (V, 1, 3), song("cc12c3|")),
    Case(Code.REST_FORM, song("c8^z8|"), (V, 3, 6), song("c8z8|")),
    Case(Code.REST_FORM, song("c8z8-|"), (V, 3, 6), song("c8z8|")),
    Case(Code.REST_FORM, song("c8z,8|"), (V, 3, 6), song("c8z8|")),
    Case(Code.FULL_REST, song("c8Z|"), (V, 3, 4), song("c8z8|")),
    Case(Code.FULL_REST_COUNT, song(ins="Z1|"), (INS_LINE, 1, 3), song(ins="Z|")),
    Case(Code.FULL_REST_COUNT, song("c16|" * 4, "Z5|"), (INS_LINE, 1, 3), song("c16|" * 4, "Z4|")),
    Case(Code.SILENCE, song(ins="z16|"), (INS_LINE, 1, 4), song(ins="Z|")),
    Case(Code.SILENCE, song("c16|c16|", "Z|Z|"), (INS_LINE, 3, 4), song("c16|c16|", "Z2|")),
    Case(Code.PITCH_RANGE, song("c''''''16|"), (V, 1, 10), song("c''''16|")),
    Case(Code.PITCH_RANGE, song("C,,,,,,16|"), (V, 1, 10), song("C,,,,,16|")),
    Case(Code.NOTE_CHORD, song("[CEG]16|"), (V, 1, 8), song("G16|")),
    Case(Code.GRACE, song("{c}d16|"), (V, 1, 4), song("d16|")),
    Case(Code.SLUR, song("(c8d8)|"), (V, 1, 2), song("c8d8|")),
    Case(Code.DECORATION, song("!trill!d16|"), (V, 1, 8), song("d16|")),
    Case(Code.DECORATION, song("~d16|"), (V, 1, 2), song("d16|")),
    Case(Code.OVERLAY, song("c16&d16|"), (V, 4, 5), song("c16|")),
    Case(Code.INVISIBLE_REST, song("x16|"), (V, 1, 4), song("c8z8|")),
    Case(Code.BROKEN_RHYTHM, song("c8>d8|"), (V, 3, 4), song("c12d4|")),
    Case(Code.INLINE_FIELD, song("[M:2/4]c16|"), (V, 1, 8), song("c16|")),
    Case(Code.INLINE_FIELD, song("[V:Ins]c16|"), (V, 1, 8), song("c16|")),
    Case(Code.ANNOTATION, song('"^soft"c16|'), (V, 1, 8), song("c16|")),
    Case(Code.COMMENT, song("c16|% end"), (V, 5, 10), song("c16|")),
    Case(Code.KEY_AT_BARLINE, song("[K:D]c16|", "[K:D]z16|"), (V, 1, 6), fields("K:D\n", "K:D\n", "c16|")),
    Case(Code.CHORD_NAME, song('"Cmaj9"c16|'), (V, 1, 8), song('"Cmaj7"c16|')),
    Case(Code.CHORD_NAME, song('"N.C."c16|'), (V, 1, 7), song("c16|")),
    Case(Code.CHORD_OPEN, song('"Gc16|d16|', "Z2|"), (V, 1, 2), song('"G"c16|d16|', "Z2|")),
    Case(Code.CHORD_VOICE, song("c16|", '"G"z8c8|'), (INS_LINE, 1, 4), song('"G"c16|', "z8c8|")),
    Case(Code.CHORD_PLACE, song('c16"G"|'), (V, 4, 7), song('c12"G"c4|')),
    Case(Code.CHORD_PLACE, song('c8"C""G"c8|'), (V, 3, 6), song('c8"G"c8|')),
    Case(Code.CHORD_PLACE, song('c16"G"d2|'), (V, 4, 7), song('c12"G"d4|')),
    Case(Code.CHORD_FULL_REST, song('"G"Z|'), (V, 4, 5), song('"G"z16|')),
    Case(Code.CHORD_SPELLING, song('"Db"c16|', key="C#m"), (V, 1, 5), song('"C#"c16|', key="C#m")),
    Case(Code.TIE_REST, song("c8-z8|"), (V, 4, 6), song("c8-c8|")),
    Case(Code.TIE_REST, song("c16-|Z|", "Z2|"), (V, 6, 7), song("c16-|c16|", "Z2|")),
    Case(Code.TIE_PITCH, song("c8-d8|"), (V, 4, 6), song("c8-c8|")),
    Case(Code.TIE_PITCH, song("^c8-=c8|"), (V, 5, 8), song("^c8-c8|")),
    Case(Code.TIE_END, song("c16-|"), (V, 1, 5), song("c16|")),
    Case(Code.TUPLET_FORM, song("(1c16|"), (V, 1, 3), song("(3c4c4c4c8|")),
    Case(Code.TUPLET_FORM, song("(3:c4c4c4c8|"), (V, 1, 4), song("(3:2c4c4c4c8|")),
    Case(Code.TUPLET_FORM, song("(10c4c4c4c8|"), (V, 1, 4), song("(3:2:3c4c4c4c8|")),
    Case(Code.TUPLET_SHORT, song("c8(3c4c4|"), (V, 3, 5), song("c8(3c4c4c4|")),
    Case(Code.TUPLET_SHORT, song("(3c4(3c4c4c4|"), (V, 5, 7), song("(3c4c4c4c8|")),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_a_breach_is_found_at_its_place_with_a_sentence(case: Case) -> None:
    found = [one for one in parse(case.bad).diagnostics if one.code is case.code]
    assert found, [(one.code, one.line, one.column) for one in parse(case.bad).diagnostics]
    one = found[0]
    assert (one.line, one.column, one.end_column) == case.place
    assert one.severity is RULES[case.code].severity
    assert one.sentence[:1].isupper() or one.sentence[0] in "'[!~" or one.sentence.startswith(("L:", "Q:"))
    assert one.sentence.endswith(".")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_what_keeps_the_rules_has_no_diagnostic(case: Case) -> None:
    assert parse(case.good).diagnostics == ()


def test_every_rule_has_a_case() -> None:
    assert {case.code for case in CASES} == set(Code)


def test_every_rule_is_in_the_table_and_names_a_repair_that_there_is() -> None:
    assert set(RULES) == set(Code)
    for rule in RULES.values():
        assert rule.law.endswith(".")
        assert rule.repair is None or rule.repair in REPAIRS
    named = {rule.repair for rule in RULES.values()}
    assert set(REPAIRS) <= named


@pytest.mark.parametrize(
    ("text", "first"),
    [("V: Vocal\nM:2/4\nc8|\nV: Ins\nZ|\n", "meter"), ("V: Vocal\nK:D\nc16|\nV: Ins\nZ|\n", "key")],
)
def test_a_difference_between_the_voices_is_said_once_and_the_rest_is_read_with_the_vocals(
    text: str, first: str
) -> None:
    later = "% verse\nV: Vocal\n{0}\nV: Ins\n{0}\n".format("c8|" if first == "meter" else "c16|")
    parsed = parse(header() + "% verse\n" + FULL_GROUP + "% chorus\n" + text + later)
    assert [one.code.value for one in parsed.diagnostics] == [f"{first}-differs"]
    last = parsed.score.ins_bars[-1]
    assert (last.meter, last.key) == (parsed.score.vocal_bars[-1].meter, parsed.score.vocal_bars[-1].key)
