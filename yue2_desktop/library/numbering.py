"""How far the takes of each song are counted, by what the takes themselves say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from yue2_desktop.library.take_summary import TakeSummary


def highest_numbers(takes: Iterable[TakeSummary]) -> Mapping[str, int]:
    """The highest number of a take of each song, by the song's id; songs without a numbered take are left out."""
    highest: dict[str, int] = {}
    for take in takes:
        song = take.song
        if song is not None and song.take is not None:
            highest[song.id] = max(song.take, highest.get(song.id, 0))
    return highest
