"""Whatever goes wrong is one sentence and the right exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from yue2_desktop import logs
from yue2_desktop.cli.failures import as_problem, exit_status
from yue2_desktop.engine.pipeline import Pipeline
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.record import read_record
from yue2_desktop.song.errors import Problem, ProblemKind

Cli = Callable[..., Any]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (ProblemKind.BAD_REQUEST, 2), (ProblemKind.BAD_FILE, 2), (ProblemKind.MODEL_DAMAGED, 2),
        (ProblemKind.CONTEXT_OVERFLOW, 2), (ProblemKind.DOES_NOT_FIT, 3), (ProblemKind.CANCELLED, 130),
        (ProblemKind.NON_FINITE, 1), (ProblemKind.DISK_FULL, 1), (ProblemKind.OUT_OF_MEMORY, 1),
    ],
)  # fmt: skip
def test_exit_statuses(kind: ProblemKind, status: int) -> None:
    assert exit_status(Problem(kind, "x")) == status


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (MemoryError(), "--max-frames"),
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"), "--vae-core"),
        (RuntimeError("[enforce fail] . DefaultCPUAllocator: can't allocate memory: you tried"), "--max-frames"),
    ],
)
def test_out_of_memory(error: BaseException, cure: str) -> None:
    problem = as_problem(error)
    assert problem.kind is ProblemKind.OUT_OF_MEMORY
    assert cure in problem.sentence


def test_out_of_memory_before_torch_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing torch for a better sentence would need what there is none of."""
    monkeypatch.delitem(sys.modules, "torch")
    assert as_problem(MemoryError()).kind is ProblemKind.OUT_OF_MEMORY
    assert "torch" not in sys.modules


def test_a_torch_error_that_is_no_memory_error_is_a_fault() -> None:
    assert as_problem(RuntimeError("shape mismatch")).kind is ProblemKind.ENGINE_DIED


def _failing(error: BaseException) -> Callable[..., Any]:
    def fail(*_args: object, **_kwargs: object) -> Any:
        raise error

    return fail


def test_a_fault_of_the_program_keeps_what_is_finished(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence that names the log, where the traceback is; the stages before are whole and can be gone on from."""
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "acoustic", _failing(IndexError("list index\nout of range")))
        ended = cli("render", *tiny, "--output", tmp_path / "take", "--quiet")
    assert ended.status == 1
    first, kept = ended.err.splitlines()
    log = first.rsplit(" in ", 1)[1].rstrip(".")
    assert first.startswith("The program met a fault of its own (IndexError: list index); the details are in ")
    assert Path(log).read_text(encoding="utf-8").count("Traceback") == 1
    assert kept.startswith(f"Kept in {tmp_path / 'take'}: the score, the singing. Go on with: yue2-desktop render")
    record = read_record(tmp_path / "take")
    assert record.stages[TakeStage.LATENTS].state == "failed"
    assert "IndexError" in (record.stages[TakeStage.LATENTS].problem or "")
    assert cli("render", "--resume", tmp_path / "take", "--quiet").status == 0


def test_latents_that_are_no_numbers_fail_loudly_and_keep_the_tokens(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pipeline, "acoustic", lambda *_args, **_kwargs: np.full((12, 64), np.nan, np.float32))
    ended = cli("render", *tiny, "--output", tmp_path / "take", "--json")
    assert ended.status == 1
    problem = ended.events[-1]
    assert (problem["event"], problem["kind"]) == ("problem", "non-finite")
    assert "the score, the singing" in problem["kept"]
    assert ended.err.splitlines() == [problem["sentence"], problem["kept"]]
    assert (tmp_path / "take" / "semantic.npy").exists()
    assert not (tmp_path / "take" / "latent.npy").exists()


def test_a_mistake_is_an_event_too(cli: Cli, tmp_path: Path) -> None:
    ended = cli("render", "--style", "a", "--lyrics", "b", "--seed", "-1", "--output", tmp_path / "take", "--json")
    assert ended.status == 2
    (problem,) = ended.events
    assert (problem["event"], problem["kind"], problem["kept"]) == ("problem", "bad-request", None)
    assert ended.err == f"{problem['sentence']}\n"
    assert not (tmp_path / "take").exists()


def test_verbose_adds_the_traceback(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pipeline, "plan", _failing(torch.OutOfMemoryError("CUDA out of memory")))
    ended = cli("render", *tiny, "--output", tmp_path / "take", "--quiet", "--verbose")
    assert ended.status == 1
    assert "Traceback (most recent call last)" in ended.err
    assert "memory is full" in ended.err


def test_without_a_log_the_sentence_is_the_same(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "start", _failing(PermissionError("read-only")))
    monkeypatch.setattr(Pipeline, "plan", _failing(IndexError("x")))
    ended = cli("render", *tiny, "--output", tmp_path / "take", "--quiet")
    assert ended.status == 1
    assert ended.err.startswith("The program met a fault of its own (IndexError: x).\n")
