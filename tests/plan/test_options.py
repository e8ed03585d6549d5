"""Forced choices from the command line's words."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.options import Options, options_from
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_settings import MODES


def test_nothing_forced() -> None:
    assert options_from() == Options()
    assert not Options().forced


@pytest.mark.parametrize("mode", MODES)
def test_all_modes_of_the_design(mode: str) -> None:
    assert options_from(mode=mode).mode == mode
    assert options_from(mode=mode).forced == (mode != "auto")


def test_words_become_values() -> None:
    options = options_from(mode="gguf", ar_precision="Q8_0", nar_residency="streamed", vae_core="256")
    assert (options.ar_precision, options.nar_residency, options.vae_core) == ("q8_0", "streamed", 256)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"mode": "fast"}, "--mode cannot be 'fast'; use auto, bf16, offload-ar, fp8 or gguf."),
        ({"ar_precision": "int3"}, "--ar-precision cannot be 'int3'; use auto, f32, bf16"),
        ({"nar_residency": "gone"}, "--nar-residency cannot be 'gone'; use auto, resident or streamed."),
        ({"vae_core": "0"}, "--vae-core cannot be '0'; use auto or a whole number of frames such as 256."),
        ({"vae_core": "-5"}, "--vae-core cannot be '-5'"),
        ({"vae_core": "big"}, "--vae-core cannot be 'big'"),
        ({"vae_core": 10**9}, "--vae-core cannot be 1000000000"),
    ],
)
def test_bad_words_are_named_with_their_cure(wrong: dict[str, str], words: str) -> None:
    with pytest.raises(Problem) as caught:
        options_from(**wrong)
    assert caught.value.kind is ProblemKind.BAD_REQUEST
    assert caught.value.sentence.startswith(words)
