"""Where the sections of a song are, by its score: the singing follows that closely, but not exactly."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.library.names import SCORE
from yue2_desktop.library.reading import read_file
from yue2_desktop.library.unsung import SectionTime
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import seconds
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.textfile import decode_utf8
from yue2_desktop.ui.player.playable import Section
from yue2_desktop.ui.score.score_menus import shown_label


def section_times(text: str) -> tuple[SectionTime, ...]:
    """The sections of a score's text that have bars, in order."""
    score = parse(text).score
    tempo = score.header.tempo
    return tuple(
        SectionTime(shown_label(one), seconds(one.start, tempo), seconds(one.start + one.duration, tempo))
        for one in score.sections
        if one.duration > 0
    )


def sections_of_take(folder: Path, length: float) -> tuple[Section, ...]:
    """The sections of a take whose sound is `length` seconds long; none where it has no score that can be read."""
    place = folder / SCORE
    try:
        times = section_times(decode_utf8(read_file(place), place, "score")) if place.is_file() else ()
    except Problem:
        return ()  # the take's mark of damage says so
    return tuple(Section(one.label, one.start_s, min(one.end_s, length)) for one in times if one.start_s < length)
