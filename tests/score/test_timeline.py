"""What sounds when: ties, chords, meters, keys, places."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.score.samples import GOOD, bare, song
from yue2_desktop.score.elements import Meter, Note, Voice
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import bar_at, chords, keys, meters, place_at, places, seconds, sounds


def heard(text: str, voice: Voice = Voice.VOCAL) -> list[tuple[Fraction, Fraction, int]]:
    return [(one.onset, one.duration, one.pitch) for one in sounds(parse(text).score, voice)]


def test_notes_follow_one_another_exactly() -> None:
    assert heard(bare("C4D2E2z4F4|")) == [
        (0, 1, 60),
        (1, Fraction(1, 2), 62),
        (Fraction(3, 2), Fraction(1, 2), 64),
        (3, 1, 65),
    ]


@pytest.mark.parametrize(
    ("music", "key", "pitches"),
    [
        ("^F4F4f4=f4|", "C", [66, 66, 78, 77]),
        ("^F8F8|F16|", "C", [66, 66, 65]),
        ("F4B4f4b4|", "Gb", [65, 70, 77, 82]),
        ("F4=F4F4^^F4|", "D", [66, 65, 65, 67]),
        ("__B4B4=b4B4|", "C", [69, 69, 83, 71]),
        ("^f8[K:F]f4b4|", "C", [78, 77, 82]),
    ],
)
def test_accidentals_hold_for_the_letter_in_all_octaves_until_the_bar_or_the_key_ends(
    music: str, key: str, pitches: list[int]
) -> None:
    ins = "Z|" if music.count("|") == 1 else "Z2|"
    if "[K" in music:
        ins = "z8[K:F]z8|"
    assert [pitch for _, _, pitch in heard(bare(music, ins, key=key))] == pitches


def test_a_tie_holds_the_pitch_over_the_bar_line_and_not_for_later_notes() -> None:
    assert heard(bare("c8^f8-|f8f8|", "Z2|")) == [(0, 2, 72), (2, 4, 78), (6, 2, 77)]


def test_ties_cross_groups_sections_and_key_changes() -> None:
    text = song("c16|", fields="K:D\n")
    text = text.replace("c16|c16|c16|c16|", "c16|c16|c16|^c16-|")
    (tied,) = [one for one in sounds(parse(text).score, Voice.VOCAL) if len(one.notes) == 2]
    assert (tied.onset, tied.duration, tied.pitch) == (12, 8, 73)


def test_tuplets_have_exact_times() -> None:
    third = Fraction(1, 3)
    assert heard(bare("(3c4d4e4z8|"))[:3] == [
        (0, 2 * third, 72),
        (2 * third, 2 * third, 74),
        (4 * third, 2 * third, 76),
    ]
    assert [length for _, length, _ in heard(bare("(5c2c2c2c2c2z12|"))] == [Fraction(1, 5)] * 5


@pytest.mark.parametrize(
    ("mark", "meter", "factor"),
    [
        ("(2", "6/8", Fraction(3, 2)),
        ("(3", "4/4", Fraction(2, 3)),
        ("(4", "6/8", Fraction(3, 4)),
        ("(5", "4/4", Fraction(2, 5)),
        ("(5", "6/8", Fraction(3, 5)),
        ("(6", "4/4", Fraction(1, 3)),
        ("(8", "6/8", Fraction(3, 8)),
        ("(3:2", "4/4", Fraction(2, 3)),
        ("(3:2:2", "4/4", Fraction(2, 3)),
        ("(7:4:3", "4/4", Fraction(4, 7)),
    ],
)
def test_tuplet_marks(mark: str, meter: str, factor: Fraction) -> None:
    score = parse(bare(f"{mark}cdefgabc'|", meter=meter)).score
    first = score.vocal_bars[0].events[0]
    assert isinstance(first, Note)
    assert first.length == factor / 4


def test_chords_hold_up_to_the_next_one_and_to_the_end() -> None:
    found = chords(parse(bare('"C"z8"G7"c8|d16|', "Z2|")).score)
    assert [(one.onset, one.duration, one.symbol.text, one.bar) for one in found] == [(0, 2, "C", 0), (2, 6, "G7", 0)]


def test_meters_and_keys_by_time() -> None:
    score = parse(GOOD["05_full_changes"]).score
    assert [(time, meter.text) for time, meter in meters(score)] == [
        (0, "4/4"),
        (16, "2/4"),
        (18, "4/4"),
        (34, "5/8"),
        (Fraction(73, 2), "4/4"),
    ]
    expected = [(0, "E"), (18, "F"), (Fraction(77, 2), "D")]
    assert [(time, key.name) for time, key in keys(score)] == expected
    assert [(time, key.name) for time, key in keys(score, Voice.INS)] == expected


def test_sections() -> None:
    sections = parse(GOOD["01_full_twinkle"]).score.sections
    assert [(one.label, one.first_bar, one.last_bar, one.start) for one in sections] == [
        ("intro", 0, 2, 0),
        ("verse", 2, 6, 8),
        ("chorus", 6, 10, 24),
        ("verse", 10, 14, 40),
        ("outro", 14, 15, 56),
    ]


def test_music_before_the_first_label_and_two_labels_at_once() -> None:
    text = bare("c16|").replace("% verse\n", "") + "% verse\n% chorus\nV: Vocal\nd16|\nV: Ins\nZ|\n"
    score = parse(text).score
    assert [(one.label, one.first_group, one.last_group) for one in score.sections] == [
        ("", 0, 1),
        ("verse, chorus", 1, 2),
    ]


def test_text_leads_to_music() -> None:
    score = parse(song('"G"G8A8|')).score
    bar = bar_at(score, 16, 1)
    assert bar is not None
    assert bar.index == 4
    place = place_at(score, 16, 7)
    assert place is not None
    assert isinstance(place.event, Note)
    assert (place.event.letter, place.onset) == ("A", 18)
    chord_place = place_at(score, 16, 2)
    assert chord_place is not None
    assert chord_place.index == 0
    assert place_at(score, 16, 40) is None
    assert place_at(score, 1, 1) is None


def test_places_go_through_all_events() -> None:
    score = parse(GOOD["05_full_changes"]).score
    assert sum(1 for _ in places(score, Voice.VOCAL)) == sum(len(bar.events) for bar in score.vocal_bars)


def test_seconds() -> None:
    score = parse(GOOD["10_full_long_104bars"]).score
    assert seconds(score.duration, score.header.tempo) == score.seconds == pytest.approx(104 * 4 * 60 / 118, abs=1e-9)


def test_slots_are_the_longest_of_meter_and_both_voices() -> None:
    bars = parse(bare("c8|c16|", "z16z4|z16|")).score.vocal_bars
    assert [(bar.start, bar.slot, bar.length) for bar in bars] == [(0, 5, 2), (5, 4, 4)]
    assert bars[0].meter == Meter(4, 4)
