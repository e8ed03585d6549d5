"""The tokenizer against the reference's ids, with the real vocabulary and with the stand-in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from yue2_desktop.engine.text.prompt import negative_prefix, prompt_text, score_prefix, semantic_prefix
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest

QWEN_SHA256 = "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186"


@pytest.fixture(scope="session")
def qwen() -> Tokenizer:
    """The real vocabulary: the package `dashscope` ships the very file of the release."""
    path = Path(str(resources.files("dashscope") / "resources" / "qwen.tiktoken"))
    assert hashlib.sha256(path.read_bytes()).hexdigest() == QWEN_SHA256
    return Tokenizer.from_file(path)


def test_real_ids_are_the_references(qwen: Tokenizer, golden_json: Callable[[str], Any]) -> None:
    for text, ids in golden_json("tokenizer_qwen").items():
        assert qwen.encode(text) == ids, text


@pytest.mark.parametrize("which", ["qwen", "standin"])
def test_prefixes_are_the_references(
    which: str, qwen: Tokenizer, model_files: ModelFiles, golden_json: Callable[[str], Any]
) -> None:
    tokenizer = qwen if which == "qwen" else model_files.tokenizer
    for case in golden_json("prompts"):
        request = SongRequest.validated(**case["request"])
        wanted = case[which]
        assert request.guidance == case["guidance"]
        assert prompt_text(request) == case["text"]
        abc_ids = wanted["abc_ids"] or []
        if request.abc is not None:
            assert tokenizer.encode(request.abc) == abc_ids
        if request.cot != "off" and request.abc is None:
            assert list(score_prefix(tokenizer, request)) == wanted["first_prefix"]
        assert list(semantic_prefix(tokenizer, request, abc_ids)) == wanted["semantic_prefix"]
        if wanted.get("negative_prefix") is not None:
            assert list(negative_prefix(tokenizer, request, abc_ids)) == wanted["negative_prefix"]


def test_control_names_in_text_stay_text(qwen: Tokenizer) -> None:
    ids = qwen.encode("<|endoftext|><abc></abc>")
    assert ids
    assert max(ids) < 151_643


def test_decode_drops_what_is_no_text(qwen: Tokenizer) -> None:
    ids = [*qwen.encode("X:1"), 151_852, 184_000, -1]
    assert qwen.decode(ids) == "X:1"
    assert qwen.decode([151_847]) == "<abc>"


def test_score_ids_outside_the_text_are_refused(qwen: Tokenizer) -> None:
    request = SongRequest.validated(style="s", lyrics="l")
    with pytest.raises(Problem, match="Score token 1 is 151643"):
        semantic_prefix(qwen, request, [5, 151_643])


def test_a_damaged_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "qwen.tiktoken"
    path.write_bytes(b"IQ== 0\n??? 1\n")
    with pytest.raises(Problem, match="line 2") as caught:
        Tokenizer.from_file(path)
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED
    path.write_bytes(b"IQ== 0\n")
    with pytest.raises(Problem, match="1 distinct tokens, 151,643"):
        Tokenizer.from_file(path)
    with pytest.raises(Problem, match="cannot be read"):
        Tokenizer.from_file(tmp_path / "absent")
