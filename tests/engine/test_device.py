"""Which device and dtype a render takes, with cards that are made of stand-ins."""

from __future__ import annotations

import pytest
import torch

from yue2_desktop.engine.device import Device, choose_device
from yue2_desktop.song.errors import Problem, ProblemKind


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """One card of compute capability 8.6."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "NVIDIA GeForce RTX 2060")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (8, 6))
    return monkeypatch


@pytest.mark.parametrize(("capability", "dtype"), [
    ((7, 5), torch.float32), ((8, 0), torch.bfloat16), ((8, 9), torch.bfloat16), ((12, 0), torch.bfloat16),
])  # fmt: skip
def test_row_37_the_capability_decides_and_not_the_drivers_word(
    card: pytest.MonkeyPatch, capability: tuple[int, int], dtype: torch.dtype
) -> None:
    """Drivers say yes to bf16 on cards that emulate it."""
    card.setattr(torch.cuda, "is_bf16_supported", lambda *_args, **_options: True)
    card.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert choose_device("auto", "auto") == Device(torch.device("cuda", 0), dtype)


def test_row_37_bfloat16_on_an_old_card_is_refused_with_what_works(card: pytest.MonkeyPatch) -> None:
    card.setattr(torch.cuda, "get_device_capability", lambda device: (7, 5))
    with pytest.raises(Problem) as caught:
        choose_device("cuda", "bfloat16")
    assert caught.value.kind is ProblemKind.UNSUPPORTED
    assert "RTX 2060" in caught.value.sentence
    assert "--dtype float32" in caught.value.sentence


def test_row_30_a_torch_without_cuda_is_no_silent_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", None)
    with pytest.raises(Problem, match="built without CUDA") as caught:
        choose_device("cuda", "auto")
    assert caught.value.kind is ProblemKind.TORCH_WITHOUT_GPU


def test_a_card_that_is_not_there_is_refused(card: pytest.MonkeyPatch) -> None:
    with pytest.raises(Problem, match="no cuda:1"):
        choose_device("cuda:1", "auto")


@pytest.mark.parametrize(("device", "dtype"), [("gpu", "auto"), ("cuda:x", "auto"), ("cpu", "float64")])
def test_other_words_are_refused(device: str, dtype: str) -> None:
    with pytest.raises(Problem) as caught:
        choose_device(device, dtype)
    assert caught.value.kind is ProblemKind.BAD_REQUEST


def test_the_label_names_the_card(card: pytest.MonkeyPatch) -> None:
    assert choose_device("cuda:0", "auto").label == "NVIDIA GeForce RTX 2060"
    assert choose_device("cpu", "float32").label == "CPU"
