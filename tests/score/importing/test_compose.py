"""Songs written in the dialect."""

from __future__ import annotations

from fractions import Fraction

import pytest

from yue2_desktop.score.chords import parse_chord
from yue2_desktop.score.elements import Meter, Voice
from yue2_desktop.score.importing.barlines import meter_of, usable
from yue2_desktop.score.importing.compose import compose
from yue2_desktop.score.importing.sketch import Changes, Sketch, Tone
from yue2_desktop.score.keys import KEYS
from yue2_desktop.score.parser import parse
from yue2_desktop.score.pitch import Pitch
from yue2_desktop.score.timeline import sounds

F = Fraction


def sketch(*tones: Tone, **more: object) -> Sketch:
    """Return a song of these tones at 100 in C and 4/4, or as `more` says."""
    given = {"tempo": 100, "meters": ((F(0), Meter(4, 4)),), "keys": ((F(0), KEYS["C"]),), "vocal": tones, **more}
    return Sketch(**given)  # type: ignore[arg-type]


def written(song: Sketch, changes: Changes | None = None) -> list[str]:
    """Return the lines below the header; the text must have no diagnostics."""
    text = compose(song, changes or Changes())
    assert parse(text).diagnostics == ()
    return text.splitlines()[8:]


def tone(onset: object, duration: object, pitch: int = 60, **more: object) -> Tone:
    return Tone(F(str(onset)), F(str(duration)), pitch, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tones", "music"),
    [
        ([tone(0, 4)], "C16|"),
        ([tone(1, 1)], "z4C4z8|"),
        ([tone(0, "5/4"), tone(2, 2)], "C4-Cz3C8|"),
        ([tone(2, 4)], "z8C8-|C8z8|"),
        ([tone(0, 1, 61), tone(1, 1, 60), tone(2, 1, 61), tone(3, 1, 49)], "_D4C4D4D,4|"),
        ([tone(0, "2/3"), tone("2/3", "2/3", 62), tone("4/3", "2/3", 64), tone(2, 2)], "(3C4D4E4C8|"),
        ([tone(0, "2/3"), tone("2/3", "1/3", 62), tone(1, 3)], "(3:2:2C4D2C12|"),
        ([tone(0, "1/5"), *(tone(F(n, 5), "1/5") for n in range(1, 5)), tone(1, 3)], "(5:4:5CCCCCC12|"),
        ([tone(0, "2/3"), tone("4/3", "2/3"), tone(2, 2)], "(3C4z4C4C8|"),
        ([tone(0, 2, tie=True), tone(2, 2)], "C8-C8|"),
        ([tone(0, 2, tie=True), tone(2, 2, 62)], "C8D8|"),
    ],
)
def test_notes_rests_ties_and_tuplets(tones: list[Tone], music: str) -> None:
    assert written(sketch(*tones))[1] == music


def test_thirty_seconds_ask_for_a_finer_unit() -> None:
    text = compose(sketch(tone(0, "1/8"), tone("1/8", "7/8")), Changes())
    assert "L:1/32" in text
    assert text.splitlines()[9].startswith("CC6-C")


def test_meters_of_eighths_are_written_in_thirty_seconds_as_the_model_does() -> None:
    assert "L:1/32" in compose(sketch(tone(0, 3), meters=((F(0), Meter(6, 8)),)), Changes())


def test_chords_cut_held_notes_and_stand_over_silence() -> None:
    chords = tuple((F(at), parse_chord(name)) for at, name in ((0, "C"), (2, "G7"), (4, "Am")))
    assert written(sketch(tone(0, 4), chords=chords, end=F(8)))[1] == '"C"C8-"G7"C8|"Am"z16|'


def test_a_chord_inside_a_tuplet_goes_to_the_note_that_sounds() -> None:
    tones = [tone(0, "2/3"), tone("2/3", "2/3"), tone("4/3", "2/3"), tone(2, 2)]
    lines = written(sketch(*tones, chords=((F(1), parse_chord("G")),)))
    assert lines[1] == '(3C4"G"C4C4C8|'


def test_a_chord_far_from_its_key_is_spelled_as_the_key_asks() -> None:
    song = sketch(tone(0, 4), keys=((F(0), KEYS["C#m"]),), chords=((F(0), parse_chord("Db")),))
    assert written(song)[1].startswith('"C#"')


def test_groups_end_after_four_bars_and_before_sections_meters_and_keys() -> None:
    song = sketch(
        tone(0, 31),
        meters=((F(0), Meter(4, 4)), (F(24), Meter(3, 4))),
        keys=((F(0), KEYS["C"]), (F(27), KEYS["F"])),
        sections=((F(0), "verse"), (F(20), "chorus")),
        end=F(33),
    )
    lines = written(song)
    assert [line for line in lines if line[0] in "%MK"] == ["% verse", "% chorus", "M:3/4", "M:3/4", "K:F", "K:F"]
    assert [line.count("|") for line in lines if line.startswith("C")] == [4, 1, 1, 1, 2]


def test_a_key_inside_a_bar_is_inline_in_both_voices_and_a_held_note_keeps_its_name() -> None:
    song = sketch(tone(0, 4, 66), keys=((F(0), KEYS["G"]), (F(2), KEYS["Db"])))
    lines = written(song)
    assert lines[1] == "F8-[K:Db]F8|"
    assert lines[3] == "z8[K:Db]z8|"
    parsed = parse(compose(song, Changes()))
    assert [one.pitch for one in sounds(parsed.score, Voice.VOCAL)] == [66]


def test_a_meter_that_changes_inside_a_bar_ends_the_bar() -> None:
    song = sketch(tone(0, 6), meters=((F(0), Meter(4, 4)), (F(6), Meter(3, 4))), end=F(9))
    assert [bar.meter.text for bar in parse(compose(song, Changes())).score.vocal_bars] == ["4/4", "2/4", "3/4"]


def test_the_spelling_of_the_file_is_kept() -> None:
    assert written(sketch(tone(0, 4, 61, spelled=Pitch("C", 1, 4))))[1] == "^C16|"


def test_rhythms_that_cannot_be_written_are_moved_and_said() -> None:
    changes = Changes()
    lines = written(sketch(tone(0, "1/11"), tone("1/11", "10/11"), tone(1, 3)), changes)
    assert lines[1].endswith("C12|")
    assert changes.sentences() == ("Rhythms that the dialect cannot write, moved to its grid: 1.",)


def test_no_notes_make_one_bar_of_silence() -> None:
    assert written(sketch()) == ["V: Vocal", "Z|", "V: Ins", "Z|"]


@pytest.mark.parametrize(
    ("quarters", "text"), [(F(4), "4/4"), (F(5, 2), "5/8"), (F(1, 4), "1/16"), (F(1, 3), "3/32"), (F(1, 8), "1/32")]
)
def test_the_plainest_meter_of_a_length(quarters: Fraction, text: str) -> None:
    assert meter_of(quarters).text == text


@pytest.mark.parametrize(
    ("meter", "text"), [(Meter(7, 8), "7/8"), (Meter(3, 64), "6/128"), (Meter(4, 5), "16/5"), (Meter(900, 4), "64/4")]
)
def test_meters_that_the_dialect_cannot_write(meter: Meter, text: str) -> None:
    found = usable(meter)
    assert found.denominator in {4, 8, 16, 32}
    assert found == meter or meter.text not in {"7/8"}
