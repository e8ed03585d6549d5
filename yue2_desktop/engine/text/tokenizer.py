"""The byte-pair tokenizer of the model, read from its `qwen.tiktoken` file (spec yue2, section 6)."""

from __future__ import annotations

import binascii
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import tiktoken

from yue2_desktop.engine.tokens import TEXT_TOKENS
from yue2_desktop.song.errors import Problem, ProblemKind

#: Qwen's published splitting pattern: single digits, English contractions, runs of letters, punctuation, white space.
_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<R>", "<S>", "<X>", "<mask>", "<sep>")


def _special_tokens() -> dict[str, int]:
    names = [*_CONTROL, *(f"<extra_{index}>" for index in range(200))]
    names[204:206] = ["<abc>", "</abc>"]
    return {name: TEXT_TOKENS + index for index, name in enumerate(names)}


class Tokenizer:
    """Text to ids and back; special-token spellings in a user's text are plain text."""

    def __init__(self, ranks: dict[bytes, int]) -> None:
        self._encoding = tiktoken.Encoding(
            "yue2", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens=_special_tokens()
        )

    @classmethod
    def from_file(cls, path: Path) -> Tokenizer:
        """Reads a tiktoken rank file: 151,643 lines of `base64 rank`. Raises Problem with the line at fault."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Problem(
                ProblemKind.MODEL_MISSING,
                f"The tokenizer {path} cannot be read ({error.strerror}). It comes with the model: qwen.tiktoken.",
                path=str(path),
            ) from error
        return cls.from_bytes(data, str(path))

    @classmethod
    def from_bytes(cls, data: bytes, where: str) -> Tokenizer:
        """As `from_file`, for a file's content; `where` names it in sentences."""
        return cls(_ranks(data, where))

    def encode(self, text: str) -> list[int]:
        """Ids in [0, 151643) of the NFC form of `text`, nothing stripped or converted."""
        return self._encoding.encode_ordinary(unicodedata.normalize("NFC", text))

    def decode(self, ids: Sequence[int]) -> str:
        """Text of ids; those outside text and control names are dropped, broken UTF-8 becomes U+FFFD."""
        return self._encoding.decode([i for i in ids if 0 <= i < self._encoding.n_vocab], errors="replace")

    def token_bytes(self, token: int) -> bytes:
        """The bytes of an ordinary or a special token."""
        return self._encoding.decode_single_token_bytes(token)

    @property
    def special_tokens(self) -> list[str]:
        """The names of the special tokens, in the order of their ids, which follow the ordinary ones."""
        return list(_special_tokens())


def _ranks(data: bytes, where: str) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(data.splitlines(), 1):
        try:
            token, rank = line.split(b" ")
            ranks[binascii.a2b_base64(token, strict_mode=True)] = int(rank)
        except (ValueError, binascii.Error) as error:
            raise Problem(
                ProblemKind.MODEL_DAMAGED,
                f"{where}, line {number}: expected 'base64 rank'. Take the qwen.tiktoken that came with the model.",
                line=number,
            ) from error
    if len(ranks) != TEXT_TOKENS or sorted(ranks.values()) != list(range(TEXT_TOKENS)):
        raise Problem(
            ProblemKind.MODEL_DAMAGED,
            f"{where} holds {len(ranks):,} distinct tokens, {TEXT_TOKENS:,} are needed. "
            "Take the qwen.tiktoken that came with the model.",
        )
    return ranks
