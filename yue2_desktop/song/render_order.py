"""From the song document to what a render is told: requests, sampling, settings, and what to say before it starts."""

from __future__ import annotations

from dataclasses import dataclass

from yue2_desktop.song.batch import batch
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.lyrics.length import Length, length_notices, length_of
from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged


@dataclass(frozen=True)
class RenderOrder:
    """One or several takes of a song. The requests differ only in their seed.

    `plan` is the plan whose exact tokens are to be sung; then the requests carry no score. `ceiling_seconds` is the
    song's ceiling and `notes` are whole sentences for the user.
    """

    requests: tuple[SongRequest, ...]
    abc: Sampling
    semantic: Sampling
    render: RenderSettings
    plan: PlannedScore | None
    notes: tuple[str, ...]

    @property
    def ceiling_seconds(self) -> float:
        """The longest that a take can become."""
        return self.semantic.max_tokens / FRAMES_PER_SECOND


def render_order(
    document: SongDocument,
    first_seed: int,
    *,
    count: int = 1,
    tempo: float | None = None,
    score_seconds: float | None = None,
) -> RenderOrder:
    """What to render for `document`: `count` takes from `first_seed` on.

    `tempo` (beats a minute) and `score_seconds` are those of the document's score, if it can be read; they make the
    ceiling, which the lyrics give otherwise. Remarks are taken out of the lyrics. The request's id is the document's.
    Raises Problem(BAD_REQUEST) that names the field and the cure.
    """
    uses_score = document.cot != "off" and document.score is not None
    plan = document.reusable_plan
    request = SongRequest.validated(
        style=document.sung_style,
        lyrics=document.sung_lyrics,
        cot=document.cot,
        seed=first_seed,
        abc=document.score.text if uses_score and plan is None and document.score is not None else None,
        cfg_scale=document.cfg_scale,
        id=document.id,
    )
    length = ceiling_of(document, tempo=tempo, score_seconds=score_seconds if uses_score else None)
    semantic, notes = _semantic(document, length)
    return RenderOrder(
        requests=batch(request, count),
        abc=merged(ABC_SAMPLING, document.abc_sampling, where="abc_sampling"),
        semantic=semantic,
        render=document.render,
        plan=plan,
        notes=(*notes, *order_notes(document, semantic.max_tokens)),
    )


def ceiling_of(document: SongDocument, *, tempo: float | None = None, score_seconds: float | None = None) -> Length:
    """The length that the document's words, and its score where that is given, suggest."""
    return length_of(document.sung_lyrics, document.sung_style, tempo=tempo, score_seconds=score_seconds)


def order_notes(document: SongDocument, ceiling_frames: int) -> tuple[str, ...]:
    """What to say of a document before it is rendered with a ceiling (frames).

    Words that do not fill the ceiling, or none (user-reports.md, rows 80 and 81); tags by which sections are lost
    (row 76); a stale plan; a score that is not used.
    """
    style, lyrics = document.sung_style, document.sung_lyrics
    length = length_of(lyrics, style)
    uses_score = document.cot != "off" and document.score is not None
    notes: list[str] = []
    if length.instrumental or (not uses_score and ceiling_frames > length.ceiling_frames):
        notes.extend(length_notices(style, lyrics))
    outline = read_lyrics(document.lyrics)
    lost = [problem for problem in outline.problems if problem.loses_section]
    if lost:
        line = next(line.index for line in outline.lines if line.end >= lost[0].start) + 1
        tags = "One section tag is" if len(lost) == 1 else f"{len(lost)} section tags are"
        notes.append(f"{tags} wrong; line {line}: {lost[0].sentence}")
    if document.score is not None:
        notes.extend(_score_notes(document))
    return tuple(notes)


def _score_notes(document: SongDocument) -> list[str]:
    score = document.score
    if score is None:
        return []
    if document.cot == "off":
        return ["The score is not used: the song is asked for without one. Choose full or melody to sing it."]
    notes = []
    if document.plan_is_stale and score.is_unchanged_plan:
        notes.append("Style or lyrics changed since the score was written; it is sung as it stands, to the new words.")
    if score.is_unchanged_plan and score.plan is not None and score.plan.truncated:
        notes.append("The score is unfinished: the model met its token limit. Shorten the lyrics or finish it by hand.")
    return notes


def _semantic(document: SongDocument, length: Length) -> tuple[Sampling, list[str]]:
    """The sampling of the tokens with the song's ceiling in it, which stands in one place only."""
    overrides: dict[str, object] = dict(document.semantic_sampling)
    ceiling = document.render.max_frames
    given = overrides.get("max_tokens")
    if ceiling is None:
        ceiling = given if type(given) is int else length.ceiling_frames
    elif given is not None and given != ceiling:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"render.max_frames is {ceiling} and semantic_sampling.max_tokens {given}; keep one of them.",
            field="render.max_frames",
        )
    if given is None:
        overrides["max_tokens"] = ceiling
    notes = []
    least = overrides.get("min_tokens", SEMANTIC_SAMPLING.min_tokens)
    if "min_tokens" not in document.semantic_sampling and type(least) is int and least > ceiling:
        overrides["min_tokens"] = ceiling
        notes.append(
            f"A song has at least {least} frames ({least / FRAMES_PER_SECOND:g} s) by default; "
            f"for a ceiling of {ceiling} that is lowered to {ceiling}."
        )
    return merged(SEMANTIC_SAMPLING, overrides, where="semantic_sampling"), notes
