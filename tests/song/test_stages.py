"""Stage values: lengths in seconds."""

from __future__ import annotations

from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.stages import ScorePlan, SemanticTokens


def test_tokens_know_their_length_in_seconds() -> None:
    plan = ScorePlan(SongRequest("folk", "la"), (1, 2), "X:1", (9, 9), truncated=False, supplied=False)
    assert SemanticTokens(plan, (5,) * 60, truncated=True).seconds == 2.4
