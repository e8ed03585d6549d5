"""The folders that takes are made in: a free one for each, and whether something was begun there."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path


def free_folder(home: Path, seed: int, taken: Collection[str]) -> Path:
    """A folder that is neither there yet nor another job's, named by the moment and the seed."""
    name = f"{datetime.now():%Y-%m-%d %H%M%S} seed {seed}"
    place, again = home / name, 1
    while place.exists() or str(place) in taken:
        again += 1
        place = home / f"{name} ({again})"
    return place


def holds_something(folder: Path) -> bool:
    """Whether a render has begun there."""
    return folder.is_dir() and any(folder.iterdir())
