"""The request protocol: defaults, every rule with its sentence, and requests read from JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING

GOOD = {"style": "English, folk, guitar, warm", "lyrics": "[Verse]\nRain on the roof\n"}
SCORE = "X:1\nK:C\n"


def refused(**fields: object) -> Problem:
    with pytest.raises(Problem) as caught:
        SongRequest.validated(**{**GOOD, **fields})
    return caught.value


def test_defaults_are_those_of_the_protocol() -> None:
    request = SongRequest.validated(**GOOD)
    assert request.to_json() == {
        "style": "English, folk, guitar, warm",
        "lyrics": "[Verse]\nRain on the roof\n",
        "cot": "full",
        "seed": 831001,
        "abc": None,
        "cfg_scale": None,
        "id": "song",
    }


@pytest.mark.parametrize(
    ("cot", "scale", "guidance"),
    [
        ("full", None, 1.0),
        ("melody", None, 1.0),
        ("off", None, 1.01),
        ("off", 1.0, 1.0),
        ("full", 0, 0.0),
        ("full", 20, 20.0),
    ],
)
def test_guidance_follows_the_mode_unless_it_is_given(cot: str, scale: float | None, guidance: float) -> None:
    assert SongRequest.validated(**GOOD, cot=cot, cfg_scale=scale).guidance == guidance


def test_text_is_kept_raw() -> None:
    lyrics = "  \r\n[Verse]\r\n\tna\u0308na \U0001f3b5\n\n"
    assert SongRequest.validated(style=" a ", lyrics=lyrics).to_json()["lyrics"] == lyrics


def test_empty_lyrics_are_allowed() -> None:
    assert SongRequest.validated(style="ambient", lyrics="").lyrics == ""


def test_tags_is_another_name_for_style() -> None:
    assert SongRequest.validated(tags="jazz", lyrics="").style == "jazz"
    assert SongRequest.validated(tags="jazz", style="jazz", lyrics="").style == "jazz"


@pytest.mark.parametrize("seed", [0, 1, 2**53 + 1, 2**63 - 1])
def test_seed_survives_json_exactly(seed: int) -> None:
    # user-reports.md, row 116: the seed must not pass through a float anywhere.
    request = SongRequest.validated(**GOOD, seed=seed)
    again = request_from_json(json.loads(json.dumps(request.to_json()))).request
    assert again == request
    assert again.seed == seed


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"style": None}, "style is missing"),
        ({"style": 7}, "style must be text, but is 7"),
        ({"tags": "other"}, "style and tags are two names for one thing but differ"),
        ({"style": None, "tags": ["a"]}, "tags must be text"),
        ({"lyrics": None}, "lyrics are missing"),
        ({"lyrics": 12}, "lyrics must be text, but is 12"),
        ({"lyrics": ["la"]}, "lyrics must be text"),
        ({"cot": "half"}, "cot must be full, melody or off, but is 'half'"),
        ({"cot": None}, "cot must be full, melody or off, but is null"),
        ({"cot": True}, "cot must be full, melody or off, but is true"),
        ({"seed": -1}, "seed must lie between 0 and 9223372036854775807, but is -1"),
        ({"seed": 2**63}, "seed must lie between 0 and 9223372036854775807, but is 9223372036854775808"),
        ({"seed": 10**5000}, "but is a very large number"),
        ({"seed": "12"}, "seed must be a whole number such as 831001 (no quotation marks), but is '12'"),
        ({"seed": True}, "seed must be a whole number"),
        ({"seed": 1.0}, "seed must be a whole number"),
        ({"seed": None}, "seed must be a whole number"),
        ({"abc": 3}, "abc must be text"),
        ({"abc": " \n\t"}, "abc (the supplied score) is blank"),
        ({"abc": SCORE, "cot": "off"}, "abc (a supplied score) cannot be used with cot off"),
        ({"cfg_scale": 21}, "cfg_scale must lie between 0 and 20, but is 21"),
        ({"cfg_scale": -0.5}, "cfg_scale must lie between 0 and 20"),
        ({"cfg_scale": math.nan}, "cfg_scale must lie between 0 and 20, but is nan"),
        ({"cfg_scale": math.inf}, "cfg_scale must lie between 0 and 20, but is inf"),
        ({"cfg_scale": "2"}, "cfg_scale must be a number"),
        ({"cfg_scale": False}, "cfg_scale must be a number"),
        ({"cfg_scale": 10**400}, "cfg_scale must lie between 0 and 20"),
        ({"id": ""}, "id must begin with a letter or digit"),
        ({"id": "../x"}, "id must begin with a letter or digit"),
        ({"id": "a" * 181}, "at most 180"),
        ({"id": "song\n"}, "id must begin with a letter or digit"),
        ({"id": 5}, "id must begin with a letter or digit"),
        ({"lyrics": "la\ud800"}, "lyrics holds half of a character (U+D800) at character 3"),
        ({"style": "\udcff"}, "style holds half of a character (U+DCFF) at character 1"),
        ({"abc": "X:1\ud83d"}, "abc holds half of a character"),
    ],
)
def test_each_rule_has_a_sentence(fields: dict[str, object], words: str) -> None:
    problem = refused(**fields)
    assert problem.kind is ProblemKind.BAD_REQUEST
    assert words in problem.sentence
    assert problem.sentence.endswith(".")
    assert "\n" not in problem.sentence
    problem.sentence.encode("utf-8")


@pytest.mark.parametrize("id_", ["a", "0", "a" * 180, "A-b_c.9"])
def test_good_ids(id_: str) -> None:
    assert SongRequest.validated(**GOOD, id=id_).id == id_


def test_json_fields_beside_the_request() -> None:
    file = request_from_json({
        **GOOD,
        "seed": 5,
        "abc_sampling": {"temperature": 0.5},
        "semantic_sampling": {"max_tokens": 500},
        "lang": "en",
        "eval_index": 3,
        "clip_id": "c",
        "prompt": "p",
    })
    assert file.request.seed == 5
    assert file.abc_sampling.temperature == 0.5
    assert file.abc_sampling.top_k == ABC_SAMPLING.top_k
    assert file.semantic_sampling.max_tokens == 500
    assert file.metadata == {"lang": "en", "eval_index": 3, "clip_id": "c", "prompt": "p"}


def test_json_without_overrides_has_the_defaults() -> None:
    file = request_from_json(GOOD)
    assert (file.abc_sampling, file.semantic_sampling) == (ABC_SAMPLING, SEMANTIC_SAMPLING)
    assert not file.metadata


@pytest.mark.parametrize(
    ("obj", "words"),
    [
        ([], "The request must be a JSON object"),
        ("x", "The request must be a JSON object"),
        ({**GOOD, "bpm": 120}, "The request has an unknown field 'bpm'"),
        ({**GOOD, "duration": 10, "seed": 1}, "unknown field 'duration'"),
        ({**GOOD, "\ud800": 1}, "unknown field '\\ud800'"),
        ({**GOOD, "abc_sampling": []}, "abc_sampling must be an object"),
        ({**GOOD, "abc_sampling": {"temp": 1}}, "abc_sampling.temp is not a setting"),
        ({**GOOD, "semantic_sampling": {"top_k": True}}, "semantic_sampling.top_k must be a whole number"),
        ({**GOOD, "abc_path": "s.abc"}, "abc_path needs a request file"),
        ({**GOOD, "abc_path": 5}, "abc_path must be text"),
        ({**GOOD, "abc_path": " "}, "abc_path must name a score file"),
        ({**GOOD, "abc_path": "a\0b"}, "abc_path must name a score file"),
        ({**GOOD, "abc_path": "s.abc", "abc": SCORE}, "abc and abc_path both give a score"),
    ],
)
def test_json_mistakes_are_named(obj: object, words: str) -> None:
    with pytest.raises(Problem) as caught:
        request_from_json(obj)
    assert caught.value.kind is ProblemKind.BAD_REQUEST
    assert words in caught.value.sentence
    caught.value.sentence.encode("utf-8")


def test_abc_path_is_relative_to_the_request_file(tmp_path: Path) -> None:
    folder = tmp_path / "Песни"
    folder.mkdir()
    (folder / "score ☃.abc").write_bytes(SCORE.replace("\n", "\r\n").encode("utf-8"))
    file = request_from_json({**GOOD, "abc_path": "score ☃.abc"}, base_dir=folder)
    assert file.request.abc == "X:1\r\nK:C\r\n"


def test_abc_path_must_be_there_and_be_utf8(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="does not exist") as missing:
        request_from_json({**GOOD, "abc_path": "gone.abc"}, base_dir=tmp_path)
    assert missing.value.kind is ProblemKind.BAD_FILE
    (tmp_path / "latin.abc").write_bytes("T:Café\n".encode("latin-1"))
    with pytest.raises(Problem, match="byte 5 "):
        request_from_json({**GOOD, "abc_path": "latin.abc"}, base_dir=tmp_path)


def test_abc_path_with_off_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.abc").write_text(SCORE, encoding="utf-8")
    with pytest.raises(Problem, match="cannot be used with cot off"):
        request_from_json({**GOOD, "cot": "off", "abc_path": "s.abc"}, base_dir=tmp_path)
