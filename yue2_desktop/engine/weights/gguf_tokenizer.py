"""The tokenizer of GGUF files: from the token list within (layouts A and C), or from a tiktoken file beside."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.tokens import TEXT_TOKENS
from yue2_desktop.engine.weights.gguf_embedded import embedded_files
from yue2_desktop.engine.weights.gguf_header import GgufHeader, damaged

TOKENS = "tokenizer.ggml.tokens"


def byte_letters() -> dict[int, str]:
    """The letter that stands for each byte in byte-level token lists (as GPT-2 published it).

    Printable bytes of Latin-1 stand for themselves, the other 68 for the letters from U+0100 on, in their order.
    """
    plain = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(0x100 + place) for place, byte in enumerate(others)}


def has_tokenizer(header: GgufHeader) -> bool:
    """Whether a file brings its own tokens, as a list (A, C) or as a tiktoken file within it (packed files of B)."""
    return TOKENS in header.values or _tiktoken_name(header) is not None


def tokenizer_within(header: GgufHeader) -> Tokenizer:
    """The tokenizer that a file brings. Raises Problem(MODEL_DAMAGED)."""
    name = _tiktoken_name(header)
    if TOKENS not in header.values and name is not None:
        return Tokenizer.from_bytes(embedded_files(header)[name], f"{header.path}, {name}")
    return _from_tokens(header)


def _tiktoken_name(header: GgufHeader) -> str | None:
    return next((name for name in embedded_files(header) if name.endswith(".tiktoken")), None)


def _from_tokens(header: GgufHeader) -> Tokenizer:
    """Token `rank` of the list has rank `rank`."""
    tokens = header.strings(TOKENS) or []
    if len(tokens) < TEXT_TOKENS:
        raise damaged(header.path, f"its tokenizer holds {len(tokens):,} tokens, {TEXT_TOKENS:,} are needed")
    # Letters that stand for no byte are turned into one that Latin-1 lacks, so that encoding fails on them.
    table = dict.fromkeys(range(256), "\uffff") | {ord(letter): byte for byte, letter in byte_letters().items()}
    ranks: dict[bytes, int] = {}
    for rank, token in enumerate(tokens[:TEXT_TOKENS]):
        try:
            ranks[token.decode("utf-8").translate(table).encode("latin-1")] = rank
        except UnicodeError as error:
            raise damaged(header.path, f"token {rank} of its tokenizer is not byte-level text") from error
    if len(ranks) != TEXT_TOKENS:
        raise damaged(header.path, f"its tokenizer holds only {len(ranks):,} distinct tokens")
    return Tokenizer(ranks)


#: What the file beside is called, in the order of preference, and the folders it may lie in.
_NAMES = ("yue2-qwen.tiktoken", "qwen.tiktoken")
_FOLDERS = (".", "sidecars", "..", "../sidecars")


def tokenizer_beside(path: Path) -> Path | None:
    """The tiktoken file that belongs to a GGUF of layout B or D, or None."""
    return sidecar(path, _NAMES)


def sidecar(path: Path, names: tuple[str, ...]) -> Path | None:
    """The first of the files that lies beside `path`, in `sidecars`, or one folder up; None if there is none."""
    for folder in _FOLDERS:
        for name in names:
            found = path.parent / folder / name
            if found.is_file():
                return found.resolve()
    return None
