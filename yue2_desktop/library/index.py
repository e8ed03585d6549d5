"""The library: the takes in the output folders, found, kept in the index, searched and marked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from yue2_desktop.library.browsing import Query, fits, folded, in_order, terms
from yue2_desktop.library.describe import is_take
from yue2_desktop.library.finding import Unreadable, find_takes
from yue2_desktop.library.index_store import FileStates, IndexedTake, IndexStore
from yue2_desktop.library.marks import UserMarks, read_marks, write_marks
from yue2_desktop.library.names import AUDIO_NAMES, JOURNAL, SCORE
from yue2_desktop.library.reading import read_file
from yue2_desktop.library.soundings import Sounding, Soundings
from yue2_desktop.library.summarising import SUMMARISED, summarise
from yue2_desktop.library.take_summary import Loudness, TakeSummary
from yue2_desktop.library.unsung import SectionTime, unsung
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.textfile import decode_utf8

#: Counts the mistakes in a score's text; what reads scores is no part of the library.
CountErrors = Callable[[str], int]
#: Gives the sections of a score's text with their times.
TimeSections = Callable[[str], Sequence[SectionTime]]
Cancelled = Callable[[], bool]


class Change(StrEnum):
    """What a step of a scan found."""

    SAME = "same"
    NEW = "new"
    CHANGED = "changed"
    MEASURED = "measured"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class ScanStep:
    """One step: the folder, its summary as it is now (None for `gone` and `unreadable`), and a sentence on trouble."""

    change: Change
    folder: Path
    summary: TakeSummary | None = None
    sentence: str = ""


class Library:
    """The takes in some folders. For one thread; another thread, such as the one that scans, opens its own.

    `soundings` measures sounds, `count_errors` counts the mistakes in scores and `time_sections` tells what a song
    that was cut short leaves out; without them these stay unknown.
    """

    def __init__(
        self,
        store: IndexStore,
        *,
        soundings: Soundings | None = None,
        count_errors: CountErrors | None = None,
        time_sections: TimeSections | None = None,
    ) -> None:
        self._store = store
        self._soundings = soundings
        self._count_errors = count_errors
        self._time_sections = time_sections

    @classmethod
    def open(
        cls,
        index: Path,
        *,
        soundings: Soundings | None = None,
        count_errors: CountErrors | None = None,
        time_sections: TimeSections | None = None,
    ) -> Self:
        """The library whose index is the file `index`, made if need be; the takes are not looked at yet."""
        store = IndexStore.open(index)
        return cls(store, soundings=soundings, count_errors=count_errors, time_sections=time_sections)

    def close(self) -> None:
        """Closes the index."""
        self._store.close()

    def takes(self, query: Query | None = None) -> tuple[TakeSummary, ...]:
        """What the index holds of the takes that are asked for, in the order that is asked for."""
        query = query or Query()
        return in_order((take for take in self._store.find(terms(query.text)) if fits(take, query)), query)

    def scan(
        self, roots: Sequence[Path], *, cancelled: Cancelled = lambda: False, measure: bool = True
    ) -> Iterator[ScanStep]:
        """Brings the index up to what lies in `roots`, a take a step: first all small files, then all sounds.

        Without `measure` the sounds are left to `update`.
        It ends early when nobody asks for the next step, or soon after `cancelled` says so, in the middle of a sound,
        too; what it has done stays done. Takes that are no longer there are dropped from the index once everything
        was looked at. Nothing in `roots` is written. Raises Problem(BAD_FILE) when the index cannot be used.
        """
        found: list[Path] = []
        for root in roots:
            for item in find_takes(root.absolute()):
                if isinstance(item, Unreadable):
                    yield ScanStep(Change.UNREADABLE, item.folder, sentence=item.sentence)
                    continue
                found.append(item)
                yield self._looked_at(item)
                if cancelled():
                    return
        for folder in self._store.keep_only(found):
            yield ScanStep(Change.GONE, folder)
        for folder in found if measure else ():
            if cancelled():
                return
            step = self._measured(folder, cancelled)
            if step is not None:
                yield step
        if self._soundings is not None:
            sounds = [folder / name for folder in found for name in AUDIO_NAMES]
            self._soundings.keep_only(sounds)

    def update(
        self, folder: Path, *, measure: bool = False, cancelled: Cancelled = lambda: False
    ) -> TakeSummary | None:
        """The take in `folder` as it is now, in the index, too; None, and out of the index, where there is none.

        With `measure` its sound and score are measured, if that was not done before: about half a second, less
        where `cancelled` says so.
        """
        step = self._looked_at(folder.absolute())
        if measure and step.summary is not None:
            return (self._measured(folder.absolute(), cancelled) or step).summary
        return step.summary

    def mark(self, folder: Path, *, star: bool | None = None, note: str | None = None) -> TakeSummary | None:
        """Sets the star or the note of a take, in its folder; None leaves one as it is. Errors as `write_marks`."""
        marks = read_marks(folder)
        write_marks(folder, UserMarks(marks.star if star is None else star, marks.note if note is None else note))
        return self.update(folder)

    def forget(self, folder: Path) -> None:
        """Drops a take from the index, after it went to the bin; writes nothing else."""
        self._store.remove(folder)

    def _looked_at(self, folder: Path) -> ScanStep:
        files = _states(folder)
        row = self._store.get(folder)
        if row is not None and _plain(row.files) == files:
            return ScanStep(Change.SAME, folder, row.summary)
        try:
            if not is_take(folder):
                self._store.remove(folder)
                return ScanStep(Change.GONE, folder)
            made = summarise(folder)
        except Problem as problem:
            self._store.remove(folder)
            return ScanStep(Change.UNREADABLE, folder, sentence=problem.sentence)
        summary = made.summary
        sounding = self._soundings.known(folder / summary.audio) if self._soundings and summary.audio else None
        if sounding is not None:
            summary = replace(summary, loudness=_loudness(sounding))
        if row is not None and SCORE in files and _plain(row.files).get(SCORE) == files[SCORE]:
            summary = replace(summary, score_errors=row.summary.score_errors)
            if row.summary.seconds == summary.seconds:
                summary = replace(summary, unsung=row.summary.unsung)
        self._store.put(IndexedTake(summary, folded(made.words), files))
        return ScanStep(Change.NEW if row is None else Change.CHANGED, folder, summary)

    def _measured(self, folder: Path, cancelled: Cancelled) -> ScanStep | None:
        """The step that measures what is not known of a take; None where nothing is to be done."""
        row = self._store.get(folder)
        if row is None:
            return None
        before = row.summary
        after, troubles = before, []
        if self._soundings is not None and before.audio is not None and before.loudness is None:
            try:
                after = replace(
                    after, loudness=_loudness(self._soundings.of(folder / before.audio, cancelled=cancelled))
                )
            except Problem as problem:
                if problem.kind is ProblemKind.CANCELLED:
                    return None
                troubles.append(problem.sentence)
        try:
            after = self._with_score(folder, after)
        except Problem as problem:
            troubles.append(problem.sentence)
        after = replace(after, damage=(*before.damage, *(one for one in troubles if one not in before.damage)))
        if after == before:
            return None
        # A star may have been set meanwhile, through another connection.
        row = self._store.get(folder) or row
        after = replace(
            row.summary,
            loudness=after.loudness,
            score_errors=after.score_errors,
            unsung=after.unsung,
            damage=after.damage,
        )
        self._store.put(replace(row, summary=after))
        return ScanStep(Change.MEASURED, folder, after, " ".join(troubles))

    def _with_score(self, folder: Path, summary: TakeSummary) -> TakeSummary:
        """The summary with what its score says, where that is not known; Problem where the score cannot be read."""
        counts = self._count_errors is not None and summary.score_errors is None
        times = self._time_sections is not None and summary.song_truncated and summary.unsung is None
        if not summary.has_score or not (counts or times):
            return summary
        text = decode_utf8(read_file(folder / SCORE), folder / SCORE, "score")
        if counts and self._count_errors is not None:
            summary = replace(summary, score_errors=self._count_errors(text))
        if times and self._time_sections is not None and summary.seconds is not None:
            missing = unsung(self._time_sections(text), summary.seconds)
            summary = replace(summary, unsung="" if missing is None else missing.sentence)
        return summary


_WATCHED: Final = (*SUMMARISED, JOURNAL)


def _states(folder: Path) -> dict[str, list[int]]:
    states = {}
    for name in _WATCHED:
        try:
            found = os.lstat(folder / name)
        except OSError:
            continue
        # The journal changes with every token; that it is there is all that a summary says of it.
        states[name] = [0, 0] if name == JOURNAL else [found.st_size, found.st_mtime_ns]
    return states


def _plain(files: FileStates) -> dict[str, list[int]]:
    return {name: list(state) for name, state in files.items()}


def _loudness(sounding: Sounding) -> Loudness:
    silent = sounding.peak_dbfs == float("-inf")
    return Loudness(
        peak_dbfs=None if silent else sounding.peak_dbfs,
        clipped=sounding.clipped,
        tail_silence_s=sounding.tail_silence_s,
        silent_tail=sounding.silent_tail,
    )
