"""What a song asks of the machine, in the planner's terms."""

from __future__ import annotations

from yue2_desktop.plan.demand import SongDemand, text_token_bound
from yue2_desktop.song.lyrics.length import length_of
from yue2_desktop.song.render_settings import OdeMethod
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import Sampling


def song_demand(
    request: SongRequest,
    abc: Sampling,
    semantic: Sampling,
    *,
    ode_steps: int,
    ode_method: str,
    text_tokens: int | None = None,
    abc_tokens: int | None = None,
) -> SongDemand:
    """The demand of a song; `text_tokens` are those of its prompt text, `abc_tokens` those of a score that there is.

    What was not counted is bounded from above.
    """
    length = length_of(request.lyrics)
    method: OdeMethod = "ab2" if ode_method == "ab2" else "midpoint"
    if abc_tokens is None and request.abc is not None:
        abc_tokens = len(request.abc.encode("utf-8"))
    return SongDemand(
        text_tokens=text_token_bound(request.style, request.lyrics) if text_tokens is None else text_tokens,
        abc_tokens=abc_tokens,
        abc_ceiling=abc.max_tokens,
        frames_ceiling=semantic.max_tokens,
        frames_expected=None if length.instrumental else min(length.expected_frames, semantic.max_tokens),
        cot=request.cot,
        guidance=request.guidance,
        ode_steps=ode_steps,
        ode_method=method,
        bounded=text_tokens is None,
    )
