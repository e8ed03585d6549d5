"""How long a song may be: lyrics that are refused rather than cut, and what fits the model's context."""

from __future__ import annotations

from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind

#: Longest lyrics in characters and in lines. Text is never cut (user-reports.md, row 77); a score of some 200
#: lines already fills the score's own ceiling (row 96), so whatever is longer is a mistaken paste.
MAX_LYRICS_CHARS: Final = 20_000
MAX_LYRICS_LINES: Final = 499
#: One semantic token, and one latent frame, stands for 1/25 s of sound.
FRAMES_PER_SECOND: Final = 25
#: Positions of the released model: prefix and generated tokens share them (spec/yue2.md, section 8).
CONTEXT: Final = 24_576


def require_singable(lyrics: str) -> None:
    """Raises Problem(BAD_REQUEST) with length and limit for lyrics that are too long; nothing is ever cut."""
    if len(lyrics) > MAX_LYRICS_CHARS:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"lyrics are {len(lyrics):,} characters long and the limit is {MAX_LYRICS_CHARS:,}; "
            "nothing was cut: shorten them or make two songs.",
            field="lyrics",
            characters=len(lyrics),
            limit=MAX_LYRICS_CHARS,
        )
    lines = len(lyrics.splitlines())
    if lines > MAX_LYRICS_LINES:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"lyrics have {lines:,} lines and the limit is {MAX_LYRICS_LINES:,}; "
            "nothing was cut: shorten them or make two songs.",
            field="lyrics",
            lines=lines,
            limit=MAX_LYRICS_LINES,
        )


def longest_frames(prefix_tokens: int, context: int = CONTEXT) -> int:
    """How many semantic tokens (25 a second) fit behind a prefix of so many ids; 0 where none does."""
    return max(0, context - prefix_tokens)


def require_context(what: str, prefix_tokens: int, max_tokens: int, *, context: int = CONTEXT) -> None:
    """Refuses a phase whose prefix and ceiling exceed the context, before anything is computed.

    The rule is `prefix_tokens + max_tokens <= context` (spec/yue2.md, section 8); nothing is ever truncated.
    `what` is `score` or `song` and names the phase. Raises Problem(CONTEXT_OVERFLOW) that says how many
    tokens are too many and the longest ceiling that fits; data: prefix_tokens, max_tokens, context, excess,
    longest.
    """
    excess = prefix_tokens + max_tokens - context
    if excess <= 0:
        return
    longest = longest_frames(prefix_tokens, context)
    if longest == 0:
        cure = "shorten the lyrics or the score"
    elif what == "song":
        seconds = longest // FRAMES_PER_SECOND
        cure = f"the longest song that fits has {longest:,} frames ({seconds} s); ask for that or fewer words"
    else:
        cure = f"ask for at most {longest:,} tokens or shorten the lyrics"
    raise Problem(
        ProblemKind.CONTEXT_OVERFLOW,
        f"The {what} does not fit: {prefix_tokens:,} tokens of text and score before it and up to "
        f"{max_tokens:,} of its own are {excess:,} tokens more than the model's {context:,}; {cure}.",
        prefix_tokens=prefix_tokens,
        max_tokens=max_tokens,
        context=context,
        excess=excess,
        longest=longest,
    )
