"""What words say before a render."""

from __future__ import annotations

from yue2_desktop.song.lyrics.length import length_of
from yue2_desktop.ui.editor.word_facts import clock, context_sentence, too_long, word_facts

WORDS = "[Verse]\nwalking down the silver road\n# slowly\n\n[Chorus]\nhold on, hold on to the light"


def test_syllables_by_line_and_a_length_to_five_seconds() -> None:
    facts = word_facts("English, folk, 92 BPM", WORDS)
    assert facts.syllables == {"walking down the silver road": 7, "hold on, hold on to the light": 7}
    seconds = length_of(WORDS, "English, folk, 92 BPM").expected_seconds
    assert facts.length_text == clock(round(seconds / 5) * 5)
    assert not facts.from_score
    assert facts.notices


def test_a_score_leaves_nothing_to_be_guessed() -> None:
    facts = word_facts("", WORDS, 158.2)
    assert (facts.length_text, facts.from_score) == ("2:38", True)


def test_limits_are_said_and_the_last_that_is_allowed_is_not() -> None:
    assert too_long("x" * 20_000) == ""
    assert too_long("x" * 20_001).startswith("Lyrics are 20,001 characters long and the limit is 20,000")
    assert too_long("x\n" * 499) == ""
    assert too_long("x\n" * 500).startswith("Lyrics have 500 lines and the limit is 499")


def test_room_in_the_context() -> None:
    assert context_sentence(20_480, 9_000, writes_score=True) == ""
    assert "1 tokens more" in context_sentence(20_481, 9_000, writes_score=True)
    assert context_sentence(20_481, 4_000, writes_score=False) == ""
    assert "tokens more" in context_sentence(20_481, 9_000, writes_score=False)
