"""The library: takes found, kept, searched and marked; the index is a cache and nothing more."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from yue2_desktop.audio.measured import measured
from yue2_desktop.library.browsing import Order, Query
from yue2_desktop.library.index import Change, Library, ScanStep
from yue2_desktop.library.soundings import Soundings
from yue2_desktop.library.take_summary import Badge
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind


@pytest.fixture
def opened(tmp_path: Path):
    """Opens libraries on one index file and closes them after the test."""
    libraries: list[Library] = []

    def open_it(**options: object) -> Library:
        libraries.append(Library.open(tmp_path / "cache" / "library.sqlite", **options))
        return libraries[-1]

    yield open_it
    for library in libraries:
        library.close()


@pytest.fixture(scope="module")
def made(make_song, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three takes of two songs at different depths, made once: every file of a take is flushed to the disk."""
    root = tmp_path_factory.mktemp("made")
    make_song(style="Folk, guitar", lyrics="[Verse]\nШёл дождь\n", seed=3).finish(
        root / "Дождь" / "take 1", song=SongOfTake("rain", "Дождь", 1)
    )
    make_song(style="folk, piano", lyrics="[Verse]\nStraße\n", seed=2).finish(
        root / "Дождь" / "take 2", song=SongOfTake("rain", "Дождь", 2)
    )
    make_song(style="techno", lyrics="[Verse]\n雨が降る\n", seed=1, cot="off").finish(root / "club")
    return root


@pytest.fixture
def takes(made: Path, tmp_path: Path) -> Path:
    """An output folder with those takes."""
    return Path(shutil.copytree(made, tmp_path / "Music" / "Песни"))


def scanned(library: Library, *roots: Path) -> dict[str, Change]:
    return {step.folder.name: step.change for step in library.scan(roots)}


def names(library: Library, **query: object) -> list[str]:
    return [take.folder.name for take in library.takes(Query(**{"order": Order.SEED, "descending": False, **query}))]


def test_takes_are_found_once(opened, takes: Path) -> None:
    library = opened()
    assert scanned(library, takes) == dict.fromkeys(["take 1", "take 2", "club"], Change.NEW)
    assert names(library) == ["club", "take 2", "take 1"]
    assert scanned(library, takes) == dict.fromkeys(["take 1", "take 2", "club"], Change.SAME)
    assert [take.folder for take in library.takes(Query(song="rain", order=Order.SEED))] == [
        takes / "Дождь" / "take 1", takes / "Дождь" / "take 2",
    ]  # fmt: skip


def test_what_a_scan_reads_again_is_what_changed(opened, takes: Path, make_song) -> None:
    library = opened()
    scanned(library, takes)
    (takes / "club" / "marks.json").write_text('{"schema": 1, "note": "loud"}', encoding="utf-8")
    shutil.rmtree(takes / "Дождь" / "take 1")
    make_song().finish(takes / "new")
    assert scanned(library, takes) == {
        "club": Change.CHANGED, "take 1": Change.GONE, "take 2": Change.SAME, "new": Change.NEW,
    }  # fmt: skip
    assert names(library, text="loud") == ["club"]


def test_the_index_is_a_cache(opened, takes: Path, tmp_path: Path) -> None:
    library = opened()
    scanned(library, takes)
    library.mark(takes / "club", star=True, note="nur das")
    before = library.takes()
    library.close()
    shutil.rmtree(tmp_path / "cache")
    again = opened()
    assert again.takes() == ()
    scanned(again, takes)
    assert again.takes() == before


@pytest.mark.parametrize("data", [b"not a database at all, " * 100, b"\x00" * 4096])
def test_a_damaged_index_is_begun_anew(
    opened, takes: Path, tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "library.sqlite").write_bytes(data)
    with caplog.at_level(logging.WARNING):
        library = opened()
    assert "is begun anew" in caplog.text
    scanned(library, takes)
    assert len(library.takes()) == 3


def test_an_index_of_another_version_is_begun_anew(opened, takes: Path, tmp_path: Path) -> None:
    library = opened()
    scanned(library, takes)
    library.close()
    with sqlite3.connect(tmp_path / "cache" / "library.sqlite") as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    assert opened().takes() == ()


@pytest.mark.parametrize(("column", "left"), [("summary", 2), ("files", 3)])
def test_a_damaged_row_is_read_again_from_its_folder(
    opened, takes: Path, tmp_path: Path, column: str, left: int
) -> None:
    library = opened()
    scanned(library, takes)
    with sqlite3.connect(tmp_path / "cache" / "library.sqlite") as connection:
        connection.execute(f"update take set {column} = '{{' where instr(words, 'techno')")
    connection.close()
    assert len(library.takes()) == left
    assert scanned(library, takes)["club"] is Change.NEW
    assert len(library.takes()) == 3


def test_an_index_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Problem, match=r"library\.sqlite could not be written"):
        Library.open(tmp_path / "file" / "library.sqlite")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"text": "дождь"}, ["take 2", "take 1"]),
        ({"text": "ШЁЛ  folk"}, ["take 1"]),
        ({"text": "strasse"}, ["take 2"]),
        ({"text": "雨が"}, ["club"]),
        ({"text": "ＴＥＣＨＮＯ"}, ["club"]),
        ({"text": "folk techno"}, []),
        ({"text": "%"}, []),
        ({"text": "' or 1=1 --"}, []),
        ({"song": "rain"}, ["take 2", "take 1"]),
        ({"song": "none"}, []),
        ({"cot": "off"}, ["club"]),
        ({"mode": "bf16"}, ["club", "take 2", "take 1"]),
        ({"badges": frozenset({Badge.DRAFT})}, ["club", "take 2", "take 1"]),
        ({"badges": frozenset({Badge.DRAFT, Badge.RESUMED})}, []),
        ({"starred": True}, ["take 2"]),
        ({"text": "nur das"}, ["take 2"]),
        ({"finished": True}, ["club", "take 2", "take 1"]),
    ],
)
def test_searching(opened, takes: Path, query: dict, found: list[str]) -> None:
    library = opened()
    scanned(library, takes)
    library.mark(takes / "Дождь" / "take 2", star=True, note="Nur das Ende")
    assert names(library, **query) == found


def test_sorting(opened, takes: Path) -> None:
    for number, name in enumerate(("club", "Дождь/take 1", "Дождь/take 2")):
        path = takes / name / "take.json"
        values = json.loads(path.read_text(encoding="utf-8"))
        values["created"] = f"2026-09-1{number}T00:00:00+00:00"
        path.write_text(json.dumps(values), encoding="utf-8")
    library = opened()
    scanned(library, takes)
    library.mark(takes / "club", star=True)
    assert names(library, order=Order.DATE) == ["club", "take 1", "take 2"]
    assert names(library, order=Order.DATE, descending=True) == ["take 2", "take 1", "club"]
    assert names(library, order=Order.STAR, descending=True) == ["club", "take 2", "take 1"]
    assert names(library, order=Order.SEED, descending=True) == ["take 1", "take 2", "club"]
    assert names(library, order=Order.TITLE) == ["club", "take 2", "take 1"]
    assert names(library, order=Order.LENGTH, descending=True) == ["take 2", "take 1", "club"]


def test_marks_go_into_the_folder_and_move_with_it(opened, takes: Path) -> None:
    library = opened()
    scanned(library, takes)
    marked = library.mark(takes / "club", star=True)
    assert marked is not None
    assert marked.star
    noted = library.mark(takes / "club", note="low")
    assert noted is not None
    assert (noted.star, noted.note) == (True, "low")
    (takes / "club").rename(takes / "moved")
    assert scanned(library, takes)["moved"] is Change.NEW
    assert [(take.folder.name, take.note) for take in library.takes(Query(starred=True))] == [("moved", "low")]


def test_one_take_is_looked_at_again(opened, takes: Path, song) -> None:
    library = opened()
    writer = song.create(takes / "new")
    begun = library.update(takes / "new")
    assert begun is not None
    assert Badge.UNFINISHED in begun.badges
    shutil.rmtree(writer.folder)
    assert library.update(takes / "new") is None
    assert library.takes() == ()


def test_forgetting_touches_no_file(opened, takes: Path) -> None:
    library = opened()
    scanned(library, takes)
    library.forget(takes / "club")
    assert names(library) == ["take 2", "take 1"]
    assert (takes / "club" / "audio.flac").is_file()


def test_sounds_and_scores_are_measured_after_everything_was_found(opened, takes: Path, tmp_path: Path) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return 2

    library = opened(soundings=Soundings(tmp_path / "waves", measured), count_errors=count)
    steps = list(library.scan([takes]))
    assert [step.change for step in steps] == [Change.NEW] * 3 + [Change.MEASURED] * 3
    assert len(counted) == 2, "the take without a score has nothing to count"
    found = {take.folder.name: take for take in library.takes()}
    assert found["take 1"].score_errors == 2
    assert Badge.BAD_SCORE in found["take 1"].badges
    assert found["club"].score_errors is None
    loudness = found["club"].loudness
    assert loudness is not None
    assert -0.01 < (loudness.peak_dbfs or -99) <= 0.0
    # A mark changes the row, but neither sound nor score, so nothing is measured again.
    library.mark(takes / "Дождь" / "take 1", star=True)
    assert [step.change for step in library.scan([takes])] == [Change.SAME] * 3
    assert len(counted) == 2
    # An edited score is counted again.
    (takes / "Дождь" / "take 1" / "score.abc").write_text("X:1\nK:G\n|G|", encoding="utf-8")
    assert [step.change for step in library.scan([takes])].count(Change.MEASURED) == 1
    assert counted[-1] == "X:1\nK:G\n|G|"


def test_a_sound_that_cannot_be_read_is_said(opened, takes: Path, tmp_path: Path) -> None:
    (takes / "club" / "audio.flac").write_bytes(b"no sound")
    library = opened(soundings=Soundings(tmp_path / "waves", measured))
    (step,) = [step for step in library.scan([takes]) if step.sentence]
    assert step.folder.name == "club"
    assert "audio.flac is not a readable FLAC or WAV file" in step.sentence
    assert step.summary is not None
    assert Badge.DAMAGED in step.summary.badges
    assert not [step for step in library.scan([takes]) if step.change is not Change.SAME]


def test_a_scan_can_be_left_at_any_step(opened, takes: Path, tmp_path: Path) -> None:
    library = opened(soundings=Soundings(tmp_path / "waves", measured))
    scan = library.scan([takes])
    next(scan)
    scan.close()
    assert len(library.takes()) == 1
    assert scanned(library, takes)


def test_a_cancelled_scan_drops_nothing(opened, takes: Path) -> None:
    library = opened()
    scanned(library, takes)
    steps = list(library.scan([takes], cancelled=lambda: True))
    assert len(steps) == 1
    assert len(library.takes()) == 3


def test_cancelled_while_measuring(opened, takes: Path, tmp_path: Path) -> None:
    library = opened(soundings=Soundings(tmp_path / "waves", measured))
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) == 5  # three takes looked at, then before the first sound and within it

    assert {step.change for step in library.scan([takes], cancelled=cancelled)} >= {Change.NEW}
    assert any(take.loudness is None for take in library.takes())


def test_folders_that_cannot_be_looked_into(opened, takes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def scandir(folder: Path) -> object:
        if Path(folder).name == "Дождь":
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    steps = list(opened().scan([takes]))
    assert [(step.folder.name, step.change) for step in steps] == [
        ("club", Change.NEW), ("Дождь", Change.UNREADABLE),
    ]  # fmt: skip
    assert "cannot be looked into for takes (Permission denied)" in steps[1].sentence


def test_links_dots_and_depth(opened, takes: Path, song, link: Callable[[Path, Path], None], tmp_path: Path) -> None:
    song.finish(takes / ".Trash-1000" / "files" / "old")
    song.finish(takes / "1" / "2" / "3" / "4" / "deep")
    song.finish(takes / "1" / "2" / "3" / "within")
    link(takes / "loop", takes)
    found = {step.folder.name for step in opened().scan([takes, takes, tmp_path / "not there"])}
    assert found == {"take 1", "take 2", "club", "within"}


def test_two_libraries_on_one_index(opened, takes: Path) -> None:
    window, worker = opened(), opened()
    steps: list[ScanStep] = []
    for step in worker.scan([takes]):
        steps.append(step)
        assert len(window.takes()) == len(steps)


def test_an_index_that_breaks_under_way(opened, takes: Path) -> None:
    library = opened()
    library.close()
    with pytest.raises(Problem, match="is made anew from the takes") as caught:
        library.takes()
    assert caught.value.kind is ProblemKind.BAD_FILE
