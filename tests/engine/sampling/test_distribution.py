"""Candidates and draws against the reference's, on logits that both sides compute from a formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from yue2_desktop.engine.model.head import ABC_VOCABULARY, SEMANTIC_VOCABULARY, PhaseVocabulary
from yue2_desktop.engine.sampling.distribution import Candidates, Tie, candidates, guided
from yue2_desktop.engine.sampling.draw import SeededDraw
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged

VOCAB = 184_704
CPU = torch.device("cpu")
VOCABULARIES = {"abc": ABC_VOCABULARY, "semantic": SEMANTIC_VOCABULARY}


def _logits(salt: int, scale: float, dtype: str) -> torch.Tensor:
    """The golden formula: a hash of the id, as uniform values of width `scale`."""
    h = ((torch.arange(VOCAB) + salt) * 2_654_435_761) % 2**32
    h ^= h >> 15
    h = (h * 2_246_822_519) % 2**32
    values = ((h.double() / 2**32 - 0.5) * scale).float()
    return values.bfloat16() if dtype == "bf16" else values


def _found(case: dict[str, Any]) -> tuple[Candidates, PhaseVocabulary]:
    vocabulary = VOCABULARIES[case["phase"]]
    sampling = merged(ABC_SAMPLING, case["sampling"])
    history = [vocabulary.place(token) for token in case["history"]]
    step = case["step"]
    # The golden gives the step and the last tokens apart; only their number and the window are looked at.
    padded = [history[0] if history else 0] * max(0, step - len(history)) + history
    logits = _logits(case["salt"], case["scale"], case["dtype"])[vocabulary.ids()]
    found = candidates(
        logits,
        sampling,
        ids=vocabulary.ids(),
        vocab_size=VOCAB,
        end_place=vocabulary.place(vocabulary.end_id),
        history=padded,
        keep_dtype=case["legacy_off"],
    )
    return found, vocabulary


def _settled(found: Candidates) -> Candidates:
    return found if found.tie is None else found.tie.settled()


@pytest.fixture(params=range(11))
def case(request: pytest.FixtureRequest, golden_json: Callable[[str], Any]) -> dict[str, Any]:
    cases = golden_json("distribution")
    assert len(cases) == 11
    return dict(cases[request.param])


def test_the_same_candidates_and_scores(case: dict[str, Any]) -> None:
    found, vocabulary = _found(case)
    found = _settled(found)
    ids = vocabulary.ids()[found.places]
    if "argmax" in case:
        assert ids.tolist() == [case["argmax"]]
        return
    assert ids.tolist() == case["kept_ids"]
    assert str(found.scores.dtype) == case["out_dtype"]
    # fp32 scores may differ by one rounding; bf16 ones are compared after the same rounding, to one unit.
    tolerance = 1e-6 if case["dtype"] == "fp32" else 2**-8
    wanted = torch.tensor(case["kept_scores"])
    assert torch.allclose(found.scores.float(), wanted, rtol=tolerance, atol=0)


def test_the_same_draws(case: dict[str, Any]) -> None:
    if "argmax" in case:
        pytest.skip("greedy draws nothing")
    found, vocabulary = _found(case)
    ids = vocabulary.ids()
    draw = SeededDraw(123, VOCAB, CPU)
    drawn = [int(ids[draw(found, ids)]) for _ in case["draws_seed_123"]]
    assert drawn == case["draws_seed_123"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_draw_is_a_multinomial_over_the_whole_vocabulary(dtype: torch.dtype) -> None:
    """200 draws and the generator's state equal those of torch.multinomial on the full row."""
    generator = torch.Generator().manual_seed(9)
    ids = torch.randperm(VOCAB, generator=generator)[:60].sort().values
    scores = (torch.randn(60, generator=generator) * 2).to(dtype)
    row = torch.full((VOCAB,), float("-inf"), dtype=dtype)
    row[ids] = scores
    reference = torch.Generator().manual_seed(2**63 - 1)
    draw = SeededDraw(2**63 - 1, VOCAB, CPU)
    found = Candidates(torch.arange(60), scores)
    for _ in range(200):
        wanted = int(torch.multinomial(row.softmax(-1), 1, generator=reference))
        assert int(ids[draw(found, ids)]) == wanted
    assert torch.equal(draw.generator.get_state(), reference.get_state())


@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_a_tie_at_the_cut_is_settled_only_where_a_draw_hangs_on_it(scale: float) -> None:
    """bf16 logits are often equal: the draws are those among the settled candidates, and most settle nothing."""
    generator = torch.Generator().manual_seed(3)
    ids = SEMANTIC_VOCABULARY.ids()
    lazy, eager = SeededDraw(4, VOCAB, CPU), SeededDraw(4, VOCAB, CPU)
    sampling = merged(SEMANTIC_SAMPLING, {"min_tokens": 0})
    tied = sorts = 0
    for _ in range(150):
        logits = (torch.randn(SEMANTIC_VOCABULARY.size, generator=generator) * scale).bfloat16()
        found = candidates(logits, sampling, ids=ids, vocab_size=VOCAB, end_place=0, history=())
        stay = _settled(found)
        watched = found
        if found.tie is not None:
            tied += 1
            assert set(stay.places.tolist()) < set(found.places.tolist())

            def settled(stay: Candidates = stay) -> Candidates:
                nonlocal sorts
                sorts += 1
                return stay

            watched = replace(found, tie=Tie(found.tie.at, settled))
        assert int(lazy(watched, ids)) == int(eager(stay, ids))
    assert tied > 10
    assert sorts < tied / 2


def test_guidance_of_one_is_the_conditional_alone() -> None:
    conditional, unconditional = torch.tensor([1.0, 3.0]), torch.tensor([0.0, 1.0])
    assert guided(conditional, None, 1.0) is conditional
    assert guided(conditional, unconditional, 1.5).tolist() == [1.5, 4.0]


def test_only_the_window_is_penalised() -> None:
    sampling = merged(
        SEMANTIC_SAMPLING, {"temperature": 1.0, "top_p": 1.0, "top_k": 4, "min_tokens": 0, "penalty_window": 2}
    )
    logits = torch.tensor([0.0, 2.4, 2.4, -2.4])
    found = candidates(logits, sampling, ids=torch.arange(4), vocab_size=4, end_place=0, history=[1, 1, 2, 3])
    assert torch.allclose(found.scores, torch.tensor([0.0, 2.4, 2.0, -2.88]))


def test_a_vocabulary_knows_its_places() -> None:
    for vocabulary in (ABC_VOCABULARY, SEMANTIC_VOCABULARY):
        ids = vocabulary.ids()
        assert len(ids) == vocabulary.size
        for place in (0, 1, vocabulary.size - 1):
            assert vocabulary.place(int(ids[place])) == place
        with pytest.raises(ValueError, match="not in the"):
            vocabulary.place(184_621)
    assert SEMANTIC_VOCABULARY.size == 32_769
    assert ABC_VOCABULARY.size == 151_644
