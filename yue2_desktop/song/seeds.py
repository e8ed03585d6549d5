"""Which seed the next render of a song has: always the same, a new one each time, or the next number."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from yue2_desktop.song.request import DEFAULT_SEED, SEED_LIMIT

#: New seeds stay below this, so that people can read and type them.
_FRESH_BELOW: Final = 1_000_000_000


class SeedKind(StrEnum):
    """How the seed of a render is chosen."""

    FIXED = "fixed"
    NEW = "new"
    COUNTING = "counting"


@dataclass(frozen=True)
class SeedPolicy:
    """`value` is the seed of the next render (fixed, counting) or of the last one (new).

    A batch of N takes from a first seed counts up from it whatever the kind (`song.batch`). `kept` holds members of
    the file that this version does not know.
    """

    kind: SeedKind = SeedKind.FIXED
    value: int = DEFAULT_SEED
    kept: Mapping[str, object] = field(default_factory=dict)

    def first_seed(self, fresh: int) -> int:
        """The seed that a render has now; `fresh` is a new one, such as `fresh_seed()` gives."""
        return fresh if self.kind is SeedKind.NEW else self.value

    def after(self, first: int, count: int) -> SeedPolicy:
        """The policy once `count` takes from the seed `first` on were queued; counting starts over at its end."""
        if self.kind is SeedKind.FIXED:
            return self
        return replace(self, value=first if self.kind is SeedKind.NEW else (first + count) % SEED_LIMIT)


def fresh_seed() -> int:
    """A seed that nobody chose, from 0 to 999,999,999."""
    return secrets.randbelow(_FRESH_BELOW)
