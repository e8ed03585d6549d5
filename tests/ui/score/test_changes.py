"""What is said of a score that was changed since its plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from yue2_desktop.score.editing.transpose import transpose
from yue2_desktop.score.parser import parse
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.ui.score.changes import changes_line

TEXT = (Path(__file__).parents[2] / "scores" / "05_full_changes.abc").read_text(encoding="utf-8")


def planned() -> SongDocument:
    document = SongDocument(style="pop", lyrics="[Verse]\nla")
    return document.with_plan(PlannedScore("t1", TEXT, document.asked, 41))


def line(document: SongDocument) -> str:
    assert document.score is not None
    return changes_line(document, parse(document.score.text))


def test_an_unchanged_plan_says_nothing() -> None:
    assert line(planned()) == ""


def test_tempo_and_bars() -> None:
    edited = planned().with_score_text(TEXT.replace("Q:1/4=120", "Q:1/4=96").replace("z8B8B8", "z8c8B8"))
    assert line(edited) == "Changed since the plan: tempo 120 to 96, 1 bar"
    assert line(edited.with_score_text(TEXT)) == ""


def test_stale_words_and_a_plan_that_was_cut() -> None:
    stale = replace(planned(), lyrics="[Verse]\nother")
    assert line(stale) == "The words were changed since it was written"
    document = SongDocument()
    cut = document.with_plan(PlannedScore("t1", TEXT, document.asked, 41, truncated=True))
    assert line(cut) == "As the model wrote it; it stopped before its end"


def test_another_mode_is_no_change_of_the_words() -> None:
    otherwise = "Score was set otherwise when it was written"
    assert line(replace(planned(), cot="melody")) == otherwise
    both = replace(planned(), cot="melody", lyrics="[Verse]\nother")
    assert line(both) == "The words were changed since it was written"


def test_an_import_names_its_file() -> None:
    assert line(SongDocument().with_imported_score(TEXT, "tune.mid")) == "From tune.mid"


def test_another_key_is_named_as_in_the_bar() -> None:
    moved = transpose(parse(TEXT), 2).apply(TEXT)
    assert line(planned().with_score_text(moved)) == "Changed since the plan: key E major to F♯ major, 12 bars"


def test_a_score_that_is_not_sung_says_so() -> None:
    """What is in view is what is sung, or else it says that it is not."""
    not_sung = "Not sung: the song is to be sung without a score"
    imported = SongDocument().with_imported_score(TEXT, "tune.mid")
    assert line(replace(imported, cot="off")) == f"{not_sung} · From tune.mid"
    assert line(replace(planned(), cot="off")) == not_sung, "no word was changed"
    assert line(replace(SongDocument().with_score_text(TEXT), cot="off")) == not_sung
    assert line(replace(imported, cot="melody")) == "From tune.mid"
