"""The score of a song document: its text, where it comes from, and the plan it was made by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class ScoreOrigin(StrEnum):
    """Where a score's text comes from: the model's plan as it is, that plan or an import edited, a file, the user."""

    PLAN = "plan"
    EDITED = "edited"
    IMPORTED = "imported"
    WRITTEN = "written"


@dataclass(frozen=True)
class PlannedScore:
    """The plan that a score was made by: what the library knows it by (`take`), and its text as the model wrote it.

    `asked` is the `fingerprint` of what it was planned for; `truncated` says that it met its token ceiling.
    """

    take: str
    text: str
    asked: str
    seed: int
    truncated: bool = False
    kept: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class DocumentScore:
    """A score. `plan` stays when the text is edited, so that what changed can be shown and taken back.

    `source` is the name of the file that it was imported from. `kept` holds members of the file that this version
    does not know.
    """

    text: str
    origin: ScoreOrigin
    plan: PlannedScore | None = None
    source: str = ""
    kept: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def planned(cls, plan: PlannedScore) -> DocumentScore:
        """The score as a plan has it."""
        return cls(plan.text, ScoreOrigin.PLAN, plan=plan)

    @classmethod
    def imported(cls, text: str, source: str) -> DocumentScore:
        """A score from a file; `source` is the file's name without its folder."""
        return cls(text, ScoreOrigin.IMPORTED, source=source)

    def edited(self, text: str) -> DocumentScore:
        """The score with another text. The plan's own text, however it came back, is the plan again."""
        if text == self.text:
            return self
        if self.plan is not None and text == self.plan.text:
            return replace(self, text=text, origin=ScoreOrigin.PLAN)
        origin = self.origin if self.origin is ScoreOrigin.WRITTEN else ScoreOrigin.EDITED
        return replace(self, text=text, origin=origin)

    def reverted(self) -> DocumentScore:
        """The score as it was planned; itself where there was no plan."""
        return self if self.plan is None else self.edited(self.plan.text)

    @property
    def is_unchanged_plan(self) -> bool:
        """Whether the text is the model's own, of which the exact tokens are kept."""
        return self.plan is not None and self.text == self.plan.text


def fingerprint(style: str, lyrics: str, cot: str) -> str:
    """What a plan was asked for, as a sha256: a plan's tokens serve only the same style, lyrics and cot.

    The seed is not part of it: other seeds may sing the same score (`--reuse plan --seed`).
    """
    text = json.dumps([style, lyrics, cot], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
