"""The tag from which a song can be made again: all of it comes back, and damage is said in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.provenance import MAX_CHARS, Provenance, read_provenance
from yue2_desktop.song.request import SongRequest

FILE = Path("Дождь.flac")
WHOLE = Provenance(
    request=SongRequest.validated(style="folk ☃", lyrics="[Verse]\nДождь 雨\n", seed=2**63 - 1, cfg_scale=1.5),
    song=SongOfTake("a1", "Дождь", 2),
    score="X:1\nK:C\n|C|\n",
    abc_sampling={"temperature": 0.5},
    semantic_sampling={"max_tokens": 4000},
    ode_steps=32,
    weights={"mot": "ab" * 32, "vae": "cd" * 32},
    made_with={"app_version": "0.1.0", "device": "cuda"},
    licence="CC BY-NC 4.0",
    identity="ef" * 32,
    created="2026-09-14T10:00:00+00:00",
)


def changed(**members: object) -> str:
    values: dict[str, Any] = json.loads(WHOLE.to_text())
    return json.dumps({**values, **members})


def test_everything_comes_back() -> None:
    assert read_provenance(WHOLE.to_text(), FILE) == WHOLE


def test_the_least_comes_back() -> None:
    least = Provenance(SongRequest.validated(style="x", lyrics="", cot="off"))
    assert read_provenance(least.to_text(), FILE) == least
    unnumbered = replace(least, song=SongOfTake("a1", "Дождь"))
    assert read_provenance(unnumbered.to_text(), FILE) == unnumbered


def test_members_of_later_versions_are_read_over() -> None:
    assert read_provenance(changed(mood="blue", weights={"mot": "x", "more": 5}), FILE).weights == {"mot": "x"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not valid JSON"),
        ("[]", "is not of this program"),
        ('{"format": "other"}', "is not of this program"),
        (changed(version=2), "is of version 2, this program reads 1"),
        (changed(request=None), "has no request"),
        (changed(request={"style": "x", "lyrics": "y", "seed": "7"}), "seed must be a whole number"),
        (changed(request={"style": "x", "lyrics": "y", "abc_path": "/etc/passwd"}), "abc_path needs a request file"),
        (changed(abc_sampling={"temperature": 99}), "abc_sampling.temperature must lie between 0 and 5"),
        (changed(semantic_sampling=3), "has no semantic_sampling"),
        (changed(ode_steps=True), "has ode_steps true"),
        (changed(song={"id": "a"}), "names its song as"),
        (changed(song={"id": "a", "title": "", "take": 0}), "names its song as"),
        (changed(score=5), "has score 5, which is not text"),
        ("x" * (MAX_CHARS + 1), "is too large"),
    ],
)
def test_damage_is_named(text: str, words: str) -> None:
    with pytest.raises(Problem) as caught:
        read_provenance(text, FILE)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert words in caught.value.sentence
    assert "YUE2_SONG tag" in caught.value.sentence
    assert FILE.name in caught.value.sentence
