"""Syllables under notes."""

from __future__ import annotations

import pytest

from yue2_desktop.score.export.syllables import syllables


@pytest.mark.parametrize(
    ("lyrics", "language", "expected"),
    [
        ("Twinkle twinkle", "en", [("Twin", "begin"), ("kle", "end"), ("twin", "begin"), ("kle", "end")]),
        ("[Verse]\nstar,\n[Chorus]\n(oh)", "en", [("star,", "single"), ("(oh)", "single")]),
        ("小星星。", "zh", [("小", "single"), ("星", "single"), ("星。", "single")]),
        ("love爱you", "en", [("love", "single"), ("爱", "single"), ("you", "single")]),
        ("remember", "en_US", [("re", "begin"), ("mem", "middle"), ("ber", "end")]),
        ("Sterne", "de", [("Ster", "begin"), ("ne", "end")]),
        ("— wait", "en", [("wait", "single")]),
        ("remember", "xx", [("remember", "single")]),
        ("", None, []),
    ],
)
def test_words_are_cut(lyrics: str, language: str | None, expected: list[tuple[str, str]]) -> None:
    assert [(one.text, one.syllabic) for one in syllables(lyrics, language)] == expected
