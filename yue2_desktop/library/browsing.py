"""What of the library is shown and in which order: a query as a value, and pure functions that answer it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from yue2_desktop.library.take_summary import Badge, TakeState, TakeSummary


class Order(StrEnum):
    """What a list is sorted by."""

    DATE = "date"
    LENGTH = "length"
    STAR = "star"
    SEED = "seed"
    TITLE = "title"


@dataclass(frozen=True)
class Query:
    """Which takes, and in which order.

    Each word of `text` must occur in title, style, lyrics, note or seed, in any spelling of case and width. `song`
    is the id of a song; `badges` must all be there; `cot` and `mode` are as in a summary. `descending` puts the
    newest, longest, starred, highest first.
    """

    text: str = ""
    song: str | None = None
    starred: bool = False
    finished: bool = False
    badges: frozenset[Badge] = frozenset()
    cot: str | None = None
    mode: str | None = None
    order: Order = Order.DATE
    descending: bool = True


_KEYS: Final[dict[Order, Callable[[TakeSummary], Any]]] = {
    Order.DATE: lambda take: take.created,
    Order.LENGTH: lambda take: take.seconds or 0.0,
    Order.STAR: lambda take: take.star,
    Order.SEED: lambda take: -1 if take.seed is None else take.seed,
    Order.TITLE: lambda take: folded(take.title),
}


def folded(text: str) -> str:
    """`text` as it is searched: case, full-width forms and ligatures make no difference."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def terms(text: str) -> tuple[str, ...]:
    """The words of a search, folded."""
    return tuple(dict.fromkeys(folded(text).split()))


def fits(take: TakeSummary, query: Query) -> bool:
    """Whether a take is meant by everything in the query but its text."""
    return (
        query.song in {None, take.song.id if take.song is not None else None}
        and (take.star or not query.starred)
        and (take.state is TakeState.FINISHED or not query.finished)
        and query.badges.issubset(take.badges)
        and query.cot in {None, take.cot}
        and query.mode in {None, take.mode}
    )


def in_order(takes: Iterable[TakeSummary], query: Query) -> tuple[TakeSummary, ...]:
    """`takes` sorted as the query says; equals are newest first, whichever the direction."""
    newest_first = sorted(takes, key=lambda take: (take.created, str(take.folder)), reverse=True)
    return tuple(sorted(newest_first, key=_KEYS[query.order], reverse=query.descending))
