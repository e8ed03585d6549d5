"""The song document: scores and where they come from, seeds, and what a render is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yue2_desktop.song.document import UNTITLED, SongDocument, changed_fields, new_id
from yue2_desktop.song.document_score import DocumentScore, PlannedScore, ScoreOrigin
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.lyrics.length import length_of
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.song.request import SEED_LIMIT, SongRequest
from yue2_desktop.song.seeds import SeedKind, SeedPolicy, fresh_seed

LYRICS = "[Verse]\n# slower?\nWalking down the empty street at night\nEvery window holds a little light\n"
SONG = SongDocument(id="song-1", style="English, folk, 92 BPM", lyrics=LYRICS)
ABC = "X:1\nT:\nM:4/4\n"


def planned(document: SongDocument, *, truncated: bool = False) -> SongDocument:
    return document.with_plan(PlannedScore("take 1", ABC, document.asked, 7, truncated))


def test_remarks_are_not_sung() -> None:
    (request,) = render_order(SONG, 7).requests
    assert request == SongRequest(
        style=SONG.style, lyrics=LYRICS.replace("# slower?\n", ""), cot="full", seed=7, abc=None, id="song-1"
    )


@pytest.mark.parametrize(
    ("style", "sung"),
    [("a, b", "a, b"), ("a,\nb\u200b", "a, b"), ("\n\n", ""), (" a ", " a "), ("a\r\n\r\nb,", "a, b")],
)
def test_the_style_goes_on_one_line(style: str, sung: str) -> None:
    assert replace(SONG, style=style).sung_style == sung


def test_a_plan_that_nothing_was_changed_of_is_sung_by_its_tokens() -> None:
    order = render_order(planned(SONG), 7)
    assert order.plan is not None
    assert order.plan.take == "take 1"
    assert order.requests[0].abc is None


@pytest.mark.parametrize("field", [{"lyrics": "[Verse]\nother words\n"}, {"style": "jazz"}, {"cot": "melody"}])
def test_a_stale_plan_is_sung_as_text_and_said(field: dict[str, str]) -> None:
    document = replace(planned(SONG), **field)  # type: ignore[arg-type]
    assert document.plan_is_stale
    order = render_order(document, 7)
    assert order.plan is None
    assert order.requests[0].abc == ABC
    assert any("changed since the score was written" in note for note in order.notes)


def test_a_remark_or_the_seed_makes_no_plan_stale() -> None:
    document = replace(planned(SONG), lyrics=LYRICS.replace("slower", "faster"), seed=SeedPolicy(value=99))
    assert document.reusable_plan is not None


def test_an_edited_score_is_sung_as_text_until_it_is_the_plan_again() -> None:
    edited = planned(SONG).with_score_text(ABC + "K:C\n")
    assert edited.score is not None
    assert edited.score.origin is ScoreOrigin.EDITED
    assert render_order(edited, 7).requests[0].abc == ABC + "K:C\n"
    for back in (edited.with_score_text(ABC), replace(edited, score=edited.score.reverted())):
        assert back == planned(SONG)
        assert back.reusable_plan is not None


def test_where_scores_come_from() -> None:
    written = SONG.with_score_text("X:1")
    assert written.score == DocumentScore("X:1", ScoreOrigin.WRITTEN)
    assert written.with_score_text("X:2").score == DocumentScore("X:2", ScoreOrigin.WRITTEN)
    assert replace(SONG, cot="off").with_score_text("X:1").cot == "full"
    assert replace(SONG, cot="melody").with_score_text("X:1").cot == "melody"
    assert replace(written, cot="off").with_score_text("X:2").cot == "off"  # that it is not sung was chosen
    imported = replace(SONG, cot="off").with_imported_score("X:1", "tune.mid")
    assert imported.cot == "full"
    assert imported.score == DocumentScore("X:1", ScoreOrigin.IMPORTED, source="tune.mid")
    changed = imported.with_score_text("X:2").score
    assert changed is not None
    assert (changed.origin, changed.source) == (ScoreOrigin.EDITED, "tune.mid")
    assert imported.with_score_text(" \n").score is None
    assert written.score.reverted() is written.score
    assert written.score.edited("X:1") is written.score


def test_off_uses_no_score_and_says_so() -> None:
    order = render_order(replace(planned(SONG), cot="off"), 7)
    assert order.plan is None
    assert order.requests[0].abc is None
    assert any("score is not used" in note for note in order.notes)


def test_row_96_a_truncated_plan_is_said() -> None:
    assert any("token limit" in note for note in render_order(planned(SONG, truncated=True), 7).notes)


def test_row_81_the_ceiling_comes_from_the_words() -> None:
    order = render_order(SONG, 7)
    assert order.semantic.max_tokens == length_of(SONG.sung_lyrics, SONG.style).ceiling_frames
    assert order.ceiling_seconds == order.semantic.max_tokens / 25
    assert not any("words of its own" in note for note in order.notes)
    longer = replace(SONG, render=RenderSettings(max_frames=9000))
    assert render_order(longer, 7).semantic.max_tokens == 9000
    assert any("words of its own" in note for note in render_order(longer, 7).notes)


def test_a_score_gives_the_ceiling() -> None:
    document = SONG.with_score_text(ABC)
    assert render_order(document, 7, score_seconds=100).semantic.max_tokens == 120 * 25
    assert render_order(replace(document, cot="off"), 7, score_seconds=100) == render_order(
        replace(document, cot="off"), 7
    )


def test_row_80_without_words_it_is_said_what_may_happen() -> None:
    order = render_order(replace(SONG, lyrics="# nothing yet\n", style="piano, female vocal"), 7)
    assert any("The lyrics are empty" in note for note in order.notes)
    assert any("may still sing" in note for note in order.notes)
    assert any('speaks of "female"' in note for note in order.notes)


def test_row_76_lost_tags_are_said_with_their_line() -> None:
    one = render_order(replace(SONG, lyrics="[Verse]\r\nla\r\n(Chorus)\r\nlo"), 7).notes
    assert any(note.startswith("One section tag is wrong; line 3: Only [Chorus]") for note in one)
    two = render_order(replace(SONG, lyrics="Verse:\nla\n(Chorus)\nlo"), 7).notes
    assert any(note.startswith("2 section tags are wrong; line 1: ") for note in two)


def test_a_short_ceiling_lowers_the_least_length_and_says_so() -> None:
    order = render_order(replace(SONG, render=RenderSettings(max_frames=50)), 7)
    assert (order.semantic.min_tokens, order.semantic.max_tokens) == (50, 50)
    assert any("lowered to 50" in note for note in order.notes)


def test_sampling_overrides_stand_over_the_defaults() -> None:
    document = replace(SONG, abc_sampling={"temperature": 0.5}, semantic_sampling={"top_k": 40, "max_tokens": 3000})
    order = render_order(document, 7)
    assert (order.abc.temperature, order.semantic.top_k, order.semantic.max_tokens) == (0.5, 40, 3000)
    with pytest.raises(Problem, match=r"max_frames is 2000 and semantic_sampling\.max_tokens 3000"):
        render_order(replace(document, render=RenderSettings(max_frames=2000)), 7)
    with pytest.raises(Problem, match="top_k"):
        render_order(replace(SONG, semantic_sampling={"top_k": 0}), 7)


def test_a_batch_counts_its_seeds() -> None:
    order = render_order(SONG, 40, count=3)
    assert [request.seed for request in order.requests] == [40, 41, 42]
    with pytest.raises(Problem, match="largest seed"):
        render_order(SONG, SEED_LIMIT - 1, count=2)


def test_seed_policies() -> None:
    fixed, new, counting = (SeedPolicy(kind, 5) for kind in SeedKind)
    assert [policy.first_seed(99) for policy in (fixed, new, counting)] == [5, 99, 5]
    assert fixed.after(5, 2) == fixed
    assert new.after(99, 2).value == 99
    assert counting.after(5, 2).value == 7
    assert counting.after(SEED_LIMIT - 1, 1).value == 0
    assert replace(SONG, seed=counting).after_queueing(5, 1).seed.value == 6
    assert all(0 <= fresh_seed() < 1_000_000_000 for _ in range(50))


@pytest.mark.parametrize(
    ("title", "lyrics", "shown"),
    [
        (" Home ", LYRICS, "Home"),
        ("", LYRICS, "Walking down the empty street at night"),
        ("", "[Intro]\n# x\n", UNTITLED),
        ("", "la " * 40, "la la la la la la la la la la la la la…"),
        (" ", "[Verse] tag and words", "tag and words"),
    ],
)
def test_a_song_always_has_a_name(title: str, lyrics: str, shown: str) -> None:
    assert replace(SONG, title=title, lyrics=lyrics).shown_title == shown


def test_ids_are_those_of_requests_and_unique() -> None:
    ids = {new_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(SongRequest.validated(style="", lyrics="", id=one).id == one for one in ids)
    copy = SONG.duplicated()
    assert copy.id != SONG.id
    assert changed_fields(SONG, copy) == ("id",)
    assert replace(SONG, title="Home").duplicated().title == "Home 2"


def test_what_changed_is_named() -> None:
    other = replace(SONG, lyrics="x", seed=SeedPolicy(value=1), render=RenderSettings(ode_steps=8))
    assert changed_fields(SONG, other) == ("lyrics", "seed", "render")
    assert changed_fields(SONG, replace(SONG)) == ()


def test_what_is_blank() -> None:
    assert SongDocument().is_blank
    assert SongDocument(style=" ", lyrics="\n").is_blank
    assert not SONG.is_blank
    assert not SongDocument(notes="x").is_blank
    assert not SongDocument().with_score_text("X:1").is_blank


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        ({"mode": "turbo"}, r"render\.mode must be auto, bf16, .* but is 'turbo'"),
        ({"ar_precision": "Q8 0"}, r"render\.ar_precision must name a format"),
        ({"nar_residency": None}, r"render\.nar_residency must be auto"),
        ({"ode_steps": 65}, r"render\.ode_steps must be a whole number from 1 to 64, but is 65"),
        ({"ode_steps": True}, r"render\.ode_steps must be"),
        ({"ode_method": "euler"}, r"render\.ode_method must be midpoint or ab2"),
        ({"vae_core": 0}, r"render\.vae_core must be a whole number from 1 to 24,576"),
        ({"max_frames": 1.5}, r"render\.max_frames must be"),
    ],
)
def test_settings_that_cannot_be(members: dict[str, object], sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        RenderSettings.validated(members)
