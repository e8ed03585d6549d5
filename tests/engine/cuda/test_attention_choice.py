"""The choice of the attention kernel: by a call on the device, never by what torch says it has."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend

from yue2_desktop.engine.cuda import attention_choice
from yue2_desktop.engine.cuda.attention_choice import (
    AttentionChoice,
    choose,
    fused_attention,
    plain_attention,
    probe_attention,
)
from yue2_desktop.engine.cuda.verdicts import Verdict
from yue2_desktop.song.errors import Problem, ProblemKind

CPU, CARD = torch.device("cpu"), torch.device("cuda", 0)
BF16 = torch.bfloat16


def _answers(**refusals: str | None) -> tuple[Callable[[str], Verdict], list[str]]:
    asked: list[str] = []

    def ask(name: str) -> Verdict:
        asked.append(name)
        reason = refusals[name]
        return Verdict(reason is None, reason or "agrees to 2.0e-03")

    return ask, asked


def test_flash_comes_first_and_efficient_stands_behind_it() -> None:
    ask, asked = _answers(flash=None, efficient=None, cudnn=None)
    choice = choose(ask)
    assert (choice.name, choice.accepted, choice.rejected) == ("flash", ("flash", "efficient"), ())
    assert asked == ["flash", "efficient"]
    assert choice.sentence == "attention: flash"


def test_row_29_flash_that_is_not_there_is_not_used_and_is_named() -> None:
    ask, _ = _answers(flash="not in this build of torch", efficient=None, cudnn=None)
    choice = choose(ask)
    assert choice.name == "efficient"
    assert choice.sentence == "attention: efficient (flash: not in this build of torch)"


def test_cudnn_is_the_last_resort() -> None:
    ask, asked = _answers(flash="no", efficient="no", cudnn=None)
    assert choose(ask).accepted == ("cudnn",)
    assert asked == ["flash", "efficient", "cudnn"]


def test_the_plain_path_is_never_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, _ = _answers(flash="no", efficient="differs by 3.0e-01, 8e-03 is allowed", cudnn="no")
    choice = choose(ask)
    assert choice.name is None
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "Card of the tests")
    with pytest.raises(Problem) as caught, fused_attention(CARD, choice):
        pytest.fail("nothing may run here")
    assert caught.value.kind is ProblemKind.UNSUPPORTED
    assert "Card of the tests" in caught.value.sentence
    assert "differs by 3.0e-01" in caught.value.sentence


def _enabled() -> dict[str, bool]:
    return {
        "flash": torch.backends.cuda.flash_sdp_enabled(),
        "efficient": torch.backends.cuda.mem_efficient_sdp_enabled(),
        "cudnn": torch.backends.cuda.cudnn_sdp_enabled(),
        "math": torch.backends.cuda.math_sdp_enabled(),
    }


def test_inside_only_the_accepted_kernels_are_on_and_in_order() -> None:
    before, order = _enabled(), torch._C._get_sdp_priority_order()
    with fused_attention(CARD, AttentionChoice(("efficient", "cudnn"))):
        assert _enabled() == {"flash": False, "efficient": True, "cudnn": True, "math": False}
        first, second, *_ = torch._C._get_sdp_priority_order()
        assert (first, second) == (int(SDPBackend.EFFICIENT_ATTENTION), int(SDPBackend.CUDNN_ATTENTION))
    assert _enabled() == before
    assert list(torch._C._get_sdp_priority_order()) == list(order)


def test_the_processor_is_left_alone() -> None:
    before = _enabled()
    with fused_attention(CPU, AttentionChoice(())):
        assert _enabled() == before


@pytest.mark.parametrize("dtype", [BF16, torch.float16, torch.float32])
def test_a_right_kernel_is_accepted(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """The CPU's own flash attention stands in for a card's: the calls and the comparison are the true ones."""
    monkeypatch.setattr(torch.backends.cuda, "is_flash_attention_available", lambda: True)
    verdict = probe_attention("flash", CPU, dtype)
    assert verdict.ok, verdict.reason
    assert verdict.error is not None
    assert 0 < verdict.error < attention_choice.TOLERANCE[dtype] / 2


def test_row_29_torchs_word_that_flash_is_missing_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cuda, "is_flash_attention_available", lambda: False)

    def called(*_inputs: object, **_options: object) -> torch.Tensor:
        raise AssertionError("a kernel that is not there was called")

    monkeypatch.setattr(F, "scaled_dot_product_attention", called)
    assert probe_attention("flash", CPU, BF16) == Verdict(False, "not in this build of torch")


@pytest.mark.parametrize("scale", [1.02, float("nan")])
def test_a_kernel_that_is_wrong_is_not_accepted(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cuda, "is_flash_attention_available", lambda: True)
    right = F.scaled_dot_product_attention
    monkeypatch.setattr(F, "scaled_dot_product_attention", lambda *args, **options: right(*args, **options) * scale)
    verdict = probe_attention("flash", CPU, BF16)
    assert not verdict.ok
    assert "is allowed" in verdict.reason


def test_a_kernel_without_its_mask_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cuda, "is_flash_attention_available", lambda: True)
    right = F.scaled_dot_product_attention
    monkeypatch.setattr(F, "scaled_dot_product_attention", lambda q, k, v, is_causal=False: right(q, k, v))
    assert not probe_attention("flash", CPU, BF16).ok


def test_the_definition_is_torchs() -> None:
    generator = torch.Generator().manual_seed(3)
    q = torch.randn(4, 6, 8, generator=generator, dtype=torch.float64)
    k, v = torch.randn(2, 2, 6, 8, generator=generator, dtype=torch.float64)
    wide = [x.repeat_interleave(2, dim=0)[None] for x in (k, v)]
    for causal in (False, True):
        wanted = F.scaled_dot_product_attention(q[None], *wide, is_causal=causal)[0]
        torch.testing.assert_close(plain_attention(q, k, v, causal=causal), wanted)
