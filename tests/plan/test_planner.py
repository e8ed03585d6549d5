"""The choice of a plan: the issue's table, and user-reports.md, rows 1, 3, 6-8, 14, 17, 21, 30, 37."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.options import Abilities, Options, options_from
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Plan, Planning, Verdict
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors
from yue2_desktop.song.errors import ProblemKind


def _planned(machine: MachineFacts, card: str, song: SongDemand, options: Options | None = None) -> Planning:
    return make_plan(machine, parse_pretend(card), song, options=options or Options())


def _plan(answer: Planning) -> Plan:
    assert answer.plan is not None
    return answer.plan


@pytest.mark.parametrize(
    ("card", "mode", "ar", "residency"),
    [
        ("6GB", "offload-ar", "bf16", "resident"),
        ("8GB", "offload-ar", "bf16", "resident"),
        ("4GB", "gguf", "q4_0", "streamed"),
        ("12GB", "bf16", "bf16", "resident"),
        ("24GB", "bf16", "bf16", "resident"),
    ],
)
def test_the_table(laptop: MachineFacts, song_216: SongDemand, card: str, mode: str, ar: str, residency: str) -> None:
    answer = _planned(laptop, card, song_216)
    plan = _plan(answer)
    assert answer.verdict is Verdict.FITS
    assert (plan.mode, plan.candidate.ar.format.name, plan.candidate.residency) == (mode, ar, residency)
    assert plan.candidate.nar.format.name == "bf16", "NAR keeps its precision on every card"
    assert {stage.device for stage in plan.stages} == {"cuda"}
    for stage in plan.stages:
        assert stage.needed_bytes <= (answer.free_bytes or 0)


def test_no_card_means_a_sketch_on_the_processor(laptop: MachineFacts) -> None:
    answer = make_plan(laptop, None, SongDemand(text_tokens=300, frames_ceiling=750, ode_steps=8))
    assert answer.verdict is Verdict.FITS
    assert {stage.device for stage in _plan(answer).stages} == {"cpu"}
    assert "2-3 minutes on a 2-core Zen 4 machine" in answer.reason
    assert _plan(answer).seconds is None, "no time is shown before a measurement"


def test_no_card_and_a_whole_song_says_what_it_needs(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, None, song_216)
    assert any("hours" in notice and "card with 4 GB" in notice for notice in answer.notices)


def test_row_1_the_margin_comes_off_what_is_free(laptop: MachineFacts, song_216: SongDemand) -> None:
    card = GpuFacts(name="6 GB", total_bytes=6 * GIB, free_bytes=round(5.1 * GIB), capability=(8, 6))
    answer = make_plan(laptop, card, song_216)
    plan = _plan(answer)
    assert answer.verdict is Verdict.FITS
    assert plan.candidate.exact
    assert plan.tightest is not None
    assert plan.tightest.peak_bytes <= round(5.1 * GIB) - plan.tightest.peak.margin_bytes
    assert plan.tightest.peak_bytes > 6 * GIB - 2 * GIB - 0.2 * GIB, "a flat 2 GiB would not have left this much"


def test_row_3_a_budget_that_is_too_small_is_refused_with_the_mode_that_fits(
    laptop: MachineFacts, song_216: SongDemand
) -> None:
    options = replace(options_from(mode="bf16"), budget_bytes=7 * GIB)
    answer = make_plan(laptop, parse_pretend("X,8GiB,8.6,8GiB"), song_216, options=options)
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert "needs 7.4 GiB free and 7.0 GiB are" in answer.reason
    assert "mode offload-ar (BF16 with halves parked) does" in answer.reason
    assert answer.rejected[0].nearest == "offload-ar"


def test_row_6_streaming_saves_nothing_where_the_peak_is_the_tokens(laptop: MachineFacts, song_216: SongDemand) -> None:
    plans = [
        _plan(_planned(laptop, "8GB", song_216, options_from(mode="offload-ar", nar_residency=residency)))
        for residency in ("resident", "streamed")
    ]
    resident, streamed = (plan.stage("semantic").peak_bytes for plan in plans)
    assert resident == streamed
    # Parking takes exactly the other half off the semantic stage, and nothing of its own terms.
    both = _plan(_planned(laptop, "24GB", song_216)).stage("semantic").peak
    terms = dict(both.moment.fixed)
    assert both.live_bytes - terms["other half"] == resident


def test_row_7_fp8_is_never_chosen_unasked(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, parse_pretend("RTX 4060,8GiB,8.9,8GiB"), song_216)
    assert _plan(answer).mode != "fp8"
    (offer,) = (offer for offer in answer.offers if offer.name == "fp8")
    assert "4.2 times slower" in offer.cost
    assert "a different take" in offer.cost
    assert offer.other_take
    (rejected,) = (found for found in answer.rejected if found.mode == "fp8")
    assert "only taken when asked for" in rejected.reason


def test_fp8_needs_its_capability(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = _planned(laptop, "12GB", song_216, options_from(mode="fp8"))
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert "FP8 needs compute capability 8.9 and RTX 3060 12 GB has 8.6" in answer.reason
    assert "mode bf16" in answer.reason
    assert _planned(laptop, "8GB", song_216, options_from(mode="fp8")).verdict is Verdict.FITS


def test_row_14_peaks_grow_with_the_song_and_parking_really_saves(laptop: MachineFacts) -> None:
    peaks = []
    for seconds in (30, 120, 240, 360):
        song = SongDemand(text_tokens=500, abc_tokens=1_000, frames_ceiling=25 * seconds)
        parked = _plan(_planned(laptop, "24GB", song, options_from(mode="offload-ar")))
        whole = _plan(_planned(laptop, "24GB", song, options_from(mode="bf16")))
        assert parked.card_bytes < whole.card_bytes - 2 * GIB
        peaks.append([stage.peak_bytes for stage in parked.stages if stage.stage != "decode"])
    for shorter, longer in pairwise(peaks):
        assert all(a < b for a, b in zip(shorter, longer, strict=True))


def test_row_17_a_4_gb_card_gets_a_plan_and_its_price(laptop: MachineFacts) -> None:
    for seconds in (30, 216, 360):
        song = SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=25 * seconds)
        answer = _planned(laptop, "4GB", song)
        assert answer.verdict is Verdict.FITS
        assert any("yue2-desktop convert --to q" in notice for notice in answer.notices)


def test_q8_0_where_a_short_song_leaves_room(laptop: MachineFacts) -> None:
    short = SongDemand(text_tokens=500, abc_tokens=1_000, frames_ceiling=1_500)
    assert _plan(_planned(laptop, "4GB", short)).candidate.ar.format.name == "q8_0"


def test_row_37_bf16_is_decided_by_capability(laptop: MachineFacts, song_216: SongDemand) -> None:
    turing = parse_pretend("RTX 2060,6GiB,7.5")
    answer = make_plan(laptop, turing, song_216)
    assert {(stage.stage, stage.device, stage.weights) for stage in _plan(answer).stages} == {
        ("semantic", "cpu", "int8"), ("acoustic", "cuda", "f32"), ("decode", "cuda", "f32"),
    }  # fmt: skip
    refused = make_plan(laptop, turing, song_216, options=options_from(mode="bf16"))
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert "BF16 needs compute capability 8.0 and RTX 2060 has 7.5" in refused.reason


def test_an_engine_without_split_devices_is_not_asked_for_them(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, parse_pretend("RTX 2060,6GiB,7.5"), song_216, abilities=Abilities(split=False))
    assert {stage.device for stage in _plan(answer).stages} == {"cpu"}


def test_an_engine_without_a_kernel_is_not_asked_for_it(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(
        laptop, parse_pretend("4GB"), song_216, abilities=Abilities(split=False, kernels=frozenset({"dense"}))
    )
    assert {stage.device for stage in _plan(answer).stages} == {"cpu"} or answer.verdict is Verdict.DOES_NOT_FIT
    assert any("this version has no int4 kernel" in found.reason for found in answer.rejected)


def test_row_30_a_torch_without_cuda_blocks_and_never_runs_on_the_processor(
    laptop: MachineFacts, song_216: SongDemand
) -> None:
    card = GpuFacts(name="RTX 3060", total_bytes=12 * GIB, free_bytes=11 * GIB, capability=(8, 6), driver="581.29")
    machine = replace(laptop, torch=TorchFacts("2.13.0+cpu", None))
    answer = make_plan(machine, card, song_216)
    assert (answer.verdict, answer.plan) == (Verdict.DOES_NOT_FIT, None)
    assert answer.problem is not None
    assert answer.problem.kind is ProblemKind.TORCH_WITHOUT_GPU
    asked = make_plan(machine, card, song_216, options=Options(device="cpu"))
    assert asked.verdict is Verdict.FITS, "the processor is used when it is asked for"


def test_guidance_is_said_and_counted(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = _planned(laptop, "8GB", replace(song_216, guidance=1.5))
    assert any(notice.startswith("Guidance 1.5 runs a second branch: the semantic stage") for notice in answer.notices)
    plain = _plan(_planned(laptop, "8GB", song_216)).stage("semantic").peak_bytes
    assert _plan(answer).stage("semantic").peak_bytes > plain + 0.8 * GIB


def test_unknown_free_memory_gives_an_unknown_verdict(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, GpuFacts(name="X", total_bytes=6 * GIB, capability=(8, 6)), song_216)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.free_bytes is None
    assert answer.reason.startswith("It could not be read how much memory of X is free, so this is a guess.")
    assert _plan(answer).mode == "offload-ar", "as for a 6 GB card with a usual desktop"


def test_cards_that_could_not_be_read_give_an_unknown_verdict(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(replace(laptop, gpus=None), None, song_216)
    assert answer.verdict is Verdict.UNKNOWN
    assert "whether there is a graphics card" in answer.reason


def test_nothing_fits_says_what_would(laptop: MachineFacts, song_216: SongDemand) -> None:
    starved = replace(laptop, ram_free=GIB)
    answer = make_plan(starved, None, song_216)
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert "of main memory and 1.0 GiB are free" in answer.reason
    assert answer.rejected
    full_disk = replace(laptop, disk_free=GIB // 100)
    assert "make room" in _planned(full_disk, "6GB", song_216).reason


def test_a_shorter_song_is_offered_where_one_fits(laptop: MachineFacts) -> None:
    song = SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=9_000)
    answer = make_plan(
        laptop,
        parse_pretend("X,6GiB,8.6,4.6GiB"),
        song,
        options=options_from(mode="offload-ar", nar_residency="streamed"),
    )
    assert answer.verdict is Verdict.DOES_NOT_FIT
    seconds = int(answer.reason.split("a song of up to ")[1].split(" s")[0])
    fits = replace(song, frames_ceiling=25 * seconds)
    longer = replace(song, frames_ceiling=25 * (seconds + 2))
    options = options_from(mode="offload-ar", nar_residency="streamed")
    card = parse_pretend("X,6GiB,8.6,4.6GiB")
    assert make_plan(laptop, card, fits, options=options).verdict is Verdict.FITS
    assert make_plan(laptop, card, longer, options=options).verdict is Verdict.DOES_NOT_FIT


def test_a_song_longer_than_the_context_is_refused_with_the_longest_that_fits(laptop: MachineFacts) -> None:
    """Row 78's rule, before any work: 960 s and long lyrics."""
    answer = _planned(laptop, "24GB", SongDemand(text_tokens=600, abc_tokens=2_000, frames_ceiling=24_000))
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert answer.reason == (
        "Words, score and song are 2,028 tokens more than the 24,576 of the model; the longest song that fits is 878 s."
    )


def test_choices_that_exclude_each_other(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = _planned(laptop, "8GB", song_216, options_from(mode="bf16", nar_residency="streamed"))
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert answer.reason == (
        "Mode bf16, NAR streamed cannot run: bf16 keeps both halves on the card, and a streamed NAR belongs to "
        "offload-ar; mode offload-ar (BF16 with halves parked) can."
    )
    no_card = make_plan(laptop, None, song_216, options=options_from(mode="fp8"))
    assert "FP8 needs a graphics card" in no_card.reason


def test_without_weights_there_is_no_plan(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, None, song_216, inventory=Inventory(checkpoint=False))
    assert (answer.verdict, answer.plan) == (Verdict.DOES_NOT_FIT, None)
    assert "fetch or import the model" in answer.reason


def test_a_file_alone_is_used_with_its_own_types(laptop: MachineFacts, song_216: SongDemand) -> None:
    mixed = TypedTensors((("q4_k", 60), ("q6_k", 40)))
    inventory = Inventory(checkpoint=False, ggufs=(GgufFile("yue2-Q4_K_M.gguf", mixed, mixed, head="q6_k"),))
    answer = make_plan(laptop, parse_pretend("4GB"), song_216, inventory=inventory)
    assert answer.verdict is Verdict.FITS
    assert _plan(answer).stage("acoustic").kernel == "dequantise"
    assert any("NAR in 4 bit was rejected by ear" in notice for notice in answer.notices)
    refused = make_plan(laptop, parse_pretend("8GB"), song_216, inventory=inventory, options=options_from(mode="bf16"))
    assert "it needs the BF16 checkpoint (7.3 GB), which is not here" in refused.reason


def test_a_larger_tile_is_never_what_breaks_a_song(laptop: MachineFacts) -> None:
    for card in ("4GB", "6GB", "8GB", "24GB"):
        for seconds in (30, 360):
            plan = _plan(_planned(laptop, card, SongDemand(text_tokens=300, frames_ceiling=25 * seconds)))
            others = [stage.needed_bytes for stage in plan.stages if stage.stage != "decode"]
            assert plan.stage("decode").needed_bytes <= max(others)


def test_a_forced_tile_is_kept(laptop: MachineFacts, song_216: SongDemand) -> None:
    assert _plan(_planned(laptop, "6GB", song_216, options_from(vae_core="64"))).stage("decode").tile == 64


def test_the_same_facts_give_the_same_plan(laptop: MachineFacts, song_216: SongDemand) -> None:
    assert _planned(laptop, "6GB", song_216) == _planned(laptop, "6GB", song_216)


def test_float32_throughout_takes_twice_as_much(laptop: MachineFacts, song_216: SongDemand) -> None:
    wide = Options(float32=True)
    answer = _planned(laptop, "12GB", song_216, wide)
    assert _plan(answer).candidate.label == "F32 with halves parked"
    assert {stage.weights for stage in _plan(answer).stages} == {"f32"}
    narrow = _plan(_planned(laptop, "12GB", song_216, options_from(mode="offload-ar")))
    assert _plan(answer).stage("semantic").peak_bytes == pytest.approx(
        2 * narrow.stage("semantic").peak_bytes, rel=0.01
    )
    refused = _planned(laptop, "6GB", song_216, wide)
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert "mode offload-ar (BF16 with halves parked) does" in refused.reason
    # No compute capability stands against float32.
    turing = make_plan(laptop, parse_pretend("RTX 2080,11GiB,7.5"), song_216, options=wide)
    assert turing.verdict is Verdict.FITS
    assert _plan(make_plan(laptop, None, song_216, options=replace(wide, device="cpu"))).candidate.ar_device == "cpu"
