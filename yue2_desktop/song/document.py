"""The song document: everything that is one song in the editor, as a value, and the edits that need a rule."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Final

from yue2_desktop.song.document_score import DocumentScore, PlannedScore, ScoreOrigin, fingerprint
from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.song.lyrics.sung import sung_style, sung_text
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.request import Cot
from yue2_desktop.song.seeds import SeedKind, SeedPolicy

UNTITLED: Final = "Untitled song"
_TITLE_CHARS: Final = 40


def new_id() -> str:
    """An id that no other document has; it is a valid id of a request, too."""
    return uuid.uuid4().hex


@dataclass(frozen=True)
class SongDocument:
    """One song. `style` and `lyrics` are as typed; what the model gets is `sung_style` and `sung_lyrics`.

    `abc_sampling` and `semantic_sampling` hold only the settings that differ from the defaults on purpose.
    `cfg_scale` None is the protocol's own guidance. `kept` holds members of the file that this version does not know.
    """

    id: str = field(default_factory=new_id)
    title: str = ""
    style: str = ""
    lyrics: str = ""
    cot: Cot = "full"
    seed: SeedPolicy = field(default_factory=lambda: SeedPolicy(SeedKind.COUNTING))
    score: DocumentScore | None = None
    abc_sampling: Mapping[str, object] = field(default_factory=dict)
    semantic_sampling: Mapping[str, object] = field(default_factory=dict)
    cfg_scale: float | None = None
    render: RenderSettings = field(default_factory=RenderSettings)
    notes: str = ""
    kept: Mapping[str, object] = field(default_factory=dict)

    @property
    def shown_title(self) -> str:
        """The title, or else the first words that are sung, or `Untitled song`."""
        if self.title.strip():
            return self.title.strip()
        for section in read_lyrics(self.lyrics).sections:
            for line in section.lines:
                return line.words if len(line.words) <= _TITLE_CHARS else f"{line.words[: _TITLE_CHARS - 1].rstrip()}…"
        return UNTITLED

    @property
    def is_blank(self) -> bool:
        """Whether nothing would be lost with it: no title, style, words, score or notes."""
        return self.score is None and not any(
            text.strip() for text in (self.title, self.style, self.lyrics, self.notes)
        )

    @cached_property
    def sung_lyrics(self) -> str:
        """The lyrics as the model gets them, without remarks."""
        return sung_text(self.lyrics)

    @cached_property
    def sung_style(self) -> str:
        """The style as the model gets it, on one line."""
        return sung_style(self.style)

    @cached_property
    def asked(self) -> str:
        """The fingerprint of what a plan made now would be asked for."""
        return fingerprint(self.sung_style, self.sung_lyrics, self.cot)

    @property
    def cot_with_score(self) -> Cot:
        """The cot with which a score is sung: that of the document, or full where it has none."""
        return "full" if self.cot == "off" else self.cot

    @property
    def plan_is_stale(self) -> bool:
        """Whether style, lyrics or cot were changed since the score's plan was made."""
        return self.score is not None and self.score.plan is not None and self.score.plan.asked != self.asked

    @property
    def reusable_plan(self) -> PlannedScore | None:
        """The plan whose exact tokens can be sung: nothing that it was made from, nor its text, was changed."""
        if self.cot == "off" or self.score is None or not self.score.is_unchanged_plan or self.plan_is_stale:
            return None
        return self.score.plan

    def with_plan(self, plan: PlannedScore) -> SongDocument:
        """The document with a score that the model wrote."""
        return replace(self, score=DocumentScore.planned(plan))

    def with_score_text(self, text: str) -> SongDocument:
        """The document with the score's text as edited; a text of blanks takes the score away.

        A text where there was no score is one that the user wrote; with cot off it could not be used, so that becomes
        full.
        """
        if not text.strip():
            return replace(self, score=None)
        if self.score is None:
            return replace(self, score=DocumentScore(text, ScoreOrigin.WRITTEN), cot=self.cot_with_score)
        return replace(self, score=self.score.edited(text))

    def with_imported_score(self, text: str, source: str) -> SongDocument:
        """The document with a score from a file; with cot off the score could not be used, so that becomes full."""
        return replace(self, score=DocumentScore.imported(text, source), cot=self.cot_with_score)

    def after_queueing(self, first_seed: int, count: int) -> SongDocument:
        """The document once `count` takes from `first_seed` on were queued: only its seed moves on."""
        return replace(self, seed=self.seed.after(first_seed, count))

    def duplicated(self) -> SongDocument:
        """A new song with the same content."""
        title = f"{self.title} 2" if self.title.strip() else ""
        return replace(self, id=new_id(), title=title)


def changed_fields(before: SongDocument, after: SongDocument) -> tuple[str, ...]:
    """The names of the fields in which two documents differ, for the text of an undo step and the title's star."""
    names = [item.name for item in fields(SongDocument)]
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))
