"""What is put right before the model sees a supplied score (spec/abc.md, section 7, row 11)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.samples import GOOD, MALFORMED, song
from yue2_desktop.score.normalise import normalise
from yue2_desktop.score.parser import HARD_SPACES, parse


def test_windows_text_becomes_the_text_it_was() -> None:
    found = normalise(MALFORMED["30_bad_crlf_bom"])
    assert found.text == GOOD["01_full_twinkle"]
    assert found.notes == ("A byte order mark was removed.", "33 line ends of Windows became line feeds.")


def test_hard_spaces_become_spaces_in_fields_and_nothing_in_music() -> None:
    text = song("c8\u00a0c8|").replace("V: Ins\nZ", "V:\u00a0Ins\nZ").replace("% chorus", "%\u202fchorus\u00a0")
    found = normalise(text)
    assert found.text == song("c8c8|")
    assert found.notes == ("5 hard spaces were replaced or removed.",)


def test_lone_carriage_returns() -> None:
    assert normalise(song().replace("\n", "\r")).text == song()
    assert normalise("X:1\rK:C").notes == ("1 line end of Windows became line feeds.",)


def test_good_scores_stay_as_they_are_and_nothing_is_said() -> None:
    for text in GOOD.values():
        assert normalise(text).text is text
        assert normalise(text).notes == ()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(alphabet="ab%:|\r\n \ufeff" + HARD_SPACES, max_size=40))
def test_nothing_is_left_to_be_normalised(text: str) -> None:
    found = normalise(text)
    assert not set(found.text) & {"\r", "\ufeff", *HARD_SPACES}
    assert normalise(found.text) == type(found)(found.text, ())
    assert bool(found.notes) == (found.text != text)


def test_a_hard_space_is_an_error_for_the_parser_and_none_after() -> None:
    text = song("c8\u3000c8|")
    assert parse(text).errors
    assert parse(normalise(text).text).diagnostics == ()
