"""The engraver: pages, layouts, threads, what cannot be."""

from __future__ import annotations

import threading

import pytest

from tests.score.samples import GOOD
from yue2_desktop.score.engraving import fonts
from yue2_desktop.score.engraving.engrave import Engraving, Layout, engrave
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem, ProblemKind

LONG = parse(GOOD["10_full_long_104bars"]).score


def test_pages_are_the_same_each_time() -> None:
    one, two = engrave(LONG), engrave(LONG)
    assert one.page(1).svg == two.page(1).svg
    assert one.page(1) is one.page(1)


def test_every_bar_is_on_one_page() -> None:
    engraving = engrave(LONG)
    pages = [engraving.page_of_bar(bar) for bar in range(104)]
    assert None not in pages
    assert pages == sorted(pages, key=lambda page: page or 0)
    assert set(pages) == set(range(engraving.page_count))
    assert engraving.page_of_bar(104) is None


@pytest.mark.parametrize("index", [-1, 99])
def test_other_pages_are_an_error(index: int) -> None:
    with pytest.raises(IndexError):
        engrave(LONG).page(index)


def test_the_engraver_works_in_any_thread() -> None:
    made: list[Engraving] = []
    thread = threading.Thread(target=lambda: made.append(engrave(LONG)))
    thread.start()
    thread.join()
    assert made[0].page(0).svg == engrave(LONG).page(0).svg


@pytest.mark.parametrize(
    "layout",
    [Layout(width=10), Layout(height=9999), Layout(staff=0.1), Layout(staff=9), Layout(margin=-1), Layout(margin=99)],
)
def test_impossible_layouts_are_errors(layout: Layout) -> None:
    with pytest.raises(ValueError, match="mm"):
        engrave(LONG, layout)


def test_a_wider_page_has_fewer_pages() -> None:
    assert engrave(LONG, Layout(width=420)).page_count < engrave(LONG).page_count


def test_without_the_engraver_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    fonts.data_folder.cache_clear()
    monkeypatch.setattr(fonts, "find_spec", lambda _: None)
    try:
        with pytest.raises(Problem, match="install YuE2 Desktop again") as caught:
            fonts.data_folder()
        assert caught.value.kind is ProblemKind.UNSUPPORTED
    finally:
        fonts.data_folder.cache_clear()
