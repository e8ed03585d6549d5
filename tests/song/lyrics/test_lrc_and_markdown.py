"""Lyrics with times, and lyrics as Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.song.lyrics.lrc import is_lrc, read_lrc
from yue2_desktop.song.lyrics.lyric_file import lyrics_from
from yue2_desktop.song.lyrics.markdown import read_markdown

LRC = """[ti:月亮 Moon]
[ar:Nobody]
[offset:+250]

[00:01.00]
[00:12.50]Walking <00:13.10>down <00:14.00>the street
[00:20.00][01:20.00]Slow, sing it slow
[00:30]Let the day come in
spoken, no time
[01:30.123]Before we go
"""


def test_times_go_and_repeated_lines_stand_as_often_as_they_are_sung() -> None:
    found = read_lrc(LRC)
    assert found.title == "月亮 Moon"
    assert found.text.split("\n") == [
        "Walking down the street",
        "Slow, sing it slow",
        "Let the day come in",
        "spoken, no time",
        "Slow, sing it slow",
        "Before we go",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "timed"),
    [(LRC, True), ("[Verse]\nla la\n", False), ("[00:01.00]la\n[Chorus]\nlo", False), ("", False), ("[ti:x]", False)],
)
def test_what_has_times(text: str, timed: bool) -> None:
    assert is_lrc(text) == timed


def test_tags_between_times_stay() -> None:
    assert read_lrc("[00:01.00][Verse]\n[00:02.00]la").text == "[Verse]\nla\n"
    assert read_lrc("").text == ""


def test_times_in_a_text_file_go_too() -> None:
    found = lyrics_from(LRC.encode("gbk"), Path("song.txt"))
    assert found.lyrics.title == "月亮 Moon"
    assert "00:" not in found.lyrics.text


MARKDOWN = """---
title: "The Last Train"
style: German, synth pop
---

# Something else

## Verse 1

Die *letzte* Bahn fährt **ohne** mich\\
> Der Regen schreibt ein_leises Lied

---

**Chorus:**
- Bleib noch wach
- Bleib noch `wach`

### Notes for the drummer
## Припев (тихо)
Wir zählen [Sterne](https://example.org)
"""


def test_headings_become_sections() -> None:
    found = read_markdown(MARKDOWN)
    assert (found.title, found.style) == ("The Last Train", "German, synth pop")
    assert [line for line in found.text.split("\n") if line] == [
        "# Something else",
        "[Verse 1]",
        "Die letzte Bahn fährt ohne mich",
        "Der Regen schreibt ein_leises Lied",
        "[Chorus]",
        "Bleib noch wach",
        "Bleib noch wach",
        "# Notes for the drummer",
        "[Chorus: тихо]",
        "Wir zählen Sterne",
    ]


def test_the_first_heading_is_the_title_where_nothing_else_gives_one() -> None:
    found = read_markdown("# Salt and Rope\r\n\r\n## Chorus\r\nRoll me home\r\n")
    assert found.title == "Salt and Rope"
    assert found.text == "[Chorus]\nRoll me home\n"


def test_plain_lyrics_are_fine_markdown() -> None:
    text = "[Verse]\nwe walk (ooh)\n\n[Chorus]\nla la\n"
    assert read_markdown(text).text == text
    assert lyrics_from(text.encode("utf-8"), Path("a.md")).lyrics.text == text
