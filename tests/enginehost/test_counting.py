"""Counting the tokens of a song's text with a model's own tokenizer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.engine.messages import CountTokens, TokensCounted
from yue2_desktop.engine.text.prompt import score_prefix, semantic_prefix
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.enginehost.counting import TokenCounting
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.wording import path_text

WORDS = "[Verse]\nThe ferry leaves at nine\n雪が降る\n"


@pytest.fixture
def asked(test_model: TestModel) -> CountTokens:
    return CountTokens(7, path_text(test_model.model_dir), "full", "folk", WORDS)


def test_what_the_model_reads_is_counted_to_the_token(test_model: TestModel, asked: CountTokens) -> None:
    counting = TokenCounting()
    tokenizer = Tokenizer.from_file(test_model.model_dir / "qwen.tiktoken")
    request = SongRequest(style="folk", lyrics=WORDS)
    assert counting.count(asked) == TokensCounted(7, len(score_prefix(tokenizer, request)))
    score = "X:1\nK:C\nc8d8"
    with_score = semantic_prefix(tokenizer, request, tokenizer.encode(score))
    assert counting.count(replace(asked, score=score)) == TokensCounted(7, len(with_score))
    off = semantic_prefix(tokenizer, replace(request, cot="off"), ())
    assert counting.count(replace(asked, cot="off")) == TokensCounted(7, len(off))
    assert counting.count(replace(asked, cot="off", score=score)) == TokensCounted(7, len(off))


def test_what_cannot_be_counted_has_no_number(asked: CountTokens, tmp_path: Path) -> None:
    counting = TokenCounting()
    assert counting.count(replace(asked, model=path_text(tmp_path))) == TokensCounted(7)
    assert counting.count(replace(asked, cot="sideways")) == TokensCounted(7)
    assert counting.count(asked).tokens is not None
