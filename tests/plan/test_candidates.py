"""The order of preference: sound first, then waiting; FP8 only when asked for."""

from __future__ import annotations

from yue2_desktop.plan.candidates import Candidate, candidates
from yue2_desktop.plan.facts import CpuFacts, GpuFacts
from yue2_desktop.plan.options import Options, options_from
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors

CARD = GpuFacts(name="RTX 4060", capability=(8, 9))
CPU = CpuFacts(avx2=True, avx512_bf16=True, vnni=True)


def _found(
    options: Options | None = None, inventory: Inventory | None = None, gpu: GpuFacts | None = CARD, cpu: CpuFacts = CPU
) -> tuple[Candidate, ...]:
    return candidates(inventory or Inventory(), options or Options(), gpu, cpu, split=True)


def test_precision_is_given_up_last_and_waiting_first() -> None:
    on_card = [c for c in _found() if c.ar_device == "cuda"]
    assert [(c.mode, c.ar.format.name, c.nar.format.name, c.residency) for c in on_card] == [
        ("bf16", "bf16", "bf16", "resident"),
        ("offload-ar", "bf16", "bf16", "resident"),
        ("offload-ar", "bf16", "bf16", "streamed"),
        ("gguf", "q8_0", "bf16", "resident"),
        ("gguf", "q8_0", "bf16", "streamed"),
        ("gguf", "q4_0", "bf16", "resident"),
        ("gguf", "q4_0", "bf16", "streamed"),
    ]


def test_the_card_comes_before_the_processor() -> None:
    places = [(c.ar_device, c.nar_device) for c in _found()]
    assert places == sorted(places, key=[("cuda", "cuda"), ("cpu", "cuda"), ("cpu", "cpu")].index)


def test_fp8_only_when_asked_for() -> None:
    assert all(c.mode != "fp8" for c in _found())
    assert {c.mode for c in _found(options_from(mode="fp8"))} == {"fp8"}
    assert {c.nar.format.name for c in _found(options_from(mode="fp8"))} == {"bf16"}
    assert {c.mode for c in _found(options_from(ar_precision="fp8"))} == {"fp8"}


def test_what_is_forced_beside_a_card_stays_on_the_card() -> None:
    assert {c.nar_device for c in _found(options_from(mode="offload-ar"))} == {"cuda"}
    assert {c.ar_device for c in _found(options_from(ar_precision="q8_0"))} == {"cuda"}


def test_forced_choices_are_filters() -> None:
    streamed = _found(options_from(nar_residency="streamed"))
    assert {c.residency for c in streamed} == {"streamed"}
    assert _found(options_from(mode="bf16", nar_residency="streamed")) == ()


def test_the_processor_takes_8_bit_for_tokens_and_what_is_fast_for_sound() -> None:
    assert _found(gpu=None)[0].label == "on the processor, AR W8A8, NAR BF16"
    vnni = CpuFacts(avx2=True, avx512_bf16=False, amx=False, vnni=True)
    assert _found(gpu=None, cpu=vnni)[0].nar.format.name == "int8"
    old = CpuFacts(avx2=False, avx512_bf16=False, amx=False, vnni=False)
    assert (_found(gpu=None, cpu=old)[0].ar.format.name, _found(gpu=None, cpu=old)[0].nar.format.name) == (
        "q8_0",
        "f32",
    )
    unknown = _found(gpu=None, cpu=CpuFacts())[0]
    assert unknown.nar.format.name == "f32", "bf16 without hardware takes 9 times longer"


def test_exact_modes_on_the_processor() -> None:
    (found,) = (c for c in _found(options_from(mode="bf16"), gpu=None) if c.nar.format.name == "bf16")
    assert (found.mode, found.ar.format.name) == ("bf16", "bf16")


def test_a_card_without_bf16_gets_float32_sound_and_tokens_on_the_processor() -> None:
    turing = GpuFacts(name="RTX 2060", capability=(7, 5))
    split = [c for c in _found(gpu=turing) if c.nar_device == "cuda" and c.ar_device == "cpu"]
    assert {c.nar.format.name for c in split} == {"f32"}


def test_4_bit_sound_comes_after_8_bit() -> None:
    four = TypedTensors((("q4_0", 1),))
    eight = TypedTensors((("q8_0", 1),))
    files = (GgufFile("q4.gguf", four, four), GgufFile("q8.gguf", eight, eight))
    found = _found(inventory=Inventory(checkpoint=False, ggufs=files))
    names = [
        (c.ar.format.name, c.nar.format.name) for c in found if c.ar_device == "cuda" and c.residency == "resident"
    ]
    assert names == [("q8_0", "q8_0"), ("q4_0", "q8_0"), ("q8_0", "q4_0"), ("q4_0", "q4_0")]


def test_no_candidate_twice() -> None:
    found = _found()
    assert len(set(found)) == len(found)


def test_device_cpu_means_the_processor_alone() -> None:
    assert {c.nar_device for c in _found(Options(device="cpu"))} == {"cpu"}
    assert {c.ar_device for c in _found(Options(device="cuda"))} == {"cuda"}
    assert _found(Options(device="cuda"), gpu=None) == ()
