"""Ordinary ABC."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.score.samples import GOOD, MALFORMED
from yue2_desktop.score.importing.abc import import_abc
from yue2_desktop.score.importing.abc_fields import abc_key, abc_tempo
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem, ProblemKind


def tune(music: str, *fields: str, key: str = "C") -> str:
    return "\n".join(["X:1", "T:A tune", "M:4/4", "L:1/8", *fields, f"K:{key}", music]) + "\n"


def vocal(text: str) -> str:
    """Return the Vocal's music of all groups; the score must have no diagnostics."""
    imported = import_abc(text)
    assert parse(imported.text).diagnostics == ()
    lines = [line for line in imported.text.splitlines()[8:] if line[:2] not in {"M:", "K:"}]
    return "".join(lines[at + 1] for at, line in enumerate(lines) if line == "V: Vocal")


@pytest.mark.parametrize(
    ("music", "written"),
    [
        ("C2D2 E2F2|", "C4D4E4F4|"),
        ("C3/2D/E//F//z2z2z/ z|", "C6D2EFz16z6|"),
        ("C>D E<F G4|", "C3DEF3G8|"),
        ("A2>>B2 c4|", "A6-ABc8|"),
        ("(3CDE F2 z4|", "(3C2D2E2F4z8|"),
        ("(3:2:2C2D F2 z4|", "(3:2:2C4D2F4z8|"),
        ("C4-C4|C8|", "C8-C8|C16|"),
        ("^F2F2=F2f2|", "^F4F4=F4f4|"),
        ("[CEG]4 [C2E2]2|", "G8E8|"),
        ("{g}C4 !trill!D4|", "C8D8|"),
        ("(C4 D4)|~E4 .F4|", "C8D8|E8F8|"),
        ('"Am7"A4 "^slow"B4|', '"Am7"A8B8|'),
        ('"Cmaj9"C8|"N.C."C8|', '"Cmaj7"C16|C16|'),
        ('"B♭Δ"C8|"f♯m7"D8|', '"Bbmaj7"C16|"F#m7"D16|'),
        ("C8||D8|]", "C16|D16|"),
        ("|:C8|D8:|", "C16|D16|C16|D16|"),
        ("|:C8|1D8:|2E8|]", "C16|D16|C16|E16|"),
        ("|:C8|[1D8:|[2E8||", "C16|D16|C16|E16|"),
        ("C8::D8:|", "C16|C16|D16|D16|"),
        ("Z2|C8|", "Z2|C16|"),
        ("x4 C4|", "z8C8|"),
        ("[K:D]F8|[M:3/4]F6|", "F16|F12|"),
        ("C8 & E8|D8|", "C16|D16|"),
        ("C8|w|\nw: one two\nD8|", "C16|D16|"),
        ("G2|C8|", "z12G4|C16|"),
    ],
)  # fmt: skip
def test_music(music: str, written: str) -> None:
    assert vocal(tune(music)) == written


@pytest.mark.parametrize(
    ("written", "name", "is_mode"),
    [
        ("G", "G", False), ("Am", "Am", False), ("Bbmaj", "Bb", False), ("F#minor", "F#m", False), ("none", "C", False),
        ("Ddor", "Am", True), ("G mixolydian", "C", True), ("Ephr", "Am", True), ("F lyd", "C", True),
        ("G clef=bass", "G", False), ("HP", "D", False), ("G#", "Ab", False),
    ],
)  # fmt: skip
def test_keys_and_modes(written: str, name: str, is_mode: bool) -> None:
    found = abc_key(written)
    assert found is not None
    assert (found[0].name, found[1]) == (name, is_mode)


@pytest.mark.parametrize(
    ("written", "tempo"),
    [("1/4=120", 120), ("120", 60), ("3/8=80", 120), ('"Allegro" 1/2=60', 120), ('"slow"', None), ("1/4 1/8=40", 60)],
)
def test_tempi(written: str, tempo: float | None) -> None:
    assert abc_tempo(written, Fraction(1, 2)) == tempo


def test_the_foreign_example_becomes_a_score() -> None:
    imported = import_abc(MALFORMED["32_bad_foreign_abc"])
    parsed = parse(imported.text)
    assert parsed.diagnostics == ()
    assert parsed.score.header.tempo == 180
    assert parsed.score.header.meter.text == "2/2"
    assert "Left out: voice V2." in imported.changes


def test_the_first_tune_of_a_book_is_taken() -> None:
    assert vocal(tune("C8|") + "\nX:2\nT:Other\nK:D\nD8|\n") == "C16|"


def test_a_voice_can_be_asked_for() -> None:
    text = tune("V:1\nC8|\nV:2\nE8|\n", "V:1", "V:2")
    assert import_abc(text).text != import_abc(text, "2").text
    with pytest.raises(Problem, match="no voice '3'; it has 1, 2") as caught:
        import_abc(text, "3")
    assert caught.value.kind is ProblemKind.BAD_REQUEST


def test_parts_are_sections_where_the_model_knows_them() -> None:
    imported = import_abc(tune("P:Verse\nC8|\nP:Chorus\nD8|\nP:B\nE8|"))
    assert [one.label for one in parse(imported.text).score.sections] == ["verse", "chorus"]
    assert "The section name 'B' is none that the model knows and was left out." in imported.changes


@pytest.mark.parametrize("text", ["", "X:1\nK:C\n", "1234 !!", "X:1\nK:C\nz8|\n", "\ufeff\n%%MIDI\n"])
def test_texts_without_music_are_refused(text: str) -> None:
    with pytest.raises(Problem, match=r"has no (music|notes)") as caught:
        import_abc(text)
    assert caught.value.kind is ProblemKind.BAD_FILE


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (tune("C8|" * 2000), "more than 1000 bars"),
        (tune("C//" * 9000), "too many notes"),
        ("C" * (2**20 + 1), "larger than 1 MiB"),
        (tune("|:" + "C8|" * 599 + "C8:|"), "more than 1000 bars"),
    ],
)
def test_texts_without_end_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        import_abc(text)


def imported_or_told(text: str) -> str:
    """Return the score, or the sentence that says why there is none."""
    try:
        return import_abc(text).text
    except Problem as problem:
        return problem.sentence


@pytest.mark.parametrize("seed", range(4))
def test_any_text_is_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    signs = "ABCDEFGabcdefgzZx|:\"[]()<>-^_=,'0123456789/ \n%KMLQPV{}!&~"
    sources = [*GOOD.values(), MALFORMED["32_bad_foreign_abc"], tune("|:(3CDE C>D [CE]2|1 C8:|2 D8|]")]
    for _ in range(60):
        text = list(rng.choice([one for one in sources if len(one) < 1000]))
        for _ in range(rng.randint(1, 12)):
            text.insert(rng.randrange(len(text) + 1), rng.choice(signs))
        outcome = imported_or_told("".join(text))
        assert outcome.endswith(".") or not parse(outcome).errors
