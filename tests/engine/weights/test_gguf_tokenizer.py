"""Tokens in byte-level letters, and what is wrong with lists of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import pytest

from yue2_desktop.engine.weights.gguf_header import GgufHeader, read_gguf_header
from yue2_desktop.engine.weights.gguf_tokenizer import byte_letters, has_tokenizer, tokenizer_within
from yue2_desktop.song.errors import Problem, ProblemKind


def test_letters_stand_for_bytes_one_to_one() -> None:
    """The corner cases of GPT-2's table: space is G with a dot, newline C with a dot, soft hyphen is not itself."""
    letters = byte_letters()
    assert sorted(letters) == list(range(256))
    assert len(set(letters.values())) == 256
    assert (letters[0x20], letters[0x0A], letters[0x00], letters[0xAD]) == ("Ġ", "Ċ", "Ā", "Ń")
    assert (letters[ord("a")], letters[0xFF]) == ("a", "ÿ")


@pytest.fixture
def header_with(tmp_path: Path) -> Callable[[list[str]], GgufHeader]:
    def made(tokens: list[str]) -> GgufHeader:
        writer = gguf.GGUFWriter(tmp_path / "tokens.gguf", "yue2")
        writer.add_array("tokenizer.ggml.tokens", tokens)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        return read_gguf_header(tmp_path / "tokens.gguf")

    return made


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda texts: texts[:-1], "holds 151,642 tokens, 151,643 are needed"),
        (lambda texts: [*texts[:5], "a b", *texts[6:]], "token 5 of its tokenizer is not byte-level text"),
        (lambda texts: [*texts[:9], "日", *texts[10:]], "token 9 of its tokenizer is not byte-level text"),
        (lambda texts: [*texts[:-1], texts[0]], "holds only 151,642 distinct tokens"),
    ],
)
def test_broken_lists(
    change: Callable[[list[str]], list[str]], words: str, maker: Any, header_with: Callable[[list[str]], GgufHeader]
) -> None:
    header = header_with(change(maker.token_texts))
    assert has_tokenizer(header)
    with pytest.raises(Problem, match=words) as caught:
        tokenizer_within(header)
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED
