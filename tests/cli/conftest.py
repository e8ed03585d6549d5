"""The command line in this process and in processes of its own, on the test model."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from yue2_desktop.__main__ import main
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.testmodel import TestModel

ROOT = Path(__file__).parents[2]
#: Far above what any step of these tests takes; a test that hangs must end.
PATIENCE_S = 60.0


_TOKENIZERS: dict[tuple[int, int, int], Tokenizer] = {}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Spares a tiny render what takes most of its time here: reading 151,643 ranks, collecting all of pytest.

    The same tokenizer file is read once; the objects that are there before a test are none of its garbage.
    """
    read = Tokenizer.from_file

    def from_file(path: Path) -> Tokenizer:
        state = path.stat()
        key = (state.st_ino, state.st_mtime_ns, state.st_size)
        if key not in _TOKENIZERS:
            _TOKENIZERS[key] = read(path)
        return _TOKENIZERS[key]

    monkeypatch.setattr(Tokenizer, "from_file", from_file)
    gc.freeze()
    yield
    gc.unfreeze()


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """The JSON lines of stdout; fails where a line is anything else."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Runs a command line in this process."""

    def run(*argv: object) -> Ended:
        capsys.readouterr()
        status = main([str(arg) for arg in argv])
        printed = capsys.readouterr()
        return Ended(status, printed.out, printed.err)

    return run


@pytest.fixture
def models(test_model: TestModel) -> tuple[str, ...]:
    """The options that name the test model, on the CPU in float32."""
    return (
        "--model", str(test_model.model_dir), "--vae", str(test_model.vae_dir), "--device", "cpu", "--dtype", "float32",
    )  # fmt: skip


#: No UTF-8 mode and an ASCII locale: what open() and the names of files are read in by default.
ASCII_LOCALE = {
    "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "LANG": "C", "PYTHONWARNDEFAULTENCODING": "1",
}  # fmt: skip


@pytest.fixture
def ascii_locale() -> Mapping[str, str]:
    """The environment of an ASCII locale, for a process of its own."""
    if not sys.prefix.isascii():
        pytest.skip("cffi cannot load soundfile's library from such an installation folder in this locale")
    return ASCII_LOCALE


#: A song of a second: every stage, a few tokens each.
TINY = (
    "--style", "English, piano pop", "--lyrics", "[Verse]\nhello\n", "--seed", "7", "--ode-steps", "2",
    "--vae-core", "8", "--max-frames", "12", "--abc-sampling", '{"min_tokens": 4, "max_tokens": 6}',
    "--allow-bad-score",
)  # fmt: skip


@pytest.fixture
def tiny(models: tuple[str, ...]) -> tuple[str, ...]:
    """The options of a tiny song with the test model; --output is still to be given."""
    return (*TINY, *models)


@pytest.fixture(scope="session")
def finished(test_model: TestModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole tiny take, made once; tests read it and never write into it."""
    folder = tmp_path_factory.mktemp("finished") / "take"
    home = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA"):
            patch.setenv(name, home)
        options = (
            "--model",
            test_model.model_dir,
            "--vae",
            test_model.vae_dir,
            "--device",
            "cpu",
            "--dtype",
            "float32",
        )
        assert main(["render", *TINY, *map(str, options), "--output", str(folder), "--quiet"]) == 0
    return folder


@dataclass
class Running:
    """A command in a process of its own; its JSON events arrive in `events` while it runs."""

    process: subprocess.Popen[str]
    events: list[dict[str, Any]] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _readers: list[threading.Thread] = field(default_factory=list)

    def read(self) -> None:
        """Starts to collect what the process prints."""
        for stream, take in ((self.process.stdout, self._event), (self.process.stderr, self.err.append)):
            assert stream is not None
            reader = threading.Thread(target=lambda stream=stream, take=take: [take(line) for line in stream])
            reader.start()
            self._readers.append(reader)

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Waits until an event that is `wanted` has arrived."""
        end = time.monotonic() + PATIENCE_S
        with self._arrived:
            while not any(wanted(event) for event in self.events):
                assert self.process.poll() is None, f"ended with {self.process.returncode}: {''.join(self.err)}"
                assert time.monotonic() < end, f"no such event in {PATIENCE_S} s; the last was {self.events[-1:]}"
                self._arrived.wait(0.05)

    def send(self, number: int) -> float:
        """Sends a signal and waits for the end; the seconds that it took."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)
        took = time.monotonic() - start
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return took

    def _event(self, line: str) -> None:
        with self._arrived:
            self.events.append(json.loads(line))
            self._arrived.notify_all()


@pytest.fixture
def spawn() -> Iterator[Callable[..., Running]]:
    """Starts `python -m yue2_desktop ... --json`; whatever still runs at the end of the test is killed."""
    started: list[Running] = []
    # A runner in the background may have been started with Ctrl-C ignored, which its children inherit.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)

    def start(
        *argv: object, program: tuple[str, ...] = ("-m", "yue2_desktop"), env: Mapping[str, str] | None = None
    ) -> Running:
        process = subprocess.Popen(
            [sys.executable, *program, *(str(arg) for arg in argv), "--json"],
            cwd=ROOT,
            env=environment(**(env or {})),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        running = Running(process)
        started.append(running)
        running.read()
        return running

    yield start
    for running in started:
        if running.process.poll() is None:
            running.send(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        for stream in (running.process.stdout, running.process.stderr):
            assert stream is not None
            stream.close()
    signal.signal(signal.SIGINT, previous)


def environment(**more: str) -> dict[str, str]:
    """The environment of a child: this one's with `more`, one thread, the checkout importable."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), **more}


@pytest.fixture
def run_process() -> Callable[..., Ended]:
    """Runs a command line in a process of its own to its end."""

    def run(*argv: object, env: Mapping[str, str] | None = None) -> Ended:
        command = [sys.executable, "-m", "yue2_desktop", *(str(arg) for arg in argv)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment(**(env or {})), capture_output=True, check=False, timeout=PATIENCE_S
        )
        return Ended(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return run


@pytest.fixture
def content() -> Callable[[Path], dict[str, bytes]]:
    """The bytes of a take's files, but for those that say when and how fast it was made."""

    def read(folder: Path) -> dict[str, bytes]:
        timed = {"take.json", "result.json", "plan.json", "plan_manifest.json"}
        return {
            path.name: path.read_bytes()
            for path in sorted(folder.iterdir())
            if path.is_file() and path.name not in timed
        }

    return read
