"""The example songs: requests that validate, scores that keep to the model's dialect, bar by bar."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from yue2_desktop.paths import resources
from yue2_desktop.score.parser import parse
from yue2_desktop.score.writer import write
from yue2_desktop.song.request import request_from_json
from yue2_desktop.song.textfile import read_json

EXAMPLES = sorted((resources() / "examples").iterdir())
SCORES = [folder / "score.abc" for folder in EXAMPLES if (folder / "score.abc").exists()]
HEADER = re.compile(
    r"X:1\nT:\nM:(?P<meter>\d+/\d+)\nL:1/(?P<unit>\d+)\nQ:1/4=\d+\n"
    r'V: Vocal clef=treble name="Vocal Melody" snm="Vocal"\nV: Ins clef=treble name="Ins Melody" snm="Inst\."\n'
    r"K:[A-G][b#]?m?\n"
)
GROUP = re.compile(r"(?:% [a-z-]+\n)?V: Vocal\n(?P<vocal>.+)\nV: Ins\n(?P<ins>.+)\n")
CHORD = r'"[A-G][b#]{0,2}(?:m|dim|aug|7|maj7|m7|sus4|sus2|6|m6)?(?:/[A-G][b#]?)?"'
TOKEN = re.compile(rf"(?P<chord>{CHORD})?(?:(?:\^\^?|__?|=)?[A-Ga-g][,']*|z)(?P<length>\d+)-?")
LENGTHS = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48}


def bars(line: str, full: Fraction, unit: Fraction, *, chords: bool) -> int:
    """Check one music line and count its bars (spec/abc.md, 1.1 and 1.2)."""
    assert line.endswith("|")
    count = 0
    for bar in line.removesuffix("|").split("|"):
        rests = re.fullmatch(r"Z([234]?)", bar)
        if rests:
            count += int(rests[1] or 1)
            continue
        tokens = list(TOKEN.finditer(bar))
        assert "".join(token[0] for token in tokens) == bar
        lengths = [int(token["length"]) for token in tokens]
        assert set(lengths) <= LENGTHS
        assert sum(lengths) * unit == full, bar
        assert chords or not any(token["chord"] for token in tokens)
        count += 1
    assert 1 <= count <= 4
    return count


def test_there_are_three_examples_in_two_languages() -> None:
    assert {folder.name for folder in EXAMPLES} == {"first-song", "salt-and-rope", "letzte-bahn"}


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_the_request_is_valid_and_carries_its_name(folder: Path) -> None:
    file = folder / "request.json"
    request = request_from_json(read_json(file, "request"), base_dir=folder).request
    assert request.id == folder.name
    assert (request.abc is not None) == (folder / "score.abc").exists()
    assert "[Verse]" in request.lyrics


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.parent.name)
def test_the_score_is_canonical(score: Path) -> None:
    text = score.read_text(encoding="utf-8")
    header = HEADER.match(text)
    assert header, "the header lines, exactly and in this order"
    chords = read_json(score.with_name("request.json"), "request")["cot"] == "full"
    full, unit = Fraction(header["meter"]), Fraction(1, int(header["unit"]))
    groups = list(GROUP.finditer(text, header.end()))
    assert header[0] + "".join(group[0] for group in groups) == text
    for group in groups:
        vocal = bars(group["vocal"], full, unit, chords=chords)
        assert vocal == bars(group["ins"], full, unit, chords=False)


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.parent.name)
def test_our_own_parser_has_nothing_to_say_about_it(score: Path) -> None:
    text = score.read_text(encoding="utf-8")
    parsed = parse(text)
    assert not parsed.diagnostics
    assert parsed.score is not None
    assert write(parsed.score) == text


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.parent.name)
def test_the_words_and_the_score_name_the_same_sections(score: Path) -> None:
    lyrics = read_json(score.with_name("request.json"), "request")["lyrics"]
    tags = [tag.lower() for tag in re.findall(r"\[(\w+)\]", lyrics)]
    assert re.findall(r"^% (\w+)$", score.read_text(encoding="utf-8"), re.MULTILINE) == tags


def test_the_first_song_is_sixteen_bars() -> None:
    text = (resources() / "examples" / "first-song" / "score.abc").read_text(encoding="utf-8")
    vocal = [group["vocal"] for group in GROUP.finditer(text)]
    assert sum(line.count("|") for line in vocal) == 16
