"""Whether what lies under the pointer is what was seen there when the hand set out to press it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

#: Nobody sees what has come under the pointer and takes back a press that is on its way in less, in seconds.
HOLD_S: Final = 0.4


@dataclass(frozen=True)
class Laid:
    """How rows lie: what each is, from the top, how far they are scrolled and how high each is, in pixels."""

    rows: tuple[str, ...] = ()
    offset: int = 0
    height: int = 1

    def at(self, y: int) -> str:
        """The row at a height of the view; empty where there is none."""
        place = (y + self.offset) // self.height
        return self.rows[place] if 0 <= place < len(self.rows) else ""


class Stillness:
    """Remembers how rows lay before they changed, for as long as a press may have been meant for that.

    What was never painted is not remembered, since nobody has seen it; time runs from the first painting of what came
    in its place. `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._before: list[tuple[Laid, float]] = []
        self._unseen: Laid | None = None

    def note(self, laid: Laid) -> None:
        """Rows come, go, move or mean something else from now on; so they lay until now."""
        if self._unseen is None:
            self._unseen = laid

    def painted(self) -> None:
        """The rows are in sight as they are."""
        if self._unseen is not None:
            self._before = [*self._young(), (self._unseen, self._clock())]
            self._unseen = None

    def holds(self, y: int, now: Laid) -> bool:
        """Whether the same has been at that height for a while; `now` is how the rows lie."""
        self._before = self._young()
        seen = [laid for laid, _ in self._before]
        if self._unseen is not None:
            seen.append(self._unseen)
        return all(laid.at(y) == now.at(y) for laid in seen)

    def _young(self) -> list[tuple[Laid, float]]:
        now = self._clock()
        return [one for one in self._before if now - one[1] < HOLD_S]
