"""What differs between two takes, in words; and why the same seed will not give the same take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from yue2_desktop.library.compare import compare
from yue2_desktop.library.making import Making, Settings, Surroundings
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.will_differ import banner, reasons_to_differ
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING

REQUEST = SongRequest.validated(style="folk", lyrics="[Verse]\none\ntwo\n[Chorus]\nla la\n", seed=41)
MADE = Making(
    Settings(REQUEST, score="X:1\nK:C\n|C|\n", ode_steps=32, ode_method="midpoint", vae_core=1024),
    Surroundings(
        backend="yue2-desktop",
        app_version="0.1.0",
        weights={"mot": "ab" * 32, "vae": "cd" * 32},
        dtype="bfloat16",
        device="cuda",
        machine="RTX 3050 Laptop",
        driver="560.35",
        mode="bf16",
        threads="7",
        kernels={"torch": "2.12.0", "attention": "math"},
    ),
)


def settings(**changes: Any) -> Making:
    return replace(MADE, settings=replace(MADE.settings, **changes))


def request(**changes: Any) -> Making:
    return settings(request=replace(REQUEST, **changes))


def around(**changes: Any) -> Making:
    return replace(MADE, surroundings=replace(MADE.surroundings, **changes))


def test_equal_takes_do_not_differ() -> None:
    assert compare(MADE, MADE) == ()
    assert reasons_to_differ(MADE, MADE) == ()
    assert banner(()) == ""


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (request(seed=42), ["seed: 41 / 42"]),
        (request(style="folk, piano"), ["style: folk / folk, piano"]),
        (request(cot="off"), ["score asked for: melody and chords / no score", "score: written by the model / none",
                              "guidance: 1 / 1.01"]),
        (request(abc="X:1"), ["score: written by the model / given"]),
        (request(cfg_scale=2.5), ["guidance: 1 / 2.5"]),
        (request(lyrics="[Verse]\none\nTWO\n[Chorus]\nla la\n"), ["lyrics, 1 line: two / TWO"]),
        (request(lyrics="[Verse]\none\n[Chorus]\nla la\nla la\n"), ["lyrics, 2 lines: two / none"]),
        (request(lyrics=REQUEST.lyrics.replace("\n", "\r\n")), ["lyrics: the same words / with other line ends"]),
        (settings(score="X:1\nK:G\n|C|\n"), ["notes of the score, 1 line: K:C / K:G"]),
        (settings(abc=replace(ABC_SAMPLING, temperature=0.9, max_tokens=2048)),
         ["score: temperature: 0.7 / 0.9", "score: longest: 4,096 tokens / 2,048 tokens"]),
        (settings(semantic=replace(SEMANTIC_SAMPLING, max_tokens=4000, top_k=50)),
         ["singing: top k: 100 / 50", "singing: longest: 9,000 frames (6:00) / 4,000 frames (2:40)"]),
        (settings(ode_steps=8), ["steps: 32 / 8"]),
        (settings(ode_steps=None), ["steps: 32 / not known"]),
        (settings(ode_method="heun"), ["solver: midpoint / heun"]),
        (settings(vae_core=None), ["frames a tile: 1,024 / not known"]),
        (around(weights={"mot": "ef" * 32}), ["model: abababababab / efefefefefef",
                                              "audio decoder: cdcdcdcdcdcd / not known"]),
        (around(mode="gguf", machine="RTX 4090", driver=""),
         ["mode: bf16 / gguf", "on: RTX 3050 Laptop / RTX 4090", "driver: 560.35 / not known"]),
        (around(dtype="float32", app_version="0.2.0"), ["computed in: bfloat16 / float32", "version: 0.1.0 / 0.2.0"]),
    ],
)  # fmt: skip
def test_what_differs(other: Making, words: list[str]) -> None:
    assert [row.words for row in compare(MADE, other)] == words
    assert len(compare(other, MADE)) == len(words)


def test_long_lines_are_shown_where_they_part() -> None:
    first, second = request(style="a" * 100 + "X" + "b" * 100), request(style="a" * 100 + "Y" + "b" * 100)
    (row,) = compare(first, second)
    assert row.first == "…" + "a" * 20 + "X" + "b" * 39 + "…"
    assert row.second == "…" + "a" * 20 + "Y" + "b" * 39 + "…"


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (around(backend="other"), ["it was made by another engine (yue2-desktop, now other)"]),
        (around(weights={"mot": "ef" * 32, "vae": "cd" * 32}), ["it was made with other weights of the model"]),
        (around(mode="offload-ar"), []),
        (around(mode="gguf"), ["it was computed in mode bf16, now gguf"]),
        (around(dtype="float32"), ["it was computed in bfloat16, now in float32"]),
        (around(device="cpu", machine="Ryzen"), ["chance is drawn otherwise on the processor than on a card"]),
        (around(machine="RTX 4090"), ["it was computed on RTX 3050 Laptop, and RTX 4090 rounds otherwise"]),
        (around(driver="570.1"), ["the graphics driver was 560.35, now 570.1"]),
        (around(kernels={"torch": "2.13.0"}), ["torch was 2.12.0, now 2.13.0"]),
        (around(app_version="0.2.0"), ["it was made by version 0.1.0 of this program, which is now 0.2.0"]),
        (settings(semantic=replace(SEMANTIC_SAMPLING, max_tokens=4000)), ["the longest length was 6:00, now 2:40"]),
        (settings(abc=replace(ABC_SAMPLING, max_tokens=2048)), ["the longest score was 4,096 tokens, now 2,048"]),
        (around(), []),
        (around(backend="", weights={}, dtype="", device="", machine="", driver="", mode="", kernels={}), []),
        (around(threads="3"), []),
        (around(precision={"ar_weights": "q8_0"}), []),
        (request(seed=42, lyrics="other"), []),
    ],
)
def test_why_it_will_differ(now: Making, words: list[str]) -> None:
    assert list(reasons_to_differ(MADE, now)) == words


def test_threads_count_on_the_processor() -> None:
    then, now = around(device="cpu"), around(device="cpu", threads="3")
    assert reasons_to_differ(then, now) == ("it was computed by 7 threads, now by 3",)


def test_precision_where_both_say_it() -> None:
    then = around(mode="bf16", precision={"ar_weights": "bf16", "nar_weights": "bf16", "ar_device": "cuda"})
    now = around(mode="gguf", precision={"ar_weights": "q8_0", "nar_weights": "bf16", "ar_device": "cpu"})
    assert reasons_to_differ(then, now) == (
        "its tokens were drawn in bf16, now in q8_0",
        "its tokens were drawn on a card, now on the processor",
    )
    finer = around(mode="gguf", precision={"ar_weights": "bf16", "nar_weights": "q8_0", "ar_device": "cuda"})
    assert reasons_to_differ(then, finer) == ("its sound was shaped in bf16, now in q8_0",)
    assert [row.words for row in compare(then, finer)] == ["precision of the sound: bf16 / q8_0", "mode: bf16 / gguf"]


def test_a_take_with_a_history() -> None:
    then = replace(MADE, resumed=(TakeStage.PLAN, TakeStage.SEMANTIC), seeds={"score": 1, "semantic": 2, "noise": 2})
    reasons = reasons_to_differ(then, MADE)
    assert reasons == (
        "its score and singing went on after an interruption, which rounds otherwise than one run",
        "its stages were kept of takes with other seeds (score 1, semantic 2, noise 2)",
    )
    assert banner(reasons) == f"This will differ from the take, because {reasons[0]}; {reasons[1]}."


def test_a_resumed_solver_gives_the_same_bits() -> None:
    assert reasons_to_differ(replace(MADE, resumed=(TakeStage.LATENTS,)), MADE) == ()


def test_a_score_ceiling_means_nothing_without_a_score() -> None:
    without: Callable[[int], Making] = lambda most: settings(  # noqa: E731
        request=replace(REQUEST, cot="off"), abc=replace(ABC_SAMPLING, max_tokens=most)
    )
    assert reasons_to_differ(without(4096), without(2048)) == ()
