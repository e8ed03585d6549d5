"""The notices that nobody has put away yet, the gravest first: none covers one that is graver, none is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

Tone = Literal["info", "doubtful", "bad"]
_WEIGHT: Final[dict[Tone, int]] = {"info": 0, "doubtful": 1, "bad": 2}


@dataclass(frozen=True)
class Notice:
    """A sentence for the line; `key` tells notices of one kind apart, so that a new one replaces its own.

    `other` is a second way out, where there are two.
    """

    key: str
    text: str
    tone: Tone = "info"
    button: str = ""
    act: Callable[[], None] | None = None
    other: str = ""
    act_otherwise: Callable[[], None] | None = None


class NoticeQueue:
    """One of the notices is on show; the others wait in order: the gravest first, of equal ones the newest first."""

    def __init__(self) -> None:
        self._notices: list[Notice] = []
        self._place = 0

    def __len__(self) -> int:
        return len(self._notices)

    @property
    def shown(self) -> Notice | None:
        """The notice on show; None where there is none."""
        return self._notices[self._place] if self._notices else None

    @property
    def place(self) -> int:
        """The place of the one on show, from 1; 0 where there is none."""
        return self._place + 1 if self._notices else 0

    def tell(self, notice: Notice) -> None:
        """Takes a notice in, in place of the last one with its key; it is on show unless the one that is is graver."""
        self.withdraw(notice.key)
        shown, weight = self.shown, _WEIGHT[notice.tone]
        place = sum(_WEIGHT[one.tone] > weight for one in self._notices)
        self._notices.insert(place, notice)
        is_covered = shown is not None and _WEIGHT[shown.tone] > weight
        self._place = self._notices.index(shown) if shown is not None and is_covered else place

    def withdraw(self, key: str) -> bool:
        """Takes the notice with that key out; whether there was one."""
        found = next((number for number, one in enumerate(self._notices) if one.key == key), None)
        if found is None:
            return False
        del self._notices[found]
        if found < self._place:
            self._place -= 1
        elif self._place >= len(self._notices):
            self._place = 0
        return True

    def step(self) -> None:
        """Shows the next one, after the last the first."""
        if self._notices:
            self._place = (self._place + 1) % len(self._notices)
