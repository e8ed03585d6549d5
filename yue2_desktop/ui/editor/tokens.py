"""How many tokens a song's text has: counted by whoever can, or bounded from above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from yue2_desktop.plan.demand import text_token_bound
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.limits import CONTEXT


@dataclass(frozen=True)
class Tokens:
    """The tokens before what the model writes; not `exact`: there are so many at most."""

    count: int
    exact: bool = True

    def words(self, *, with_limit: bool) -> str:
        """`412 of 24,576 tokens`; the limit only where there is room for it."""
        if with_limit:
            text = _tr("{count} of {limit} tokens") if self.exact else _tr("at most {count} of {limit} tokens")
        else:
            text = _tr("{count} tokens") if self.exact else _tr("at most {count} tokens")
        return text.format(count=f"{self.count:,}", limit=f"{CONTEXT:,}")


#: Counts the tokens of a song's text, on a thread of the pool; it may take its time.
TokenCount = Callable[[SongDocument], Tokens]


def bounded(document: SongDocument) -> Tokens:
    """A bound that needs no model: a token is at least one byte of the text."""
    score = document.score.text if document.score is not None and document.cot != "off" else ""
    words = text_token_bound(document.sung_style, document.sung_lyrics)
    return Tokens(words + len(score.encode("utf-8", "replace")), exact=False)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Tokens", text)
