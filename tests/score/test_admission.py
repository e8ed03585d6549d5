"""Which scores may be sung (the issue's item 8; user-reports.md, row 96)."""

from __future__ import annotations

import pytest

from tests.score.samples import GOOD, MALFORMED, song
from yue2_desktop.score.admission import Judgement, admit, is_of_a_judgement, judge_model_score
from yue2_desktop.song.errors import Problem, ProblemKind


def refusal(text: str, cot: str = "full", *, allow_bad: bool = False) -> Problem:
    with pytest.raises(Problem) as caught:
        admit(text, cot, allow_bad=allow_bad)
    assert caught.value.kind is ProblemKind.BAD_SCORE
    return caught.value


@pytest.mark.parametrize("name", [name for name in GOOD if "full" in name])
def test_good_scores_are_admitted_without_a_word(name: str) -> None:
    admission = admit(GOOD[name], "full")
    assert (admission.text, admission.notes, admission.errors) == (GOOD[name], (), 0)


def test_a_melody_for_melody_too() -> None:
    assert admit(GOOD["02_melody_ode"], "melody").notes == ()


def test_errors_are_refused_with_their_places_and_the_cure() -> None:
    problem = refusal(MALFORMED["20_bad_barlen"])
    assert problem.sentence == (
        "The score has 2 errors: line 16, column 13: Bar 4 of Vocal lasts 7/2 quarter notes; the meter 4/4 needs 4. "
        "line 16, column 26: Bar 5 of Vocal lasts 9/2 quarter notes; the meter 4/4 needs 4. Mend the score "
        "('yue2-desktop score check' shows all), or give --allow-bad-score to sing it as it is."
    )
    assert problem.data == {"errors": 2, "line": 16, "column": 13, "codes": ["bar-length", "bar-length"]}
    assert problem.is_users_mistake


def test_many_errors_are_counted() -> None:
    assert "And 5 more errors." in refusal(MALFORMED["21_bad_noheaders"]).sentence


def test_errors_may_be_allowed_and_are_said() -> None:
    admission = admit(MALFORMED["20_bad_barlen"], "full", allow_bad=True)
    assert admission.text == MALFORMED["20_bad_barlen"]
    assert admission.errors == 2
    assert admission.notes[0].startswith("The score has 2 errors, which you allowed; first, line 16, column 13: ")


def test_an_empty_score_is_refused_even_so() -> None:
    assert "The score is empty." in refusal("", allow_bad=True).sentence
    assert "The score is empty." in refusal("\ufeff\r\n", allow_bad=True).sentence


def test_what_was_normalised_is_said_and_no_error() -> None:
    admission = admit(MALFORMED["30_bad_crlf_bom"], "full")
    assert admission.text == GOOD["01_full_twinkle"]
    assert len(admission.notes) == 2
    assert admission.diagnostics == ()


def test_warnings_are_counted() -> None:
    assert admit(song().replace("% chorus", "% Strophe"), "full").notes == (
        "The score has 1 warning; 'yue2-desktop score check' shows them.",
    )


def test_chords_under_melody_are_said_with_the_flag() -> None:
    (note,) = admit(GOOD["01_full_twinkle"], "melody").notes
    assert note == (
        "The score has 25 chord symbols, but cot is melody, which is used to none; --cot full sings them as chords."
    )


def test_a_score_with_off_is_refused_with_the_flag() -> None:
    assert "use --cot full" in refusal(GOOD["01_full_twinkle"], "off", allow_bad=True).sentence


def test_foreign_abc_is_refused_with_the_offer() -> None:
    assert "import it" in refusal(MALFORMED["32_bad_foreign_abc"]).sentence


def test_a_whole_score_of_the_model_is_finished() -> None:
    assert judge_model_score(GOOD["01_full_twinkle"], truncated=False) == Judgement(0, 0, False, None, ())


def test_a_score_that_met_its_limit_is_unfinished_and_says_where_and_what_to_do() -> None:
    judged = judge_model_score(MALFORMED["24_bad_truncated"], truncated=True)
    assert (judged.errors, judged.unfinished, judged.line) == (1, True, 26)
    assert judged.sentences[0] == (
        "The score is unfinished: the model met its token limit. The score stops inside bar 13 of Vocal; the group "
        "from line 24 is not complete. Shorten the lyrics, raise the limit of the score with --abc-sampling, or give "
        "--allow-bad-score to sing it as it is."
    )


def test_the_limit_may_fall_on_the_end_of_a_group() -> None:
    judged = judge_model_score(GOOD["01_full_twinkle"], truncated=True)
    assert judged.unfinished
    assert "It stops at the end of a group." in judged.sentences[0]


def test_errors_of_the_model_are_counted_and_do_not_stop_it() -> None:
    judged = judge_model_score(MALFORMED["20_bad_barlen"], truncated=False)
    assert (judged.errors, judged.warnings, judged.unfinished) == (2, 0, False)
    (sentence,) = judged.sentences
    assert sentence == (
        "The model's score has 2 errors; first, line 16, column 13: Bar 4 of Vocal lasts 7/2 quarter notes; "
        "the meter 4/4 needs 4."
    )


def test_a_judgement_is_told_from_other_sentences() -> None:
    sentences = judge_model_score(MALFORMED["20_bad_barlen"], truncated=True).sentences
    assert [is_of_a_judgement(sentence) for sentence in sentences] == [True, True]
    assert not is_of_a_judgement("No progress for about 4 min: 3 of 8 tiles.")
