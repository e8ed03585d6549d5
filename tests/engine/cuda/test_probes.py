"""The probes with the CPU in place of a card: they accept what is right and refuse what is not."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from yue2_desktop.engine.cuda import probes
from yue2_desktop.engine.cuda.graph_decode import Play
from yue2_desktop.engine.cuda.probes import probe_decoding, probe_kernel, probe_streaming, seconds, small_model
from yue2_desktop.engine.cuda.static_step import masked_products, masked_sdpa, wide_product
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.weights.transfer import Fill, HostTransfer

CPU, BF16 = torch.device("cpu"), torch.bfloat16
TINY = replace(
    probes.LIGHT, layers=4, hidden_size=64, intermediate_size=128, heads=4, kv_heads=2, head_dim=16, context=2048
)
#: Tokens before the steps: the window grows once while they are compared.
PROMPT = 1010
PRODUCTS = masked_products(wide_product(CPU, BF16))


def _direct(step: Play) -> Play:
    return step


@pytest.mark.parametrize("attend", [PRODUCTS, masked_sdpa])
def test_a_right_step_is_accepted(attend: probes.MaskedAttention) -> None:
    verdict = probe_decoding(CPU, BF16, attend, _direct, config=TINY, prompt=PROMPT, faster=False)
    assert verdict.ok, verdict.reason
    assert verdict.error is not None
    assert 0 < verdict.error <= probes.DECODE_TOLERANCE[BF16]
    assert verdict.speed is not None


def test_a_step_that_forgets_its_mask_is_refused() -> None:
    """The window behind the last token is zeros: they take weight from the others."""

    def unmasked(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return PRODUCTS(q, k, v, torch.zeros_like(mask))

    verdict = probe_decoding(CPU, BF16, unmasked, _direct, config=TINY, prompt=PROMPT, faster=False)
    assert not verdict.ok
    assert "is allowed" in verdict.reason


def test_a_recording_that_does_nothing_is_refused() -> None:
    assert not probe_decoding(
        CPU, BF16, PRODUCTS, lambda _step: lambda: None, config=TINY, prompt=PROMPT, faster=False
    ).ok


def test_values_that_are_no_numbers_are_refused() -> None:
    """However late they come: here with the window that the second recording reads."""

    def broken(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return PRODUCTS(q, k, v, mask) * (float("nan") if k.shape[1] > 1024 else 1.0)

    verdict = probe_decoding(CPU, BF16, broken, _direct, config=TINY, prompt=PROMPT, faster=False)
    assert not verdict.ok
    assert verdict.error is not None
    assert math.isnan(verdict.error)


def test_a_slower_step_is_refused_with_its_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((1.0, 2.0))
    monkeypatch.setattr(probes, "seconds", lambda _call, _device: next(times))
    verdict = probe_decoding(CPU, BF16, PRODUCTS, _direct, config=TINY, prompt=PROMPT)
    assert not verdict.ok
    assert verdict.reason == "only 0.50 times as fast as the plain step"
    assert verdict.speed == 0.5


@pytest.mark.parametrize(("kernel", "type_name"), [(Kernel.INT4, "Q4_0"), (Kernel.INT4, "Q8_0"), (Kernel.FP8, "BF16")])
def test_kernels_are_held_against_their_reference(kernel: Kernel, type_name: str) -> None:
    verdict = probe_kernel(kernel, type_name, CPU, config=replace(TINY, hidden_size=128))
    assert verdict.ok, verdict.reason
    assert verdict.error is not None
    assert verdict.speed is not None


def test_a_kernel_that_a_device_lacks_says_so() -> None:
    verdict = probe_kernel(Kernel.INT4, "Q4_0", torch.device("meta"), config=TINY)
    assert not verdict.ok
    assert "no int4 kernel" in verdict.reason


def test_streamed_layers_give_the_same_bits() -> None:
    verdict = probe_streaming(CPU, BF16, HostTransfer(), config=TINY)
    assert verdict.ok, verdict.reason
    assert verdict.error == 0.0


def test_a_transfer_that_overwrites_what_is_in_use_is_found() -> None:
    class Careless(HostTransfer):
        """Each tensor arrives with the content of the one before it."""

        last: torch.Tensor | None = None

        def put(self, out: torch.Tensor, fill: Fill) -> None:
            fill(out, 0)
            fresh = out.clone()
            if self.last is not None and self.last.shape == out.shape:
                out.copy_(self.last)
            self.last = fresh

    verdict = probe_streaming(CPU, BF16, Careless(), config=replace(TINY, intermediate_size=64, hidden_size=64))
    assert not verdict.ok
    assert "other bits" in verdict.reason


def test_the_small_model_has_layers_that_differ() -> None:
    layers: list[LayerWeights] = list(small_model(TINY, BF16, CPU).layers)
    assert not torch.equal(layers[0].o(torch.ones(1, 64, dtype=BF16)), layers[1].o(torch.ones(1, 64, dtype=BF16)))


def test_a_call_is_never_infinitely_fast() -> None:
    assert seconds(lambda: None, CPU) > 0
