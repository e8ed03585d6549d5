"""The files of a take, by name: the reference's artefacts (spec/yue2.md, section 9) and ours beside them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

REQUEST: Final = "request.json"
CONFIG: Final = "config.json"
PLAN: Final = "plan.json"
SCORE: Final = "score.abc"
ABC_TOKENS: Final = "abc_tokens.npy"
PREFIX: Final = "prefix.npy"
PLAN_MANIFEST: Final = "plan_manifest.json"
SEMANTIC: Final = "semantic.npy"
LATENTS: Final = "latent.npy"
RESULT: Final = "result.json"
TAKE: Final = "take.json"
#: The user's star and note; it lies with the take, so that it moves with it.
MARKS: Final = "marks.json"
JOURNAL: Final = "journal"

AUDIO_FLAC: Final = "audio.flac"
AUDIO_WAV: Final = "audio.wav"
AUDIO_NAMES: Final = (AUDIO_FLAC, AUDIO_WAV)

#: Inside the journal folder.
SCORE_TOKENS_JOURNAL: Final = "score.tokens"
SEMANTIC_TOKENS_JOURNAL: Final = "semantic.tokens"
ODE_STATE: Final = "ode.state"
#: How the running render was started: folders and process of this machine, which no finished take should carry.
INVOCATION: Final = "render.json"
JOURNAL_FILES: Final = (SCORE_TOKENS_JOURNAL, SEMANTIC_TOKENS_JOURNAL, ODE_STATE, INVOCATION)


class TakeStage(StrEnum):
    """What a take consists of, in the order in which it is made; the words of `--reuse` and `--stop-after`."""

    PLAN = "plan"
    SEMANTIC = "semantic"
    LATENTS = "latents"
    AUDIO = "audio"


class StageState(StrEnum):
    """How far one stage of a take is."""

    WAITING = "waiting"
    RUNNING = "running"
    COMPLETE = "complete"
    FAILED = "failed"
    CANCELLED = "cancelled"
