"""Times: none before a measurement, a range after it; the arithmetic of memory-and-speed.md, section 4."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yue2_desktop.plan.calibration import DeviceRates, ProbeRates, RunRate
from yue2_desktop.plan.candidates import Candidate
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.predict import run_rate, stage_seconds
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.weights import half
from yue2_desktop.plan.work import Work, decode_work, sound_work, stage_work, token_work

BF16 = Candidate("offload-ar", half("bf16"), half("bf16"), "cuda", "cuda", "resident")
PROBE = ProbeRates(read_gbs=115.0, linear_tflops={"dense": 5.5}, attention_tflops=5.5, conv_tflops=5.0, copy_gbs=6.0)
KEY = ("bf16", "resident", "dense")


@pytest.mark.parametrize(("name", "gigabytes"), [("bf16", 2.95), ("q8_0", 1.85), ("q4_0", 0.92)])
def test_bytes_read_for_a_token(name: str, gigabytes: float) -> None:
    ar = replace(BF16, ar=half(name))
    read = token_work(1, ar, (0,), 32_769, RELEASED).read_gb
    assert read == pytest.approx(gigabytes, rel=0.01)


def test_products_of_a_velocity_evaluation(song_216: SongDemand) -> None:
    """15.1 TFLOP of linears and 18.4 of attention an evaluation; a song is 2,144 (section 2)."""
    once = replace(song_216, ode_steps=1, ode_method="ab2")
    twice = sound_work(5_371, BF16, once, RELEASED)
    whole = sound_work(5_371, BF16, song_216, RELEASED)
    evaluations = song_216.evaluations - once.evaluations
    linear = (whole.linear_tflop - twice.linear_tflop) / evaluations
    attention = (whole.attention_tflop - twice.attention_tflop) / evaluations
    assert linear == pytest.approx(15.1, rel=0.01)
    assert attention == pytest.approx(18.4, rel=0.01)
    assert 64 * (linear + attention) == pytest.approx(2_144, rel=0.01)


def test_a_second_branch_doubles_the_work_of_the_tokens(song_216: SongDemand) -> None:
    plain = stage_work("semantic", BF16, song_216, RELEASED)[1]
    guided = stage_work("semantic", BF16, replace(song_216, guidance=2.0), RELEASED)[1]
    assert guided.read_gb == pytest.approx(2 * plain.read_gb, rel=0.02)
    assert stage_work("acoustic", BF16, song_216, RELEASED) == stage_work(
        "acoustic", BF16, replace(song_216, guidance=2.0), RELEASED
    )


def test_audio_grows_with_the_song() -> None:
    assert decode_work(5_000, RELEASED.vae).conv_tflop == pytest.approx(10 * decode_work(500, RELEASED.vae).conv_tflop)


def test_nothing_is_known_before_a_measurement(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, parse_pretend("6GB"), song_216)
    assert answer.plan is not None
    assert answer.plan.seconds is None
    assert {stage.seconds for stage in answer.plan.stages} == {None}
    assert stage_seconds("semantic", KEY, BF16, song_216, RELEASED, DeviceRates()) is None
    half_known = DeviceRates(ProbeRates(read_gbs=100.0))
    assert stage_seconds("acoustic", KEY, BF16, song_216, RELEASED, half_known) is None


def test_the_probe_gives_a_range_around_the_arithmetic(song_216: SongDemand) -> None:
    """144 GB/s at 80 %: 30.6 ms a token, 303 s for the 9,900 tokens there, so 164 s for these 5,371."""
    exact = replace(song_216, frames_expected=5_371)
    found = stage_seconds("semantic", KEY, BF16, exact, RELEASED, DeviceRates(PROBE))
    assert found is not None
    assert found[0] < 5_371 * 30.6e-3 < found[1]
    sound = stage_seconds("acoustic", KEY, BF16, exact, RELEASED, DeviceRates(PROBE))
    assert sound is not None
    assert sound[0] < 389 < sound[1], "6.1 s an evaluation on a 15.3 TFLOPS card, 64 of them"


def test_own_runs_replace_the_probe(song_216: SongDemand) -> None:
    exact = replace(song_216, frames_expected=5_371)
    work = stage_work("semantic", BF16, exact, RELEASED)[1]
    rates = DeviceRates(PROBE)
    for seconds in (200.0, 220.0):
        rates = rates.with_run(RunRate("semantic", *KEY, run_rate(seconds, work), RELEASED.size))
    found = stage_seconds("semantic", KEY, BF16, exact, RELEASED, rates)
    assert found == pytest.approx((200 * 0.95, 220 * 1.1))
    other_kernel = stage_seconds("semantic", ("bf16", "resident", "graph"), BF16, exact, RELEASED, rates)
    assert other_kernel is not None
    assert other_kernel != found, "runs speak only for their own kernel"


def test_runs_of_a_model_of_another_size_say_nothing(song_216: SongDemand) -> None:
    """The test model's time is that of its calls: by its runs, the released model would take a hundred hours."""
    small = replace(RELEASED, hidden=128, layers=3)
    rates = DeviceRates(PROBE).with_run(RunRate("semantic", *KEY, 1000.0, small.size))
    found = stage_seconds("semantic", KEY, BF16, song_216, RELEASED, rates)
    assert found == stage_seconds("semantic", KEY, BF16, song_216, RELEASED, DeviceRates(PROBE))
    own = stage_seconds("semantic", KEY, BF16, song_216, small, rates)
    assert own is not None
    assert own != stage_seconds("semantic", KEY, BF16, song_216, small, DeviceRates(PROBE))


def test_streaming_hides_behind_long_songs_and_shows_in_short_ones() -> None:
    streamed = replace(BF16, residency="streamed")
    key = ("bf16", "streamed", "dense")

    def slower(frames: int) -> float:
        song = SongDemand(text_tokens=100, abc_tokens=100, frames_ceiling=frames, frames_expected=frames)
        times = [
            stage_seconds("acoustic", key, candidate, song, RELEASED, DeviceRates(replace(PROBE, copy_gbs=12.0)))
            for candidate in (BF16, streamed)
        ]
        assert times[0] is not None
        assert times[1] is not None
        return times[1][1] / times[0][1]

    assert slower(2_500) == pytest.approx(1.0, abs=0.01)
    assert slower(100) > 2


def test_a_rate_needs_time_and_work() -> None:
    with pytest.raises(ValueError, match="no rate"):
        run_rate(0.0, Work(read_gb=1.0))
    with pytest.raises(ValueError, match="no rate"):
        run_rate(1.0, Work())


def test_a_range_runs_from_low_to_high(laptop: MachineFacts, song_216: SongDemand) -> None:
    answer = make_plan(laptop, parse_pretend("6GB"), song_216, rates={"cuda": DeviceRates(PROBE)})
    assert answer.plan is not None
    for stage in answer.plan.stages:
        assert stage.seconds is not None
        assert 0 < stage.seconds[0] <= stage.seconds[1]
    assert answer.plan.seconds == (
        sum(stage.seconds[0] for stage in answer.plan.stages if stage.seconds),
        sum(stage.seconds[1] for stage in answer.plan.stages if stage.seconds),
    )
