"""Whether a song can ever fit the context: known from its words, before any weight is read (spec yue2, section 8)."""

from __future__ import annotations

from collections.abc import Sequence

from yue2_desktop.engine.text.prompt import negative_prefix, score_prefix, semantic_prefix
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.song.limits import require_context
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import Sampling


def require_room(tokenizer: Tokenizer, context: int, request: SongRequest, abc: Sampling, semantic: Sampling) -> None:
    """Refuses what can never fit `context` tokens, whatever score is written. Raises Problem(CONTEXT_OVERFLOW)."""
    known: Sequence[int] = ()
    if request.abc is not None:
        known = tokenizer.encode(request.abc)
    elif request.cot != "off":
        require_context("score", len(score_prefix(tokenizer, request)), abc.max_tokens, context=context)
    prefixes = [semantic_prefix(tokenizer, request, known)]
    if request.guidance != 1:
        prefixes.append(negative_prefix(tokenizer, request, known))
    for prefix in prefixes:
        require_context("song", len(prefix), semantic.max_tokens, context=context)
