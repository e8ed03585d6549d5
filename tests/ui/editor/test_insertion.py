"""Where a section's tag goes, and how it is numbered."""

from __future__ import annotations

import pytest

from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.ui.editor.insertion import COMMON, OTHERS, insertion_of, tag_label


def inserted(text: str, name: str) -> str:
    """`|` is the cursor; in the result, too."""
    at = text.index("|")
    text = text.replace("|", "")
    new = insertion_of(read_lyrics(text), name, at)
    return f"{text[: new.start]}{new.text}|{text[new.end :]}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("|", "[Chorus]\n|"),
        ("one\n|", "one\n\n[Chorus]\n|"),
        ("one\n\n|", "one\n\n[Chorus]\n|"),
        ("one|", "one\n\n[Chorus]\n|"),
        ("o|ne\ntwo", "one\n\n[Chorus]|\ntwo"),
        ("|one\ntwo", "one\n\n[Chorus]|\ntwo"),
        ("one\n|\ntwo", "one\n\n[Chorus]|\ntwo"),
        ("one\n\n|\ntwo", "one\n\n[Chorus]|\ntwo"),
        ("🤣|", "🤣\n\n[Chorus]\n|"),
    ],
)
def test_a_tag_never_parts_a_line(before: str, after: str) -> None:
    assert inserted(before, "Chorus") == after


@pytest.mark.parametrize(
    ("lyrics", "label"),
    [
        ("", "Verse"),
        ("[Verse]\na", "Verse 2"),
        ("[Verse 1]\na", "Verse 2"),
        ("[Verse 1]\na\n[Verse 4]\nb", "Verse 5"),
        ("[Verse]\na\n[Verse]\nb", "Verse 3"),
        ("[Chorus]\na", "Verse"),
    ],
)
def test_verses_count_up(lyrics: str, label: str) -> None:
    assert tag_label(read_lyrics(lyrics), "Verse") == label


@pytest.mark.parametrize("name", [*COMMON, *OTHERS])
def test_what_is_inserted_is_a_right_tag(name: str) -> None:
    outline = read_lyrics(insertion_of(read_lyrics(""), name, 0).text)
    assert [section.label for section in outline.sections] == [name]
    assert not outline.problems
