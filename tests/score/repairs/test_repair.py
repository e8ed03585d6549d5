"""Every repair: what it makes of a breach, whether it is safe, and all safe ones as one edit."""

from __future__ import annotations

import pytest

from tests.score.samples import GOOD, MALFORMED, bare, header, song
from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.repairs.offer import Repair
from yue2_desktop.score.repairs.repair import REPAIRS, repair_all_safe, repair_for, repairs
from yue2_desktop.score.rules import RULES, Code
from yue2_desktop.score.timeline import chords, sounds

GROUP = "V: Vocal\nc16|c16|c16|c16|\nV: Ins\nZ4|\n"


def found(parsed: Parsed, code: Code, number: int = 0) -> Diagnostic:
    return [one for one in parsed.diagnostics if one.code is code][number]


def mended(text: str, code: Code, number: int = 0) -> tuple[str, Repair]:
    """Return the text after the repair of one breach, and the repair."""
    parsed = parse(text)
    repair = repair_for(parsed, found(parsed, code, number))
    assert repair is not None
    return repair.edit.apply(text), repair


def last_lines(text: str) -> str:
    return text.split("% chorus\n")[1]


SAFE = [
    (Code.BOM, "\ufeff" + song(), song()),
    (Code.LINE_ENDING, song().replace("\n", "\r\n"), song()),
    (Code.LINE_ENDING, song().replace("\n", "\r"), song()),
    (Code.FINAL_NEWLINE, song().rstrip("\n"), song()),
    (Code.FENCE, "```abc\n" + song(), song()),
    (Code.BLANK_LINE, song().replace("% chorus", "\n% chorus"), song()),
    (Code.DIRECTIVE, song().replace("% chorus", "%%MIDI x\n% chorus"), song()),
    (Code.HARD_SPACE, song().replace("% chorus", "%\u00a0chorus"), song()),
    (Code.HARD_SPACE, song("c8\u00a0c8|"), song("c8c8|")),
    (Code.TITLE, song().replace("T:", "T:My song"), song()),
    (Code.METER, song().replace("M:4/4", "M:C"), song()),
    (Code.METER, song().replace("M:4/4", "M: 4 / 4"), song()),
    (Code.KEY, song().replace("K:C\n", "K:C major\n"), song()),
    (Code.KEY, song(key="A#m").replace("K:A#m", "K:A#:minor"), song(key="A#m")),
    (Code.KEY, song("c8[K:Ddor]c8|", "z8[K:D]z8|").replace("Ddor", "D maj"), song("c8[K:D]c8|", "z8[K:D]z8|")),
    (Code.HEADER_MISSING, song().replace("L:1/16\n", ""), song()),
    (Code.HEADER_MISSING, song().replace("X:1\n", ""), song()),
    (Code.HEADER_ORDER, song().replace("M:4/4\nL:1/16\n", "L:1/16\nM:4/4\n"), song()),
    (Code.HEADER_REPEATED, song().replace("L:1/16\n", "L:1/16\nL:1/8\n"), song()),
    (Code.HEADER_EXTRA, song().replace("M:4/4\n", "C:trad.\nM:4/4\n"), song()),
    (Code.NUMBER, song().replace("X:1", "X:17"), song()),
    (
        Code.VOICE_HEADER,
        song().replace('V: Vocal clef=treble name="Vocal Melody" snm="Vocal"', "V:Vocal clef=treble"),
        song(),
    ),
    (Code.LABEL_FORM, song().replace("% chorus", "%chorus"), song()),
    (Code.VOICE_LINE, song().replace("V: Ins\nZ|", "V:Inst.\nZ|"), song()),
    (Code.LABEL_PLACE, song().replace("% chorus\nV: Vocal\n", "V: Vocal\n% chorus\n"), song()),
    (Code.VOICE_MISSING, song().replace("V: Ins\nZ|", "Z|"), song()),
    (Code.VOCAL_MISSING, song("Z|", "c16|").replace("V: Vocal\nZ|\n", ""), song("Z|", "c16|")),
    (
        Code.INS_MISSING,
        header() + "% chorus\nV: Vocal\nc16|\n% verse\n" + GROUP,
        header() + "% chorus\nV: Vocal\nc16|\nV: Ins\nZ|\n% verse\n" + GROUP,
    ),
    (Code.MUSIC_EXTRA, song("c16|\nd16|", "Z2|"), song("c16|d16|", "Z2|")),
    (Code.FIELD_PLACE, song("c8|").replace("% chorus\n", "% chorus\nM:2/4\n"), song("c8|", fields="M:2/4\n")),
    (Code.FIELD_REPEATED, song("c8|", fields="M:2/4\nM:2/4\n"), song("c8|", fields="M:2/4\n")),
    (Code.FIELD_ORDER, song("c8|", fields="K:D\nM:2/4\n"), song("c8|", fields="M:2/4\nK:D\n")),
    (Code.FIELD_REDUNDANT, song("c16|", fields="M:4/4\n"), song("c16|")),
    (Code.BARS_PER_LINE, song("c16|" * 6, "Z4|Z2|"), song("c16|" * 4, "Z4|") + "V: Vocal\nc16|c16|\nV: Ins\nZ2|\n"),
    (Code.GROUP_SHORT, bare("c16|d16|", "Z2|") + "V: Vocal\ne16|\nV: Ins\nZ|\n", bare("c16|d16|e16|", "Z3|")),
    (Code.BAR_OPEN, song("c16|d16", "Z2|"), song("c16|d16|", "Z2|")),
    (Code.BAR_EMPTY, song("|c16|"), song("c16|")),
    (Code.BARLINE, song("c16||"), song("c16|")),
    (Code.BARLINE, song("c16|]"), song("c16|")),
    (Code.BARLINE, song("|:c16|"), song("c16|")),
    (Code.SPACE, song("c8 c8|"), song("c8c8|")),
    (Code.LENGTH, song("c10c6|"), song("c8-c2c6|")),
    (Code.LENGTH, song("^c10-c6|"), song("^c8-c2-c6|")),
    (Code.LENGTH, song("z10c6|"), song("z8z2c6|")),
    (Code.LENGTH_FORM, song("c16/2c8|"), song("c8c8|")),
    (Code.LENGTH_ONE, song("c1c12c3|"), song("cc12c3|")),
    (Code.REST_FORM, song("c8^z8|"), song("c8z8|")),
    (Code.FULL_REST_COUNT, song(ins="Z1|"), song()),
    (Code.FULL_REST_COUNT, song("c16|" * 5, "Z5|"), song("c16|" * 4, "Z4|") + "V: Vocal\nc16|\nV: Ins\nZ|\n"),
    (Code.SILENCE, song("c16|c16|", "Z|z8z8|"), song("c16|c16|", "Z2|")),
    (Code.SLUR, song("(c16|"), song("c16|")),
    (Code.DECORATION, song("!trill!c16|"), song("c16|")),
    (Code.INVISIBLE_REST, song("c8x8|"), song("c8z8|")),
    (Code.INVISIBLE_REST, song(ins="X|"), song()),
    (Code.ANNOTATION, song('"^soft"c16|'), song("c16|")),
    (Code.COMMENT, song("c16|% end"), song("c16|")),
    (Code.KEY_AT_BARLINE, song("[K:D]c16|", "[K:D]z16|"), song("c16|", fields="K:D\n")),
    (Code.CHORD_NAME, song('"D♭Δ"c16|'), song('"Dbmaj7"c16|')),
    (Code.CHORD_VOICE, song("c16|", '"G"z8"C"c8|'), song('"G"c8-"C"c8|', "z8c8|")),
    (Code.CHORD_FULL_REST, song('"G"Z|'), song('"G"z16|')),
    (Code.CHORD_SPELLING, song('"Db7/F"c16|', key="C#m"), song('"C#7/E#"c16|', key="C#m")),
    (Code.TIE_REST, song("c8-z8|"), song("c8z8|")),
    (Code.TIE_REST, song("c16-|Z|", "Z2|"), song("c16|Z|", "Z2|")),
    (Code.TIE_PITCH, song("c8-d8|"), song("c8d8|")),
    (Code.TIE_END, song("c16-|"), song("c16|")),
]

UNSAFE = [
    (Code.FIELD_REFUSED, song().replace("V: Ins\nZ|", "L:1/8\nV: Ins\nZ|"), song()),
    (Code.LYRICS, song().replace("V: Ins\nZ|", "w:la\nV: Ins\nZ|"), song()),
    (
        Code.METER_DIFFERS,
        song("c8|").replace("% chorus\nV: Vocal\n", "% chorus\nV: Vocal\nM:2/4\n"),
        song("c8|", fields="M:2/4\n"),
    ),
    (
        Code.KEY_DIFFERS,
        song("c16|").replace("% chorus\nV: Vocal\n", "% chorus\nV: Vocal\nK:D\n"),
        song("c16|", fields="K:D\n"),
    ),
    (Code.KEY_DIFFERS, song("c8[K:D]c8|"), song("c8[K:D]c8|", "z8[K:D]z8|")),
    (Code.KEY_DIFFERS, song("c8[K:D]c8|", "z8[K:F]z8|"), song("c8[K:D]c8|", "z8[K:D]z8|")),
    (Code.BAR_COUNT, song("c16|d16|", "e16|"), song("c16|d16|", "e16|Z|")),
    (Code.BAR_COUNT, song("c16|", "Z2|"), song("c16|Z|", "Z2|")),
    (Code.BAR_LENGTH, song("c12|"), song("c12z4|")),
    (Code.BAR_LENGTH, song("c16c4|"), song("c16|")),
    (Code.BAR_LENGTH, song('c12"G"c8|'), song('c12"G"c4|')),
    (Code.BAR_LENGTH, song("c12z8|"), song("c12z4|")),
    (Code.NOT_UNDERSTOOD, song("c8♯c8|"), song("c8c8|")),
    (Code.PITCH_RANGE, song("c''''''16|"), song("c''''16|")),
    (Code.NOTE_CHORD, song("[C^EG,]16|"), song("^E16|")),
    (Code.NOTE_CHORD, song("[C8E8]-E8|"), song("E8-E8|")),
    (Code.GRACE, song("{d}c16|"), song("c16|")),
    (Code.INLINE_FIELD, song("[M:4/4]c16|"), song("c16|")),
    (Code.CHORD_NAME, song('"Cmaj9"c16|'), song('"Cmaj7"c16|')),
    (Code.CHORD_NAME, song('"N.C."c16|'), song("c16|")),
    (Code.CHORD_PLACE, song('c16"G"|'), song("c16|")),
]


@pytest.mark.parametrize(("code", "text", "result"), SAFE, ids=[case[0].value for case in SAFE])
def test_safe_repairs(code: Code, text: str, result: str) -> None:
    new, repair = mended(text, code)
    assert new == result
    assert repair.safe
    assert repair.description.endswith(".")
    assert repair.edit.inverse(text).apply(new) == text


@pytest.mark.parametrize(("code", "text", "result"), UNSAFE, ids=[case[0].value for case in UNSAFE])
def test_repairs_that_change_or_lose_something_are_not_called_safe(code: Code, text: str, result: str) -> None:
    new, repair = mended(text, code)
    assert new == result
    assert not repair.safe
    assert repair.edit.inverse(text).apply(new) == text


def test_every_rule_with_a_repair_has_a_test_here() -> None:
    tested = {case[0] for case in SAFE + UNSAFE} | {Code.UNFINISHED, Code.MUSIC_MISSING}
    assert tested == {code for code, rule in RULES.items() if rule.repair is not None}
    assert {RULES[code].repair for code in tested} == set(REPAIRS)


def test_a_missing_unit_is_chosen_so_that_the_bars_are_full() -> None:
    for unit, music in ((16, "c16|"), (32, "c32|"), (8, "c8|")):
        text = bare(music, "Z|", unit=unit)
        assert mended(text.replace(f"L:1/{unit}\n", ""), Code.HEADER_MISSING)[0] == text


def test_a_header_is_supplied_whole() -> None:
    text = MALFORMED["21_bad_noheaders"]
    new, _ = mended(text, Code.HEADER_MISSING)
    assert new == header(tempo=120) + text


def test_an_unfinished_group_is_dropped_with_the_tie_that_led_into_it() -> None:
    text = song("G16-|") + "% outro\nV: Vocal\nG8"
    new, repair = mended(text, Code.UNFINISHED)
    assert new == song("G16|")
    assert not repair.safe
    assert repair.description == "Drop the unfinished group from line 19 on."


def test_an_only_group_is_not_dropped() -> None:
    parsed = parse(bare("G8").split("V: Ins")[0].rstrip("\n"))
    assert repair_for(parsed, found(parsed, Code.UNFINISHED)) is None


def test_a_label_without_music_goes_to_the_next_group() -> None:
    text = song().replace("% chorus\n", "% bridge\nV: Vocal\n% chorus\n")
    new, repair = mended(text, Code.MUSIC_MISSING)
    assert new == song().replace("% chorus\n", "% bridge\n% chorus\n")
    assert repair.safe


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (Code.TUPLET_SHORT, song("c8(3c4c4|")),
        (Code.LENGTH_FORM, song("c3/2c|")),
        (Code.LENGTH, song("(3c5c4c3c8|")),
        (Code.KEY, song().replace("K:C\n", "K:Hm\n")),
        (Code.METER, song().replace("M:4/4", "M:free")),
        (Code.UNIT, song().replace("L:1/16", "L:1/12")),
        (Code.BAR_TOKENS, song("c" * 300 + "|")),
        (Code.FOREIGN, MALFORMED["32_bad_foreign_abc"]),
        (Code.BARS_PER_LINE, song("c8♯c8|" * 5, "Z4|Z|")),
        (Code.BAR_LENGTH, song("(3c4c4c4|")),
    ],
)
def test_where_no_repair_would_be_right_none_is_offered(code: Code, text: str) -> None:
    parsed = parse(text)
    repair = repair_for(parsed, found(parsed, code))
    if code is Code.BAR_LENGTH:
        assert repair is not None
        assert repair.edit.apply(text) == song("(3c4c4c4z8|")
    else:
        assert repair is None


def test_repairs_go_through_all_that_can_be_mended() -> None:
    parsed = parse(MALFORMED["26_bad_unicode"])
    assert [(one.code, repair.safe) for one, repair in repairs(parsed)] == [
        (Code.TITLE, True),
        (Code.NOT_UNDERSTOOD, False),
    ]


@pytest.mark.parametrize(
    "name", ["21_bad_noheaders", "22_bad_noKL", "28_bad_tie_to_rest", "30_bad_crlf_bom", "31_bad_fences"]
)
def test_all_that_is_safe_makes_these_scores_good(name: str) -> None:
    parsed = parse(MALFORMED[name])
    edit = repair_all_safe(parsed)
    text = edit.apply(parsed.text)
    assert parse(text).diagnostics == ()
    assert edit.inverse(parsed.text).apply(text) == parsed.text
    for voice in VOICES:
        before, after = sounds(parsed.score, voice), sounds(parse(text).score, voice)
        assert [(one.onset, one.duration, one.pitch) for one in before] == [
            (one.onset, one.duration, one.pitch) for one in after
        ]
    assert [one.symbol.text for one in chords(parsed.score)] == [one.symbol.text for one in chords(parse(text).score)]


@pytest.mark.parametrize(
    "name", ["20_bad_barlen", "24_bad_truncated", "27_bad_barcount_mismatch", "34_bad_pitch_range"]
)
def test_what_is_not_safe_stays(name: str) -> None:
    assert repair_all_safe(parse(MALFORMED[name])).is_empty


@pytest.mark.parametrize("name", GOOD)
def test_good_scores_need_no_repair(name: str) -> None:
    assert repair_all_safe(parse(GOOD[name])).is_empty


def test_a_score_with_every_mistake_of_a_language_model_is_mended_in_one_edit() -> None:
    """Fenced text, aliased V: Ins, comments between the voices, a title, spaces, a repeat sign, long lines."""
    text = "```abc\n" + song("c16 |" * 5 + "c8 c8||", "Z4|Z2|").replace("V: Ins\nZ4|Z2|", "% (piano)\nV:Inst\nZ4|Z2|")
    text = text.replace("T:\n", "T:My Song\n").replace("M:4/4", "M:C") + "```\n"
    parsed = parse(text)
    new = repair_all_safe(parsed).apply(text)
    assert [one.code for one in parse(new).diagnostics] == [Code.LABEL_UNUSUAL]
    assert parse(new).score.bar_count == 10


def test_a_text_with_thousands_of_faults_is_left_alone() -> None:
    edit = repair_all_safe(parse(song() + "%%x\n" * 2000))
    assert edit.is_empty
    assert edit.description == "There are too many faults to repair them at once."
