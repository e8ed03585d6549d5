"""Whatever the facts: a number or unknown, never NaN, never negative, never a plan that does not fit (row 21)."""

from __future__ import annotations

import json
import math
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CpuFacts, GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.fit import fit_report
from yue2_desktop.plan.fit_text import fit_line, fit_text
from yue2_desktop.plan.memory_ar import score_peak, semantic_peak
from yue2_desktop.plan.memory_nar import acoustic_peak
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Verdict
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.plan.weights import half
from yue2_desktop.song.render_settings import MODES

SIZES = st.none() | st.integers(0, 48 * GIB)
FLAGS = st.none() | st.booleans()


@st.composite
def cards(draw: st.DrawFn) -> GpuFacts:
    total = draw(SIZES)
    free = draw(st.none() | st.integers(0, 48 * GIB if total is None else total))
    return GpuFacts(
        name=draw(st.none() | st.just("card")),
        total_bytes=total,
        free_bytes=free,
        capability=draw(st.none() | st.sampled_from([(7, 5), (8, 0), (8, 6), (8, 9), (12, 0)])),
        driver=draw(st.none() | st.sampled_from(["527.41", "581.29", "odd"])),
    )


@st.composite
def machines(draw: st.DrawFn) -> MachineFacts:
    return MachineFacts(
        gpus=draw(st.none() | st.just(())),
        torch=draw(st.none() | st.sampled_from([TorchFacts("2.13.0+cpu", None), TorchFacts("2.13.0+cu130", "13.0")])),
        platform=draw(st.none() | st.sampled_from(["windows", "linux"])),
        cpu=CpuFacts(avx2=draw(FLAGS), avx512_bf16=draw(FLAGS), amx=draw(FLAGS), vnni=draw(FLAGS)),
        ram_total=draw(SIZES),
        ram_free=draw(SIZES),
        commit_bytes=draw(SIZES),
        disk_free=draw(SIZES),
    )


songs = st.builds(
    SongDemand,
    text_tokens=st.integers(0, 30_000),
    abc_tokens=st.none() | st.integers(0, 20_000),
    frames_ceiling=st.integers(1, 24_000),
    cot=st.sampled_from(["full", "melody", "off"]),
    guidance=st.sampled_from([1.0, 1.01, 3.0]),
    ode_steps=st.integers(1, 64),
    bounded=st.booleans(),
)
options = st.builds(
    Options,
    mode=st.sampled_from(MODES),
    ar_precision=st.sampled_from(["auto", "bf16", "q8_0", "q4_0"]),
    nar_residency=st.sampled_from(["auto", "resident", "streamed"]),
    device=st.sampled_from(["auto", "cpu", "cuda"]),
    budget_bytes=SIZES,
)


@settings(max_examples=150, deadline=None)
@given(machines(), st.none() | cards(), songs, options)
def test_numbers_or_unknown(machine: MachineFacts, card: GpuFacts | None, song: SongDemand, asked: Options) -> None:
    answer = make_plan(machine, card, song, options=asked)
    report = json.loads(json.dumps(fit_report(answer).to_json(), allow_nan=False))
    sizes = [report[name] for name in ("free_bytes", "margin_bytes", "ram_bytes", "disk_bytes")]
    sizes += [stage["peak_bytes"] for stage in report["stages"]]
    assert all(size is None or (isinstance(size, int) and size >= 0) for size in sizes)
    words = fit_text(answer) + fit_line(answer) + answer.reason
    assert "nan" not in words.lower().split()
    assert "None" not in words
    assert answer.reason.endswith(".")
    if answer.verdict is Verdict.FITS:
        assert answer.plan is not None
        if card is not None and card.free_bytes is not None:
            limit = card.free_bytes if asked.budget_bytes is None else min(card.free_bytes, asked.budget_bytes)
            assert answer.plan.card_bytes <= limit
        if machine.ram_free is not None:
            assert answer.plan.host.ram_bytes <= machine.ram_free
        if machine.disk_free is not None:
            assert answer.plan.disk_bytes <= machine.disk_free


@settings(deadline=None)
@given(songs, st.sampled_from(["bf16", "q8_0", "q4_0"]), st.integers(0, 500))
def test_more_of_anything_never_takes_less(song: SongDemand, name: str, more: int) -> None:
    ar, nar = half(name), half("bf16")
    for larger in (
        replace(song, frames_ceiling=song.frames_ceiling + more),
        replace(song, text_tokens=song.text_tokens + more),
    ):
        assert semantic_peak(RELEASED, ar, larger).live_bytes >= semantic_peak(RELEASED, ar, song).live_bytes
        assert score_peak(RELEASED, ar, larger).live_bytes >= score_peak(RELEASED, ar, song).live_bytes
    longer = replace(song, frames_ceiling=song.frames_ceiling + more)
    for residency in ("resident", "streamed"):
        kept = "resident" if residency == "resident" else "streamed"
        before = acoustic_peak(RELEASED, ar, nar, song, kept)
        assert acoustic_peak(RELEASED, ar, nar, longer, kept).live_bytes >= before.live_bytes


@settings(max_examples=60, deadline=None)
@given(st.integers(GIB, 24 * GIB), st.integers(0, 4 * GIB), songs)
def test_more_free_memory_never_gives_worse_sound(free: int, more: int, song: SongDemand) -> None:
    machine = MachineFacts(gpus=(), cpu=CpuFacts(avx2=True), ram_free=64 * GIB)

    def rank(size: int) -> float:
        card = GpuFacts(name="card", total_bytes=48 * GIB, free_bytes=size, capability=(8, 6))
        plan = make_plan(machine, card, song, options=Options(device="cuda")).plan
        answer = make_plan(machine, card, song, options=Options(device="cuda"))
        if answer.verdict is not Verdict.FITS or plan is None:
            return math.inf
        return plan.candidate.ar.format.rank

    assert rank(free + more) <= rank(free)
