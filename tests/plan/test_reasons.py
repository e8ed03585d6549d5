"""Why forced choices cannot be had: the reason is the machine's or the files', not only that there is one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.options import options_from
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Verdict
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import MIB
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"ar_precision": "fp8"}, "AR fp8 cannot run: FP8 needs a graphics card of compute capability 8.9; mode "),
        ({"nar_residency": "streamed"}, "NAR streamed cannot run: only a graphics card is streamed to"),
        ({"mode": "offload-ar", "nar_residency": "streamed"}, "cannot run: only a graphics card is streamed to"),
        ({"ar_precision": "f32"}, "AR f32 cannot run: float32 is asked for with --dtype float32; mode "),
        ({"ar_precision": "q4_k"}, "AR q4_k cannot run: no model file with AR q4_k is here; mode "),
        ({"ar_precision": "q4_0", "mode": "bf16"}, "cannot run: these choices exclude each other; mode "),
    ],
)
def test_on_the_processor(laptop: MachineFacts, song_216: SongDemand, choice: dict[str, str], reason: str) -> None:
    answer = make_plan(laptop, None, song_216, options=options_from(**choice))
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert reason in answer.reason


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"ar_precision": "int8"}, "W8A8 is a kernel of the processor, which --device cpu takes"),
        ({"ar_precision": "q5_0"}, "no model file with AR q5_0 is here; mode offload-ar"),
        ({"ar_precision": "f32"}, "float32 is asked for with --dtype float32"),
    ],
)
def test_on_a_card(laptop: MachineFacts, song_216: SongDemand, choice: dict[str, str], reason: str) -> None:
    answer = make_plan(laptop, parse_pretend("6GB"), song_216, options=options_from(**choice))
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert reason in answer.reason


@pytest.mark.parametrize("mode", ["bf16", "gguf", "fp8"])
def test_the_mode_that_is_named_leads_there(laptop: MachineFacts, song_216: SongDemand, mode: str) -> None:
    """Only `auto` takes AR to the processor beside a card; gguf, that plan's own mode, would be refused in turn."""
    card = parse_pretend("RTX 2060,6GB,7.5")
    refused = make_plan(laptop, card, song_216, options=options_from(mode=mode))
    assert refused.verdict is Verdict.DOES_NOT_FIT
    chosen = make_plan(laptop, card, song_216)
    assert chosen.plan is not None
    assert chosen.plan.mode == "gguf"
    assert f"; mode auto ({chosen.plan.candidate.label}) does" in refused.reason
    assert {rejected.nearest for rejected in refused.rejected} == {"auto"}


@pytest.mark.parametrize("card", [None, "4GB", "6GB", "24GB"])
def test_a_full_disk_asks_for_no_smaller_plan(laptop: MachineFacts, song_216: SongDemand, card: str | None) -> None:
    """What is tried all the same (--run-anyway) is the plan that room on the disk would give, and the same song."""
    gpu = None if card is None else parse_pretend(card)
    wanted = make_plan(laptop, gpu, song_216).plan
    refused = make_plan(replace(laptop, disk_free=MIB), gpu, song_216)
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert wanted is not None
    assert refused.plan == wanted
    assert refused.reason.startswith("Too little room on the disk: a take writes up to ")
    assert refused.reason.endswith("make room there, or choose another folder for takes."), "a card is no cure"


def test_without_the_checkpoint(laptop: MachineFacts, song_216: SongDemand) -> None:
    """What could be made of the checkpoint needs it; another type needs a file of that type."""
    tensors = TypedTensors((("q8_0", 100),))
    inventory = Inventory(checkpoint=False, ggufs=(GgufFile("small.gguf", tensors, tensors, head="q8_0"),))
    reasons = {
        precision: make_plan(
            laptop, None, song_216, inventory=inventory, options=options_from(ar_precision=precision)
        ).reason
        for precision in ("q4_0", "q4_k")
    }
    assert "it needs the BF16 checkpoint (7.3 GB), which is not here; mode gguf" in reasons["q4_0"]
    assert "no model file with AR q4_k is here; mode gguf" in reasons["q4_k"]
