"""What a stage runs inside of, on the processor and on a card that is made of stand-ins."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from yue2_desktop.engine.cuda import guard
from yue2_desktop.engine.cuda.guard import guarded
from yue2_desktop.engine.cuda.paths import CardPath, CardPaths, card_paths
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore
from yue2_desktop.song.errors import Problem, ProblemKind

CARD, CPU, BF16 = torch.device("cuda", 0), torch.device("cpu"), torch.bfloat16


def _card(file: Path, *, ok: bool) -> CardPaths:
    probes = dict.fromkeys(CardPath, lambda _device, _dtype: Verdict(ok, "as the test says"))
    return CardPaths(CARD, BF16, VerdictStore(file, "card"), probes)


def test_on_the_processor_only_failures_are_named() -> None:
    with guarded(card_paths(CPU, BF16)):
        assert torch.backends.cuda.math_sdp_enabled()
    with pytest.raises(Problem) as caught, guarded(card_paths(CPU, BF16)):
        torch.empty(1 << 50)
    assert caught.value.kind is ProblemKind.OUT_OF_MEMORY


def test_on_a_card_memory_is_capped_and_the_plain_attention_is_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caps: list[tuple[torch.device, int | None]] = []
    monkeypatch.setattr(guard, "cap_allocator", lambda device, budget: caps.append((device, budget)))
    with guarded(_card(tmp_path / "a.json", ok=True), budget=5 << 30):
        assert not torch.backends.cuda.math_sdp_enabled()
    assert caps == [(CARD, 5 << 30)]
    with guarded(_card(tmp_path / "a.json", ok=True), attends=False):
        assert torch.backends.cuda.math_sdp_enabled()


def test_a_stage_without_attention_runs_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "cap_allocator", lambda device, budget: None)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "Card of the tests")
    paths = _card(tmp_path / "b.json", ok=False)
    with guarded(paths, attends=False):
        pass
    with pytest.raises(Problem, match="No fused attention"), guarded(paths):
        pytest.fail("nothing may attend here")
