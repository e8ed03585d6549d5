"""The closed forms against the meter's golden table and the issue's limits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.memory_ar import score_peak, semantic_peak
from yue2_desktop.plan.memory_nar import acoustic_peak, longest_chunk
from yue2_desktop.plan.memory_reference import everything_resident_peak
from yue2_desktop.plan.memory_vae import CORES, decode_peak
from yue2_desktop.plan.peaks import CONTEXT_BYTES
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.sizes import GIB, MIB
from yue2_desktop.plan.weights import half

BF16 = half("bf16")


#: tests/engine/meter measures these with the engine's own code, and holds every cell of its table against the planner.
METERED = json.loads((Path(__file__).parents[1] / "goldens" / "memory_peaks.json").read_text(encoding="utf-8"))
SONG = "216 s, prefix 4151"


@pytest.mark.parametrize(
    ("name", "mode"), [("bf16", "offload-ar"), ("q8_0", "gguf, AR Q8_0"), ("q4_0", "gguf, AR Q4_0")]
)
def test_tokens_within_5_percent_of_the_meter(song_216: SongDemand, name: str, mode: str) -> None:
    metered = METERED[mode][SONG]["semantic"]
    assert semantic_peak(RELEASED, half(name), song_216).live_bytes == pytest.approx(metered, rel=0.05)


def test_fp8_tokens_within_5_percent_of_the_published_figure(song_216: SongDemand) -> None:
    """memory-and-speed.md, section 3: 2.6 GiB; the fake card has no FP8."""
    assert semantic_peak(RELEASED, half("fp8"), song_216).live_bytes / GIB == pytest.approx(2.6, rel=0.05)


@pytest.mark.parametrize(("residency", "mode"), [("resident", "offload-ar"), ("streamed", "offload-ar, NAR streamed")])
def test_sound_within_5_percent_of_the_meter(song_216: SongDemand, residency: str, mode: str) -> None:
    peak = acoustic_peak(RELEASED, BF16, BF16, song_216, "resident" if residency == "resident" else "streamed")
    assert peak.live_bytes == pytest.approx(METERED[mode][SONG]["acoustic"], rel=0.05)


def test_everything_resident_within_5_percent_of_the_meter(song_216: SongDemand) -> None:
    assert everything_resident_peak(RELEASED, song_216).live_bytes / GIB == pytest.approx(9.56, rel=0.05)


def test_everything_resident_within_15_percent_of_a_measured_peak(song_216: SongDemand) -> None:
    """RTX 4090, a song of 214.85 s: 11.18 GiB (spec/yue2.md, section 10); row 21 of the user reports."""
    assert everything_resident_peak(RELEASED, song_216).needed_bytes / GIB == pytest.approx(11.18, rel=0.15)


@pytest.mark.parametrize(("name", "limit"), [("bf16", 4.0), ("q8_0", 3.0), ("q4_0", 2.1)])
def test_limits_of_the_token_stages(song_216: SongDemand, name: str, limit: float) -> None:
    assert semantic_peak(RELEASED, half(name), song_216).live_bytes <= limit * GIB


def test_limits_of_the_other_stages(song_216: SongDemand) -> None:
    assert acoustic_peak(RELEASED, BF16, BF16, song_216, "resident").live_bytes <= 3.9 * GIB
    assert acoustic_peak(RELEASED, BF16, BF16, song_216, "streamed").live_bytes <= 1.55 * GIB
    assert decode_peak(RELEASED, 128).live_bytes <= 1.0 * GIB
    whole = SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=24_576 - 4_151)
    assert semantic_peak(RELEASED, BF16, whole).live_bytes <= 5.7 * GIB


def test_decode_alone_is_what_the_specification_says(song_216: SongDemand) -> None:
    """A prompt of one token leaves the decode: 3.77 GiB with the cache of 9,522 tokens."""
    short = replace(song_216, text_tokens=0, abc_tokens=0, frames_ceiling=9_522 - 4)
    assert semantic_peak(RELEASED, BF16, short).live_bytes / GIB == pytest.approx(3.77, rel=0.01)


def test_the_score_stage_holds_text_rows_and_no_codec_rows() -> None:
    peak = score_peak(RELEASED, BF16, SongDemand(text_tokens=500))
    terms = dict(peak.moment.fixed)
    assert terms["lm_head rows"] / MIB == pytest.approx(592.4, abs=0.1)
    assert set(terms) == {"AR layers", "final norm", "lm_head rows"}


def test_kv_is_sized_to_the_song_and_not_to_the_context() -> None:
    """Row 5: a song of 130 s, where another program reserved the whole context, 2,688 MiB."""
    peak = semantic_peak(RELEASED, BF16, SongDemand(text_tokens=400, abc_tokens=2_200, frames_ceiling=3_250))
    assert dict(peak.moment.dynamic)["KV cache"] == RELEASED.kv_bytes(2_604 + 3_250)
    assert dict(peak.moment.dynamic)["KV cache"] < 0.7 * GIB


def test_capacity_never_exceeds_the_context() -> None:
    peak = semantic_peak(RELEASED, BF16, SongDemand(text_tokens=40_000, bounded=True))
    assert dict(peak.moment.dynamic)["KV cache"] == RELEASED.kv_bytes(24_576)


def test_guidance_doubles_the_cache_and_nothing_else(song_216: SongDemand) -> None:
    plain = semantic_peak(RELEASED, BF16, song_216)
    guided = semantic_peak(RELEASED, BF16, replace(song_216, guidance=1.5))
    assert guided.moment.fixed == plain.moment.fixed
    more = dict(guided.moment.dynamic)["KV cache"] / dict(plain.moment.dynamic)["KV cache"]
    assert 1.9 < more <= 2.0, "the second prefix lacks style and lyrics"


def test_the_longest_chunk_sets_the_sound(song_216: SongDemand) -> None:
    chunk = longest_chunk(RELEASED, song_216)
    assert (chunk.tokens, chunk.rows, chunk.keys) == (9_523, 5_373, 14_896)
    long_song = replace(song_216, frames_ceiling=20_000)
    assert longest_chunk(RELEASED, long_song).frames == 10_211


def test_streaming_trades_28_layers_for_three_buffers() -> None:
    # A short song, so that both peaks are those of the ODE and not of the prefill.
    song = SongDemand(text_tokens=100, abc_tokens=100, frames_ceiling=5_000)
    resident = acoustic_peak(RELEASED, BF16, BF16, song, "resident")
    streamed = acoustic_peak(RELEASED, BF16, BF16, song, "streamed")
    saved = BF16.branch_bytes(RELEASED) - 3 * BF16.layer_bytes(RELEASED)
    assert resident.live_bytes - streamed.live_bytes == saved


@pytest.mark.parametrize(("core", "widest"), [(1024, 495), (512, 255), (256, 135), (128, 75), (64, 45)])
def test_the_widest_tensor_of_a_tile(core: int, widest: int) -> None:
    assert decode_peak(RELEASED, core).unmetered / MIB == pytest.approx(widest, abs=0.5)


def test_smaller_tiles_take_less() -> None:
    peaks = [decode_peak(RELEASED, core).live_bytes for core in CORES]
    assert peaks == sorted(peaks, reverse=True)
    assert decode_peak(RELEASED, 1024, frames=100).live_bytes < decode_peak(RELEASED, 128).live_bytes


def test_the_margin_is_context_and_a_share_of_what_moves(song_216: SongDemand) -> None:
    """Row 1: never a flat 2 GiB."""
    peak = semantic_peak(RELEASED, BF16, song_216)
    dynamic = sum(size for _, size in peak.moment.dynamic)
    assert peak.margin_bytes == CONTEXT_BYTES + round(0.05 * dynamic)
    assert 0.5 * GIB < peak.margin_bytes < 0.7 * GIB


def test_float32_doubles_what_is_not_a_file() -> None:
    song = SongDemand(text_tokens=100, abc_tokens=100, frames_ceiling=1_000)
    wide = half("f32")
    narrow_peak = acoustic_peak(RELEASED, BF16, BF16, song, "streamed")
    wide_peak = acoustic_peak(RELEASED, wide, wide, song, "streamed", width=4)
    assert wide_peak.live_bytes == pytest.approx(2 * narrow_peak.live_bytes, rel=1e-3)
