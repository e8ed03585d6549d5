"""The takes in the list and the library behind it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import song, take_of
from yue2_desktop import paths
from yue2_desktop.library.browsing import Order
from yue2_desktop.library.take_summary import Badge
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.ui.player.playable import Playable
from yue2_desktop.ui.shelf import Shelf
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import Scope, TakeRow
from yue2_desktop.ui.window import _focus


@pytest.fixture
def ferry() -> SongDocument:
    return song(cot="off")


@pytest.fixture
def folder(tmp_path: Path, ferry: SongDocument) -> Path:
    take_of(ferry, tmp_path / "Ferry" / "one", 1)
    take_of(ferry, tmp_path / "Ferry" / "two", 2)
    return tmp_path


@pytest.fixture
def shelf(qtbot: QtBot, folder: Path, ferry: SongDocument) -> Iterator[tuple[Shelf, TakesPanel]]:
    panel = TakesPanel()
    qtbot.addWidget(panel)
    panel.set_song(ferry.id)
    made = Shelf(panel, Settings(output_folder=folder))
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 2)
    yield made, panel
    made.close()
    panel.stop()


def rows(panel: TakesPanel) -> list[TakeRow]:
    return [row for row in panel.model.rows if isinstance(row, TakeRow)]


def test_takes_are_listed(shelf: tuple[Shelf, TakesPanel]) -> None:
    assert {row.take.seed for row in rows(shelf[1])} == {1, 2}


def test_a_star_is_kept_in_the_take(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    _, panel = shelf
    first = rows(panel)[0].folder
    panel.star_toggled.emit(str(first))
    qtbot.waitUntil(lambda: [row.take.star for row in rows(panel) if row.folder == first] == [True])
    panel.star_toggled.emit(str(first))
    qtbot.waitUntil(lambda: [row.take.star for row in rows(panel) if row.folder == first] == [False])


def test_a_note_is_kept_in_the_take(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    _, panel = shelf
    first = rows(panel)[0].folder
    panel.note_changed.emit(str(first), "the good one")
    qtbot.waitUntil(lambda: [row.take.note for row in rows(panel) if row.folder == first] == ["the good one"])


def test_where_nothing_can_be_kept_it_is_told_and_nothing_is_waited_for(
    qtbot: QtBot, folder: Path, ferry: SongDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home that cannot be written."""
    (folder / "a file").write_text("where a folder should be", encoding="utf-8")
    monkeypatch.setattr(paths, "data_folder", lambda: folder / "a file" / "data")
    panel = TakesPanel()
    qtbot.addWidget(panel)
    panel.set_song(ferry.id)
    made = Shelf(panel, Settings(output_folder=folder))
    wrong: list[str] = []
    made.went_wrong.connect(wrong.append)
    try:
        made.look()
        assert "Looking" in panel.empty.text
        qtbot.waitUntil(lambda: "Looking" not in panel.empty.text, timeout=10_000)
        assert str(folder / "a file" / "data") in wrong[0]
    finally:
        made.close()
        panel.stop()


def test_what_cannot_be_thrown_away_is_told(
    shelf: tuple[Shelf, TakesPanel], qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made, panel = shelf
    with qtbot.waitSignal(made.went_wrong):
        panel.trash_requested.emit(str(tmp_path_factory.mktemp("elsewhere")))
    assert len(rows(panel)) == 2


def test_settings_are_taken_up_from_a_take(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    made, panel = shelf
    with qtbot.waitSignal(made.song_wanted) as heard:
        panel.settings_requested.emit(str(rows(panel)[0].folder))
    assert heard.args == [rows(panel)[0].folder]


RATE = 48_000
FIRST, SECOND = GOOD["05_full_changes"], GOOD["10_full_long_104bars"]


def shelf_of(qtbot: QtBot, folder: Path, document: SongDocument) -> tuple[Shelf, TakesPanel]:
    """One with nothing looked for yet; close both."""
    panel = TakesPanel()
    qtbot.addWidget(panel)
    made = Shelf(panel, Settings(output_folder=folder))
    made.show_song(document)
    return made, panel


def test_waveforms_and_marks_of_sounds_come_beside_the_list(qtbot: QtBot, tmp_path: Path) -> None:
    """Row 85: silence at the end is a mark; a clipped sound is one, too."""
    document = song()
    sound = np.full((20 * RATE, 2), 1.0, np.float32)
    sound[8 * RATE :] = 0.0
    folder = take_of(document, tmp_path / "Ferry" / "one", 1, sound=sound, score=FIRST)
    made, panel = shelf_of(qtbot, tmp_path, document)
    heard: list[str] = []
    made.sounding_found.connect(lambda key, found: heard.append(key))
    made.look()
    qtbot.waitUntil(lambda: bool(rows(panel)) and Badge.TAIL_SILENCE in rows(panel)[0].take.badges, timeout=30_000)
    assert Badge.CLIPPED in rows(panel)[0].take.badges
    assert Badge.BAD_SCORE not in rows(panel)[0].take.badges
    assert heard == [str(folder)]
    assert panel.view.rows.soundings[str(folder)].seconds == 20.0
    # What was measured once is read again, also by the next start of the program.
    made.close()
    panel.stop()
    again, panel = shelf_of(qtbot, tmp_path, document)
    again.look()
    qtbot.waitUntil(lambda: str(folder) in panel.view.rows.soundings, timeout=30_000)
    assert Badge.TAIL_SILENCE in rows(panel)[0].take.badges
    again.close()
    panel.stop()


def test_row_75_a_song_that_was_cut_short_says_which_sections_it_leaves_out(qtbot: QtBot, tmp_path: Path) -> None:
    document = song()
    take_of(document, tmp_path / "Ferry" / "one", 1, score=SECOND, cut=True, sound=np.zeros((30 * RATE, 2), np.float32))
    made, panel = shelf_of(qtbot, tmp_path, document)
    made.look()
    qtbot.waitUntil(lambda: bool(rows(panel)) and bool(rows(panel)[0].take.unsung), timeout=30_000)
    assert Badge.TRUNCATED in rows(panel)[0].take.badges
    tip = panel.model.data(panel.model.index(0), Qt.ItemDataRole.ToolTipRole)
    assert "The song stops in" in tip
    assert "not sung: " in tip
    made.close()
    panel.stop()


def test_the_model_s_scores_of_a_song_are_plans_to_choose_from(qtbot: QtBot, tmp_path: Path) -> None:
    document, other = song(), song()
    first = take_of(document, tmp_path / "Ferry" / "1 plan", 1, score=FIRST, only_score=True)
    take_of(document, tmp_path / "Ferry" / "2 sung from it", 2, score=FIRST)
    second = take_of(document, tmp_path / "Ferry" / "3 another", 3, score=SECOND, only_score=True)
    take_of(other, tmp_path / "Other" / "plan", 4, score=SECOND, only_score=True)
    made, panel = shelf_of(qtbot, tmp_path, document)
    found: list[tuple[PlannedScore, ...]] = []
    made.plans_found.connect(found.append)
    made.look()
    qtbot.waitUntil(lambda: bool(found) and len(found[-1]) == 2)
    assert [plan.take for plan in found[-1]] == [str(first.resolve()), str(second.resolve())]
    assert [plan.seed for plan in found[-1]] == [1, 3]
    assert found[-1][1].text == SECOND
    assert found[-1][0].asked == document.asked
    made.close()
    panel.stop()


def test_a_take_is_played_with_the_sections_of_its_score(qtbot: QtBot, tmp_path: Path) -> None:
    document = song()
    folder = take_of(
        document, tmp_path / "Ferry" / "one", 1, score=FIRST, sound=np.full((60 * RATE, 2), 0.1, np.float32)
    )
    made, panel = shelf_of(qtbot, tmp_path, document)
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 1)
    with qtbot.waitSignal(made.sound_wanted) as heard:
        made.play(str(folder))
    sound: Playable = heard.args[0]
    assert (sound.key, sound.title) == (str(folder), "Ferry, take 1")
    assert len(sound.sections) > 1
    assert sound.sections[0].start == 0.0
    assert all(one.stop == pytest.approx(two.start) for one, two in pairwise(sound.sections))
    assert sound.sections[-1].stop <= 60.0
    made.close()
    panel.stop()


def test_a_star_that_is_set_while_a_take_is_measured_stays(qtbot: QtBot, tmp_path: Path) -> None:
    document = song()
    folder = take_of(document, tmp_path / "Ferry" / "one", 1, sound=np.zeros((60 * RATE, 2), np.float32))
    made, panel = shelf_of(qtbot, tmp_path, document)
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 1)
    panel.star_toggled.emit(str(folder))
    qtbot.waitUntil(lambda: str(folder) in panel.view.rows.soundings, timeout=30_000)
    qtbot.waitUntil(lambda: rows(panel)[0].take.star and rows(panel)[0].take.loudness is not None)
    panel.query_changed.emit(panel.query)
    qtbot.waitUntil(lambda: rows(panel)[0].take.star and rows(panel)[0].take.loudness is not None)
    made.close()
    panel.stop()


def test_row_86_a_song_too_short_for_its_words_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    words = "[Verse]\n" + "The ferry leaves at nine and nobody is waving from the pier\n" * 12
    document = song(lyrics=words)
    take_of(document, tmp_path / "Ferry" / "short", 1, sound=np.full((20 * RATE, 2), 0.1, np.float32))
    take_of(song(), tmp_path / "Other" / "fine", 1, sound=np.full((8 * RATE, 2), 0.1, np.float32))
    made, panel = shelf_of(qtbot, tmp_path, document)
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 1)
    tip = panel.model.data(panel.model.index(0), Qt.ItemDataRole.ToolTipRole)
    assert "some of the words may not be sung" in tip
    panel.header.scope.setCurrentIndex(1)
    qtbot.waitUntil(lambda: len(rows(panel)) == 2)
    assert [bool(row.take.words_doubt) for row in rows(panel)].count(True) == 1
    made.close()
    panel.stop()


def test_row_75_without_a_score_the_words_tell_what_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    line = "The ferry leaves at nine and nobody is waving\n"
    document = song(cot="off", lyrics="".join(f"[{name}]\n{line * 4}\n" for name in ("Verse", "Chorus", "Outro")))
    take_of(document, tmp_path / "Ferry" / "one", 1, cut=True, sound=np.full((8 * RATE, 2), 0.1, np.float32))
    made, panel = shelf_of(qtbot, tmp_path, document)
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 1)
    tip = panel.model.data(panel.model.index(0), Qt.ItemDataRole.ToolTipRole)
    assert "stops in [Verse] and does not reach [Chorus], [Outro]" in tip
    made.close()
    panel.stop()


def test_all_songs_are_searched_and_sorted(qtbot: QtBot, tmp_path: Path) -> None:
    ferry, bridge = song(), song(title="Bridge", lyrics="[Verse]\nStones across the water\n")
    for document, name, seed, seconds in (
        (ferry, "long", 1, 4.0), (ferry, "short", 2, 1.0), (bridge, "middle", 3, 2.0),
    ):  # fmt: skip
        sound = np.full((round(seconds * RATE), 2), 0.1, np.float32)
        take_of(document, tmp_path / document.title / name, seed, sound=sound)
    made, panel = shelf_of(qtbot, tmp_path, ferry)
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 2)
    header = panel.header
    header.scope.setCurrentIndex(header.scope.findData(Scope.ALL))
    qtbot.waitUntil(lambda: len(rows(panel)) == 3)
    header.order.setCurrentIndex(header.order.findData(Order.LENGTH))
    qtbot.waitUntil(lambda: [row.take.seed for row in rows(panel)] == [1, 3, 2])
    header.direction.setChecked(True)
    qtbot.waitUntil(lambda: [row.take.seed for row in rows(panel)] == [2, 3, 1])
    header.search.setText("STONES water")
    qtbot.waitUntil(lambda: [row.take.seed for row in rows(panel)] == [3])
    header.search.setText("seed of nobody")
    qtbot.waitUntil(lambda: rows(panel) == [])
    panel.empty.everything_wanted.emit()
    qtbot.waitUntil(lambda: len(rows(panel)) == 3)
    made.close()
    panel.stop()


def test_how_far_takes_are_counted_is_told(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot, ferry: SongDocument) -> None:
    """Also by takes that the list does not show."""
    made, panel = shelf
    panel.set_song("another")
    with qtbot.waitSignal(made.numbers_found) as heard:
        made.look()
    assert heard.args == [{ferry.id: 1}]


def test_takes_stay_in_sight_when_new_ones_go_elsewhere(
    shelf: tuple[Shelf, TakesPanel], folder: Path, ferry: SongDocument, qtbot: QtBot, tmp_path: Path
) -> None:
    made, panel = shelf
    take_of(ferry, tmp_path / "elsewhere" / "Ferry" / "three", 3)
    made.use(Settings(output_folder=folder / "Ferry").with_output_folder(tmp_path / "elsewhere"))
    qtbot.waitUntil(lambda: {row.take.seed for row in rows(panel)} == {1, 2, 3})


def test_an_empty_song_says_that_there_are_takes_of_others(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    made, panel = shelf
    panel.show()
    made.show_song(song(id="another"))
    qtbot.waitUntil(lambda: "(2)" in panel.empty._all.text())
    assert panel.empty._all.isVisible()
    panel.empty._all.click()
    qtbot.waitUntil(lambda: len(rows(panel)) == 2)


def test_the_keyboard_goes_to_the_list_not_to_its_filter(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    _, panel = shelf
    panel.show()
    panel.header.scope.setFocus()
    assert _focus(panel)
    assert panel.focusWidget() is panel.view
    panel.set_takes(())
    assert _focus(panel), "the first control, where nothing is listed"
    assert panel.focusWidget() is not None
