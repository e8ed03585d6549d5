"""What a card may use: probed once, remembered, said, and never a reason to stop but a lost card."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from yue2_desktop.engine.ar import ArWeights, TokenSequence, eagerly
from yue2_desktop.engine.cuda import paths, probes
from yue2_desktop.engine.cuda.graph_decode import DecodeWithFallback
from yue2_desktop.engine.cuda.paths import CardPath, CardPaths, Probe, card_paths, is_light, key_of
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore, verdict_file
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.song.errors import Problem, ProblemKind

CARD, CPU, BF16 = torch.device("cuda", 0), torch.device("cpu"), torch.bfloat16
GOOD = Verdict(True, "agrees to 2.0e-03", 2e-3, 1.5)


class _Asked:
    """Probes by name: a verdict to give or an error to raise; counts how often each is asked."""

    def __init__(self, **answers: Verdict | BaseException) -> None:
        self.answers = {CardPath(name.replace("_", "-")): answer for name, answer in answers.items()}
        self.count = dict.fromkeys(CardPath, 0)

    def probes(self) -> Mapping[CardPath, Probe]:
        def probe(path: CardPath) -> Probe:
            def ask(_device: torch.device, _dtype: torch.dtype) -> Verdict:
                self.count[path] += 1
                answer = self.answers.get(path, GOOD)
                if isinstance(answer, BaseException):
                    raise answer
                return answer

            return ask

        return {path: probe(path) for path in CardPath}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "card-paths.json"


def _paths(file: Path, asked: _Asked, dtype: torch.dtype = BF16) -> CardPaths:
    return CardPaths(CARD, dtype, VerdictStore(file, "card"), asked.probes())


def test_a_path_is_probed_once_and_remembered_over_a_restart(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    asked = _Asked()
    with caplog.at_level(logging.INFO):
        here = _paths(file, asked)
        assert here.verdict(CardPath.INT4) == here.verdict(CardPath.INT4) == GOOD
        assert _paths(file, asked).verdict(CardPath.INT4) == GOOD
    assert asked.count[CardPath.INT4] == 1
    assert "int4 accepted: agrees" in caplog.text
    assert "int4 accepted earlier: agrees" in caplog.text


def test_another_dtype_is_another_question(file: Path) -> None:
    asked = _Asked()
    _paths(file, asked).verdict(CardPath.FLASH)
    _paths(file, asked, torch.float32).verdict(CardPath.FLASH)
    assert asked.count[CardPath.FLASH] == 2


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("No available kernel. Aborting execution.\nand more"),
        NotImplementedError("Could not run 'aten::_weight_int4pack_mm'"),
        TypeError("bmm() got an unexpected keyword argument 'out_dtype'"),
        AttributeError("'_OpNamespace' 'aten' object has no attribute '_convert_weight_to_int4pack'"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_path_that_fails_is_not_used_and_said(file: Path, error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    asked = _Asked(int4=error)
    with caplog.at_level(logging.WARNING):
        verdict = _paths(file, asked).verdict(CardPath.INT4)
    assert not verdict.ok
    assert verdict.reason == str(error).splitlines()[0]
    assert f"int4 not used: {verdict.reason}" in caplog.text
    assert _paths(file, asked).verdict(CardPath.INT4) == verdict
    assert asked.count[CardPath.INT4] == 1


def test_no_memory_for_a_probe_is_asked_again_at_the_next_start(file: Path) -> None:
    asked = _Asked(graph_products=torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 96.00 MiB."))
    here = _paths(file, asked)
    assert not here.verdict(CardPath.GRAPH_PRODUCTS).ok
    assert not here.verdict(CardPath.GRAPH_PRODUCTS).ok
    assert asked.count[CardPath.GRAPH_PRODUCTS] == 1
    asked.answers = {}
    assert _paths(file, asked).verdict(CardPath.GRAPH_PRODUCTS).ok


def test_a_probe_that_loses_the_card_is_not_repeated(file: Path) -> None:
    asked = _Asked(int4x2=RuntimeError("CUDA error: an illegal memory access was encountered"))
    with pytest.raises(Problem) as caught:
        _paths(file, asked).verdict(CardPath.INT4X2)
    assert caught.value.kind is ProblemKind.DEVICE_LOST
    restarted = _paths(file, asked)
    assert not restarted.verdict(CardPath.INT4X2).ok
    assert asked.count[CardPath.INT4X2] == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Problem(ProblemKind.UNSUPPORTED, "No."), ZeroDivisionError()])
def test_an_interrupted_probe_does_not_count_against_its_path(file: Path, error: BaseException) -> None:
    asked = _Asked(fp8=error)
    for _ in range(3):
        with pytest.raises(type(error)):
            _paths(file, asked).verdict(CardPath.FP8)
    assert asked.count[CardPath.FP8] == 3
    assert VerdictStore(file, "card").get("fp8 bfloat16") is None


def test_row_29_the_second_kernel_is_taken_and_named_in_the_log(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    asked = _Asked(attention_flash=Verdict(False, "not in this build of torch"))
    with caplog.at_level(logging.INFO):
        assert _paths(file, asked).attention.name == "efficient"
    assert "attention: efficient (flash: not in this build of torch)" in caplog.text


SLOW = Verdict(False, "only 0.90 times as fast as the plain step", 1e-3, 0.9)


def test_the_second_recorded_step_is_asked_only_when_the_first_is_refused(file: Path) -> None:
    asked = _Asked(graph_products_light=SLOW)
    here = _paths(file, asked)
    assert here.decoding_path(light=False) is CardPath.GRAPH_PRODUCTS
    assert here.decoding_path(light=True) is CardPath.GRAPH_SDPA_LIGHT
    assert asked.count[CardPath.GRAPH_SDPA] == 0


def test_without_a_recorded_step_decoding_is_eager(file: Path) -> None:
    refused = {f"graph_{attention}{size}": SLOW for attention in ("products", "sdpa") for size in ("", "_light")}
    here = _paths(file, _Asked(**refused))
    assert here.decoding_path(light=False) is None
    assert here.decoding_path(light=True) is None
    assert here.decoding() is eagerly


def test_heavy_and_light_layers_may_be_decoded_in_different_ways(
    file: Path, ar_weights: Callable[[str], ArWeights], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where launching counts for little, the recorded step may not pay."""
    light = ar_weights("bf16")
    assert is_light(light)
    asked = _Asked(graph_products=SLOW, graph_sdpa=SLOW)
    decoding = _paths(file, asked).decoding()
    assert all(asked.count[path] == 1 for path in (CardPath.GRAPH_PRODUCTS, CardPath.GRAPH_PRODUCTS_LIGHT))
    sequences = [TokenSequence(light, 8)]
    assert isinstance(decoding(light, sequences, CancelToken()), DecodeWithFallback)
    monkeypatch.setattr(paths, "_LIGHT_BYTES", 1000)
    assert not isinstance(decoding(light, sequences, CancelToken()), DecodeWithFallback)


def test_layers_of_4_bits_are_light_and_those_of_16_are_not() -> None:
    def bytes_of(bits: float) -> float:
        return 50_331_648 * bits / 8

    assert bytes_of(5) < paths._LIGHT_BYTES < bytes_of(16)
    assert probes.LIGHT.layers * 15_728_640 * 2 / probes.LIGHT.layers == pytest.approx(bytes_of(5), rel=0.01)


@pytest.mark.parametrize(
    ("refused", "wanted", "type_name", "found"),
    [
        ("int4", Kernel.INT4, "Q4_0", Kernel.DEQUANTISE),
        ("int4", Kernel.INT4, "Q8_0", Kernel.INT4),
        ("int4x2", Kernel.INT4, "Q8_0", Kernel.DEQUANTISE),
        ("int4x2", Kernel.INT4, "Q4_K", Kernel.INT4),
        ("fp8", Kernel.FP8, "BF16", Kernel.DEQUANTISE),
        ("fp8", Kernel.DENSE, "BF16", Kernel.DENSE),
    ],
)
def test_a_refused_product_gives_way_to_unpacking(
    file: Path, refused: str, wanted: Kernel, type_name: str, found: Kernel
) -> None:
    assert _paths(file, _Asked(**{refused: Verdict(False, "no")})).kernel(wanted, type_name) is found


@pytest.mark.parametrize(("roomy", "ok", "pins"), [(True, True, True), (False, True, False), (True, False, False)])
def test_row_25_copies_are_pinned_with_room_and_a_verdict(file: Path, roomy: bool, ok: bool, pins: bool) -> None:
    assert _paths(file, _Asked(pinned_streams=Verdict(ok, ""))).pins(roomy=roomy) is pins


def test_the_processor_uses_none_of_it_and_is_not_probed() -> None:
    here = card_paths(CPU, BF16)
    assert here is card_paths(CPU, BF16)
    assert not any(here.verdict(path).ok for path in CardPath)
    assert here.decoding() is eagerly
    assert here.kernel(Kernel.INT4, "Q4_0") is Kernel.INT4
    with here.fused_attention():
        pass
    assert not verdict_file().exists()


def test_verdicts_hold_for_card_driver_and_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "RTX 3050 Laptop GPU")
    cards = SimpleNamespace(gpus=(SimpleNamespace(driver="580.65"),))
    monkeypatch.setattr(paths, "read_cards", lambda: cards)
    key = key_of(CARD)
    assert key.startswith("RTX 3050 Laptop GPU|580.65|torch ")
    assert torch.__version__ in key
    monkeypatch.setattr(paths, "read_cards", lambda: SimpleNamespace(gpus=None))
    assert key_of(CARD) != key


def test_every_path_has_a_probe(file: Path) -> None:
    assert set(CardPaths(CARD, BF16, VerdictStore(file, "card"))._probes) == set(CardPath)
