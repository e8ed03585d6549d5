"""Fuzzing: no text raises, ends the process, or takes long, from the parser to the page."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from xml.parsers.expat import ParserCreate

import pytest

from tests.score.engraving.mutations import UP_TO_MEI, mutated, prefixes
from tests.work import calls_of
from yue2_desktop.score.engraving.ids import read_id
from yue2_desktop.score.engraving.mei import mei
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.export.midi import midi_bytes
from yue2_desktop.score.export.musicxml import musicxml
from yue2_desktop.score.parser import parse
from yue2_desktop.score.preview.synth import preview
from yue2_desktop.song.errors import Problem

ROOT = Path(__file__).parents[3]


def check_mei(text: str) -> None:
    document, calls = calls_of(lambda: mei(parse(text).score))
    assert calls < UP_TO_MEI * (len(text) + 50)
    ParserCreate().Parse(document, True)
    names = re.findall(r'xml:id="([^"]*)"', document)
    assert len(names) == len(set(names))
    assert all(read_id(name) is not None for name in names)


@pytest.mark.parametrize("chunk", range(10))
def test_mei_of_3000_mutations(chunk: int) -> None:
    for seed in range(chunk * 300, chunk * 300 + 300):
        check_mei(mutated(seed))


def test_mei_of_all_prefixes_of_three_scores() -> None:
    for text in prefixes():
        check_mei(text)


@pytest.mark.parametrize("chunk", range(3))
def test_exports_and_preview_of_mutations(chunk: int) -> None:
    for seed in range(chunk * 15, chunk * 15 + 15):
        score = parse(mutated(seed)).score
        ET.fromstring(musicxml(score, title="A", lyrics="one two"))
        assert midi_bytes(score).startswith(b"MThd")
        elements = ScoreMap(score).elements
        assert len({one.name for one in elements}) == len(elements)
        try:
            sound = preview(score)
        except Problem:  # no bars, or hours of them: told in a sentence
            continue
        assert sound.render(sound.length // 2, 480).shape == (480, 2)


def test_the_engraver_never_ends_the_process() -> None:
    """Two processes draw 150 mutations each; one that dies is seen with the number of the text that killed it."""
    command = [sys.executable, "-m", "tests.score.engraving.mutations"]
    children = [
        subprocess.Popen(
            [*command, str(first), str(first + 150)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=ROOT,
        )
        for first in (0, 10007)
    ]  # fmt: skip
    for child in children:
        printed, errors = child.communicate(timeout=300)
        assert child.returncode == 0, f"died with {child.returncode} at {printed.split()[-1:]}: {errors[-2000:]}"
        assert printed.endswith("all drawn\n")
