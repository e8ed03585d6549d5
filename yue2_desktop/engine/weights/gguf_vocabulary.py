"""The tokenizer as a GGUF file carries it: byte-level tokens, and the merges that lead to them (layout A)."""

from __future__ import annotations

from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.tokens import TEXT_TOKENS
from yue2_desktop.engine.weights.gguf_tokenizer import TOKENS, byte_letters


def vocabulary_values(tokenizer: Tokenizer) -> dict[str, str | list[str]]:
    """The values `tokenizer.ggml.*`: all text tokens by rank, then the special ones."""
    letters = byte_letters()

    def text(token: bytes) -> str:
        return token.decode("latin-1").translate(letters)

    ordinary = [tokenizer.token_bytes(rank) for rank in range(TEXT_TOKENS)]
    return {
        "tokenizer.ggml.model": "gpt2",
        TOKENS: [*map(text, ordinary), *tokenizer.special_tokens],
        "tokenizer.ggml.merges": [f"{text(left)} {text(right)}" for left, right in merges(ordinary)],
    }


def merges(tokens: list[bytes]) -> list[tuple[bytes, bytes]]:
    """The two parts from which each token of several bytes arises, in the order of the tokens.

    They are what byte-pair encoding of the token by the earlier ones arrives at. A token that no merging reaches has
    none.
    """
    ranks = {token: rank for rank, token in enumerate(tokens)}
    found = []
    for rank, token in enumerate(tokens):
        if len(token) > 1:
            parts = _encoded(token, ranks, rank)
            if len(parts) == 2:
                found.append((parts[0], parts[1]))
    return found


def _encoded(token: bytes, ranks: dict[bytes, int], below: int) -> list[bytes]:
    """The token in the parts that merges of a rank `below` leave."""
    parts = [token[index : index + 1] for index in range(len(token))]
    while len(parts) > 2:
        lowest, at = below, -1
        for index in range(len(parts) - 1):
            rank = ranks.get(parts[index] + parts[index + 1], below)
            if rank < lowest:
                lowest, at = rank, index
        if at < 0:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts
