"""The open song: its steps, how typing merges, and the star."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.project_file import Project
from yue2_desktop.ui.session import MERGE_PAUSE_S, SongSession


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(qapp: object, clock: Clock) -> SongSession:
    return SongSession(clock=clock)


def typed(session: SongSession, lyrics: str, merge: str | None = "lyrics") -> None:
    session.apply("Typing", replace(session.document, lyrics=lyrics), merge)


def test_typing_is_one_step_until_a_pause(timed: SongSession, clock: Clock) -> None:
    for text in ("a", "ab", "abc"):
        typed(timed, text)
        clock.now += MERGE_PAUSE_S / 2
    clock.now += MERGE_PAUSE_S
    typed(timed, "abcd")
    assert timed.undo_stack.count() == 2
    timed.undo_stack.undo()
    assert timed.document.lyrics == "abc"
    timed.undo_stack.undo()
    assert timed.document.lyrics == ""
    timed.undo_stack.redo()
    assert timed.document.lyrics == "abc"


def test_one_history_over_style_and_lyrics(timed: SongSession) -> None:
    typed(timed, "words")
    timed.apply("Style", replace(timed.document, style="folk"), "style")
    typed(timed, "words and more")
    assert timed.undo_stack.count() == 3
    timed.undo_stack.undo()
    timed.undo_stack.undo()
    assert (timed.document.style, timed.document.lyrics) == ("", "words")


def test_steps_without_a_key_never_merge(timed: SongSession) -> None:
    typed(timed, "a", None)
    typed(timed, "b", None)
    assert timed.undo_stack.count() == 2


def test_nothing_changed_is_no_step(timed: SongSession) -> None:
    timed.apply("Nothing", timed.document)
    assert timed.undo_stack.count() == 0


def test_typing_back_to_the_beginning_leaves_no_step(timed: SongSession) -> None:
    typed(timed, "a")
    typed(timed, "")
    assert timed.undo_stack.count() == 0
    assert not timed.is_modified


def test_star_follows_the_content(timed: SongSession, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(timed.saved_changed):
        typed(timed, "a")
    assert timed.is_modified
    with qtbot.waitSignal(timed.saved_changed):
        timed.mark_saved(Project(timed.document, tmp_path / "a.yue2song", "mark"))
    assert not timed.is_modified
    assert timed.path == tmp_path / "a.yue2song"
    with qtbot.waitSignal(timed.saved_changed):
        timed.undo_stack.undo()
    assert timed.is_modified


def test_an_amendment_outlives_an_undo(timed: SongSession) -> None:
    typed(timed, "a")
    timed.amend(timed.document.after_queueing(41, 2))
    seed = timed.document.seed
    assert timed.undo_stack.count() == 1
    timed.undo_stack.undo()
    assert timed.document.seed == seed
    assert timed.document.lyrics == ""


def test_loading_begins_a_new_history(timed: SongSession, qtbot: QtBot, tmp_path: Path) -> None:
    typed(timed, "a")
    other = SongDocument(title="Other")
    with qtbot.waitSignals([timed.document_loaded, timed.changed, timed.saved_changed]):
        timed.load(other, tmp_path / "o.yue2song", mark="m")
    assert (timed.document, timed.mark, timed.undo_stack.count()) == (other, "m", 0)
    assert not timed.is_modified


def test_a_song_brought_back_is_not_saved(timed: SongSession) -> None:
    timed.load(SongDocument(title="Back"), is_saved=False)
    assert timed.is_modified


def test_a_seed_that_moved_on_by_itself_is_no_change_of_a_song_with_a_file(timed: SongSession, tmp_path: Path) -> None:
    def queue(count: int = 1) -> None:
        timed.amend(timed.document.after_queueing(timed.document.seed.value, count))

    timed.load(SongDocument(title="Ferry"), None)
    queue()
    assert timed.is_modified, "a song without a file: its takes are worth a file"
    timed.load(SongDocument(title="Ferry"), tmp_path / "ferry.yue2song")
    for _ in range(3):
        queue(2)
        assert not timed.is_modified
        assert timed.has_moved_seed
    typed(timed, "words")
    assert timed.is_modified
    timed.undo_stack.undo()
    assert not timed.is_modified
    timed.mark_saved(Project(timed.document, tmp_path / "ferry.yue2song", "m"))
    assert not timed.has_moved_seed


def test_a_seed_that_was_typed_is_a_change(timed: SongSession, tmp_path: Path) -> None:
    timed.load(SongDocument(title="Ferry"), tmp_path / "ferry.yue2song")
    timed.apply("Seed", replace(timed.document, seed=replace(timed.document.seed, value=7)))
    assert timed.is_modified
    timed.amend(timed.document.after_queueing(7, 1))
    assert timed.is_modified
    assert not timed.has_moved_seed
