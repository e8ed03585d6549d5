"""Killed or stopped in every stage: nothing is lost, the rest is made from the last token or step."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pace import pace
from yue2_desktop.cli.interrupt import GRACE_S, Interruptible
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.record import read_record

Cli = Callable[..., Any]
Spawn = Callable[..., Any]

#: Long enough in each stage (about a second) to be stopped there, with one thread on a slow machine.
SLOW = (
    "--style", "English, piano pop", "--lyrics", "[Verse]\nhello\n", "--seed", "7", "--ode-steps", "32",
    "--vae-core", "2", "--max-frames", "80", "--abc-sampling", '{"min_tokens": 40, "max_tokens": 40}',
    "--allow-bad-score",
)  # fmt: skip
#: The stages with the names that progress events give them.
STAGES = {"score": "plan", "semantic": "semantic", "acoustic": "latents", "decode": "audio"}


@pytest.fixture(scope="module")
def uninterrupted(test_model: TestModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same song made in one go."""
    from yue2_desktop.__main__ import main

    folder = tmp_path_factory.mktemp("uninterrupted") / "take"
    home = str(tmp_path_factory.mktemp("home"))
    models = ("--model", test_model.model_dir, "--vae", test_model.vae_dir, "--device", "cpu", "--dtype", "float32")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA"):
            patch.setenv(name, home)
        assert main(["render", *SLOW, *map(str, models), "--output", str(folder), "--quiet"]) == 0
    return folder


def _in(stage: str, done: int = 1) -> Callable[[dict[str, Any]], bool]:
    return lambda event: (
        event["event"] == "progress"
        and event["stage"] == stage
        and event["unit"] != "layers loaded"
        and event["done"] >= done
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no SIGKILL; the journal is tested there, too")
def test_killed_in_every_stage(
    spawn: Spawn,
    cli: Cli,
    ascii_locale: Mapping[str, str],
    test_model: TestModel,
    models: tuple[str, ...],
    uninterrupted: Path,
    tmp_path: Path,
    content: Callable[[Path], dict[str, bytes]],
) -> None:
    """One take, killed in each stage in turn and gone on with: nothing is made twice, and not a bit differs.

    In fp32 on one machine the tokens are the same too (a prefill and a decode round differently in bf16 only). The
    folders have names of many scripts and the locale is ASCII; the last process of the chain has another one.
    """
    out = tmp_path / "Алёна" / "音乐 (новое)" / "☃ 🤣"
    model = out.parent / "модель"
    shutil.copytree(test_model.model_dir, model, copy_function=os.link)
    models = ("--model", str(model), *models[2:])
    start = ("render", *SLOW, *models, "--output", out)
    earlier, kept = "", 0
    for stage, name in STAGES.items():
        running = spawn(*start, env=ascii_locale)
        running.wait_for(_in(stage))
        running.send(signal.SIGKILL)
        told = [event for event in running.events if event["event"] == "progress"]
        begun = [event["stage"] for event in running.events if event["event"] == "stage-begin"]
        if start[1] == "--resume":
            # It goes on in the stage that was broken, from no less than what had been reported there.
            assert begun == [earlier, name]
            assert next(event["done"] for event in told if event["unit"] != "layers loaded") >= kept
        assert [s for s in TakeStage if read_record(out).stages[s].state == "running"] == [name]
        start, earlier, kept = ("render", "--resume", out), name, told[-1]["done"]
    ended = cli("render", "--resume", out, "--json")
    assert ended.status == 0
    assert [event["stage"] for event in ended.events if event["event"] == "stage-begin"] == ["audio"]
    assert content(out) == content(uninterrupted)
    record = read_record(out)
    resumed = {stage: record.stages[stage].note.resumed for stage in TakeStage}
    assert resumed == {
        TakeStage.PLAN: True, TakeStage.SEMANTIC: True, TakeStage.LATENTS: True, TakeStage.AUDIO: False,
    }  # fmt: skip
    assert record.identity == read_record(uninterrupted).identity
    assert not (out / "journal").exists()


def test_ctrl_c_in_every_stage(
    spawn: Spawn,
    cli: Cli,
    models: tuple[str, ...],
    uninterrupted: Path,
    tmp_path: Path,
    content: Callable[[Path], dict[str, bytes]],
) -> None:
    """Gone within a second with 130, says what is kept and how to go on; so does a request to terminate."""
    out = tmp_path / "take"
    start = ("render", *SLOW, *models, "--output", out)
    for stage, name in STAGES.items():
        running = spawn(*start)
        running.wait_for(_in(stage))
        number = signal.SIGTERM if stage == "acoustic" else signal.SIGINT
        assert running.send(number) < 1.0 * pace()
        assert running.process.returncode == 130
        assert running.events[-1]["event"] == "problem"
        assert running.events[-1]["kind"] == "cancelled"
        said = "".join(running.err)
        assert f"Go on with: yue2-desktop render --resume {out}" in said
        assert read_record(out).stages[TakeStage(name)].state == "cancelled"
        start = ("render", "--resume", out)
    assert cli("render", "--resume", out, "--quiet").status == 0
    assert content(out) == content(uninterrupted)


#: A stage that is deaf: one operator that computes for a minute, as a big layer on a slow machine does.
_DEAF = """
import sys, torch
from yue2_desktop.engine.pipeline import Pipeline
def deaf(*args, **kwargs):
    x = torch.randn(3000, 3000, dtype=torch.float64)
    print('{"event": "deaf"}', flush=True)
    torch.linalg.matrix_power(x, 2**40)
Pipeline.acoustic = deaf
from yue2_desktop.__main__ import main
sys.exit(main())
"""


def test_ctrl_c_while_an_operator_computes(
    spawn: Spawn, models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    """The process ends itself when the stage does not listen; what was finished is there."""
    out = tmp_path / "take"
    again = ("render", "--from-take", finished, "--reuse", "semantic", *models, "--output", out)
    running = spawn(*again, program=("-c", _DEAF))
    running.wait_for(lambda event: event["event"] == "deaf")
    time.sleep(0.2)
    took = running.send(signal.SIGINT)
    assert running.process.returncode == 130
    assert GRACE_S - 0.1 < took < 1.0 * pace()
    assert running.events[-1]["kind"] == "cancelled"
    assert "the score, the singing" in running.events[-1]["kept"]
    assert (out / "semantic.npy").exists()


@pytest.fixture
def ends() -> list[int]:
    return []


@pytest.fixture
def interruptible(ends: list[int]) -> Iterator[Interruptible]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Interruptible(end=ends.append) as opened:
        yield opened
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    for number, handler in before.items():
        signal.signal(number, handler)
    assert not [thread for thread in threading.enumerate() if thread.name == "interrupt"]


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_first_cancels_the_second_ends(interruptible: Interruptible, ends: list[int]) -> None:
    removed: list[str] = []
    interruptible.last_words = lambda: removed.append("the file that was begun")
    signal.raise_signal(signal.SIGINT)
    _until(lambda: interruptible.cancel.cancelled)
    signal.raise_signal(signal.SIGINT)
    _until(lambda: ends)
    assert removed
    assert ends[0] == 130


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
def test_a_closed_terminal_cancels(interruptible: Interruptible) -> None:
    signal.raise_signal(signal.SIGHUP)
    _until(lambda: interruptible.cancel.cancelled)


def test_last_words_then_the_end(interruptible: Interruptible, ends: list[int]) -> None:
    said: list[str] = []
    interruptible.last_words = lambda: said.append("kept")
    signal.raise_signal(signal.SIGTERM)
    _until(lambda: ends)
    assert said == ["kept"]
    assert ends[0] == 130


def test_last_words_that_hang_do_not_hold_up_the_end(interruptible: Interruptible, ends: list[int]) -> None:
    """A terminal that is stopped with Ctrl-S takes no more words."""
    stuck = threading.Event()
    interruptible.last_words = lambda: stuck.wait(5) and None
    signal.raise_signal(signal.SIGINT)
    _until(lambda: ends)
    assert ends == [130]
    stuck.set()
    _until(lambda: len(ends) == 2)


def test_away_from_the_main_thread_signals_are_left_alone() -> None:
    handler = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    def elsewhere() -> None:
        with Interruptible() as opened:
            seen.append(signal.getsignal(signal.SIGINT))
            opened.cancel.cancel()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(5)
    assert seen == [handler]


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    """Started by nohup, or by a shell in the background."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interruptible() as opened:
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
            assert not opened.cancel.cancelled
    finally:
        signal.signal(signal.SIGINT, previous)
