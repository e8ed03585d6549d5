"""Errors of torch and of the system, by the words that they come in, and the problems that they become."""

from __future__ import annotations

import errno
import gc
import weakref

import pytest
import torch

from yue2_desktop.engine.failures import is_memory_refused, named_failures, problem_of
from yue2_desktop.song.errors import Problem, ProblemKind

GIB = 1 << 30
_CARD_FULL = (
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 5.80 GiB"),
    RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported"),
    RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    RuntimeError("CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`"),
    RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"),
    RuntimeError("CUDA driver error: out of memory"),
)
_LOST = (
    "CUDA error: unspecified launch failure",
    "CUDA error: the launch timed out and was terminated",
    "CUDA error: an illegal memory access was encountered",
    "CUDA error: device-side assert triggered",
    "CUDA error: uncorrectable ECC error encountered",
    "CUDA error: CUDA-capable device(s) is/are busy or unavailable",
    "CUDA error: all CUDA-capable devices are busy or unavailable",
    "CUDA error: unknown error",
    "Unable to determine the device handle for GPU0: GPU is lost.  Reboot the system to recover this GPU",
)
_RAM_FULL = (
    MemoryError(),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
        "allocate 4294967296 bytes. Error code 12 (Cannot allocate memory)"
    ),
    RuntimeError(
        "[enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to allocate "
        "4294967296 bytes."
    ),
)


def _found(error: BaseException) -> Problem:
    problem = problem_of(error)
    assert problem is not None
    return problem


@pytest.mark.parametrize("error", _CARD_FULL, ids=str)
def test_a_full_card_is_out_of_memory_on_the_card(error: RuntimeError) -> None:
    problem = _found(error)
    assert (problem.kind, problem.data["where"]) == (ProblemKind.OUT_OF_MEMORY, "card")
    assert "--nar-residency streamed" in problem.sentence


def test_what_was_asked_for_is_said() -> None:
    problem = _found(_CARD_FULL[0])
    assert problem.data["wanted"] == 1.5 * GIB
    assert "1.5 GiB more were asked for" in problem.sentence
    assert _found(_CARD_FULL[2]).data["wanted"] is None


@pytest.mark.parametrize("error", _RAM_FULL, ids=lambda error: str(error)[:60])
def test_full_main_memory_is_named_as_such(error: BaseException) -> None:
    problem = _found(error)
    assert (problem.kind, problem.data["where"]) == (ProblemKind.OUT_OF_MEMORY, "main memory")
    assert "card" not in problem.sentence


def test_torchs_own_refusal_on_this_system_is_recognised() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 50)
    assert _found(caught.value).data["wanted"] == 4 << 50


@pytest.mark.parametrize("words", _LOST)
def test_a_lost_card_ends_the_process_and_not_the_song(words: str) -> None:
    problem = _found(RuntimeError(f"{words}\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions."))
    assert problem.kind is ProblemKind.DEVICE_LOST
    assert problem.data["reason"] == words
    assert "goes on from there" in problem.sentence


@pytest.mark.parametrize(
    "error",
    [
        OSError("The paging file is too small for this operation to complete. (os error 1455)"),
        OSError("Die Auslagerungsdatei ist zu klein. (os error 1455)"),
        OSError("[WinError 1455] The paging file is too small"),
    ],
    ids=str,
)
def test_a_small_paging_file_gets_plain_advice(error: OSError) -> None:
    """Row 24: the advice names the setting."""
    problem = _found(error)
    assert problem.kind is ProblemKind.OUT_OF_MEMORY
    assert "paging file" in problem.sentence
    assert "Virtual memory" in problem.sentence
    assert is_memory_refused(error)


def test_windows_error_number_counts_whatever_the_language() -> None:
    error = OSError("Файл подкачки слишком мал")
    error.winerror = 1455  # type: ignore[attr-defined, unused-ignore]
    assert "paging file" in _found(error).sentence


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("The size of tensor a (3) must match the size of tensor b (4)"),
        ValueError("CUDA out of memory is what this ValueError talks about"),
        FileNotFoundError(errno.ENOENT, "No such file"),
        RuntimeError("No available kernel. Aborting execution."),
    ],
    ids=str,
)
def test_other_errors_are_not_touched(error: Exception) -> None:
    assert problem_of(error) is None
    with pytest.raises(type(error)) as caught, named_failures():
        raise error
    assert caught.value is error


def test_a_problem_stays_what_it_is() -> None:
    problem = Problem(ProblemKind.CANCELLED, "Cancelled.")
    assert problem_of(problem) is problem
    with pytest.raises(Problem) as caught, named_failures():
        raise problem
    assert caught.value is problem


def test_the_tensors_of_a_failed_stage_are_free_before_it_is_tried_again() -> None:
    """An exception that is still held keeps its calls, and these their tensors: a second try would not fit either."""
    seen: list[weakref.ref[torch.Tensor]] = []

    def stage() -> None:
        activation = torch.zeros(8)
        seen.append(weakref.ref(activation))
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")

    with pytest.raises(Problem) as caught, named_failures():
        stage()
    gc.collect()
    assert caught.value.data["wanted"] == 20 << 20
    assert seen[0]() is None
