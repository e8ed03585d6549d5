"""How a long song is cut so that each part fits the context (spec yue2, section 4)."""

from __future__ import annotations

from yue2_desktop.song.errors import Problem, ProblemKind


def chunk_size(prefix_tokens: int, context: int, max_latent_frames: int) -> int:
    """Frames that one chunk can hold: its tokens and its latents share the context, with three markers."""
    return min((context - prefix_tokens - 3) // 2, max_latent_frames)


def chunk_ranges(frames: int, prefix_tokens: int, context: int, max_latent_frames: int) -> tuple[tuple[int, int], ...]:
    """Frame ranges [start, stop) in order, the last one short.

    Raises Problem when there is nothing to sound or no room left.
    """
    size = chunk_size(prefix_tokens, context, max_latent_frames)
    if frames < 1:
        raise Problem(
            ProblemKind.BAD_REQUEST, "The song has no semantic tokens: there is nothing to sound. Render it again."
        )
    if size < 1:
        raise Problem(
            ProblemKind.CONTEXT_OVERFLOW,
            f"Words and score take {prefix_tokens:,} tokens of the model's {context:,}: "
            "no room is left for sound. Shorten the lyrics or the score.",
            over=prefix_tokens + 5 - context,
        )
    return tuple((start, min(start + size, frames)) for start in range(0, frames, size))
