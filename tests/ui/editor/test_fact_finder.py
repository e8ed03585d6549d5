"""What is found out about a song's words, beside the window."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.editor.fact_finder import FactFinder
from yue2_desktop.ui.editor.word_facts import WordFacts

SONG = SongDocument(style="English, 92 BPM", lyrics="[Verse]\n" + "walking down the silver road\n" * 40)


def test_a_score_that_is_not_sung_gives_no_length(qtbot: QtBot) -> None:
    finder = FactFinder()
    heard: list[WordFacts] = []
    finder.found.connect(heard.append)
    try:
        for document, from_score in ((SONG, True), (replace(SONG, cot="off"), False), (SONG, True)):
            finder.follow(document)
            finder.set_score_seconds(158.0)
            qtbot.waitUntil(lambda: bool(heard), timeout=10_000)
            assert heard.pop().from_score is from_score
            heard.clear()
    finally:
        finder.stop()
