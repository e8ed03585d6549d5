"""What a song asks of the machine, in the planner's terms."""

from __future__ import annotations

from collections.abc import Callable

from yue2_desktop.plan.demand import SongDemand, text_token_bound
from yue2_desktop.song.lyrics.length import length_of
from yue2_desktop.song.render_settings import OdeMethod
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import Sampling

#: Ids of a text; None where no tokenizer is at hand, and the planner takes bounds.
Count = Callable[[str], int]


def song_demand(
    request: SongRequest,
    abc: Sampling,
    semantic: Sampling,
    *,
    ode_steps: int,
    ode_method: str,
    prompt: str | None = None,
    count: Count | None = None,
    abc_tokens: int | None = None,
) -> SongDemand:
    """The demand of a song; `prompt` is its prompt text, `abc_tokens` a score that is written already.

    With `count` texts are counted, without they are bounded from above.
    """
    length = length_of(request.lyrics)
    method: OdeMethod = "ab2" if ode_method == "ab2" else "midpoint"
    if count is None or prompt is None:
        text = text_token_bound(request.style, request.lyrics)
        score = None if request.abc is None else len(request.abc.encode("utf-8"))
    else:
        text = count(prompt)
        score = None if request.abc is None else count(request.abc)
    return SongDemand(
        text_tokens=text,
        abc_tokens=score if abc_tokens is None else abc_tokens,
        abc_ceiling=abc.max_tokens,
        frames_ceiling=semantic.max_tokens,
        frames_expected=None if length.instrumental else min(length.expected_frames, semantic.max_tokens),
        cot=request.cot,
        guidance=request.guidance,
        ode_steps=ode_steps,
        ode_method=method,
        bounded=count is None or prompt is None,
    )
