"""Facts of the host from files, and this very machine: nothing raises, nothing imports torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from yue2_desktop.plan.facts import CpuFacts
from yue2_desktop.plan.probe import read_machine
from yue2_desktop.plan.probe_host import read_commit, read_cpu, read_disk, read_ram
from yue2_desktop.plan.probe_torch import read_torch
from yue2_desktop.plan.probe_windows import MemoryStatus, free_commit


def test_this_machine(tmp_path: Path) -> None:
    probed = read_machine(tmp_path / "not" / "there" / "yet")
    machine = probed.machine
    assert machine.ram_free is not None
    assert machine.disk_free is not None
    assert machine.cpu.cores is not None
    assert machine.cpu.cores >= 1
    assert not machine.pretended


def test_torch_is_not_imported() -> None:
    code = (
        "import sys; from pathlib import Path; from yue2_desktop.plan.probe import read_machine; "
        "read_machine(Path.cwd()); import yue2_desktop.plan.check, yue2_desktop.plan.fit_text; "
        "sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_torch_is_read_from_its_version_file(tmp_path: Path) -> None:
    (tmp_path / "version.py").write_text(
        "from typing import Optional\n__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\nhip = None\n",
        encoding="utf-8",
    )
    facts = read_torch(tmp_path)
    assert facts is not None
    assert (facts.version, facts.cuda) == ("2.13.0+cu130", "13.0")


@pytest.mark.parametrize("line", ["cuda: Optional[str] = None", "cuda = None"])
def test_a_build_without_cuda(tmp_path: Path, line: str) -> None:
    (tmp_path / "version.py").write_text(f"__version__ = '2.13.0+cpu'\n{line}\n", encoding="utf-8")
    facts = read_torch(tmp_path)
    assert facts is not None
    assert facts.cuda is None


def test_a_torch_that_cannot_be_read_is_unknown(tmp_path: Path) -> None:
    assert read_torch(tmp_path) is None
    (tmp_path / "version.py").write_text("nothing of note\n", encoding="utf-8")
    assert read_torch(tmp_path) is None
    (tmp_path / "version.py").write_bytes(b"\xff\xfe")
    assert read_torch(tmp_path) is None


def _proc(folder: Path, mode: str, meminfo: str) -> Path:
    (folder / "sys" / "vm").mkdir(parents=True)
    (folder / "sys" / "vm" / "overcommit_memory").write_text(mode, encoding="utf-8")
    (folder / "meminfo").write_text(meminfo, encoding="utf-8")
    return folder


MEMINFO = "MemTotal: 16000 kB\nCommitLimit: 12000 kB\nCommitted_AS: 5000 kB\n"


def test_the_commit_limit_binds_on_linux_only_where_it_is_strict(tmp_path: Path) -> None:
    assert read_commit("linux", _proc(tmp_path / "strict", "2\n", MEMINFO)) == 7000 * 1024
    assert read_commit("linux", _proc(tmp_path / "usual", "0\n", MEMINFO)) is None
    assert read_commit("linux", _proc(tmp_path / "odd", "2\n", "CommitLimit: many kB\nCommitted_AS: 1 kB\n")) is None
    assert read_commit("linux", tmp_path / "missing") is None
    assert read_commit("darwin") is None
    over = _proc(tmp_path / "over", "2\n", "CommitLimit: 1000 kB\nCommitted_AS: 5000 kB\n")
    assert read_commit("linux", over) == 0, "never negative"


def test_windows_facts_are_unknown_elsewhere() -> None:
    if sys.platform != "win32":
        assert free_commit() is None
    # MEMORYSTATUSEX is 64 bytes; another size makes the API refuse the call.
    assert (
        sum(8 if name.endswith(("ram", "commit", "virtual", "extended")) else 4 for name, _ in MemoryStatus._fields_)
        == 64
    )


def test_instruction_sets(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(
        "processor: 0\nmodel name\t: Ryzen 7 8845HS\nflags\t\t: fpu avx2 avx512_bf16 avx512_vnni\n", encoding="utf-8"
    )
    cpu = read_cpu(cpuinfo)
    assert (cpu.name, cpu.avx2, cpu.avx512_bf16, cpu.amx, cpu.vnni) == ("Ryzen 7 8845HS", True, True, False, True)
    cpuinfo.write_text("model name: old\nflags: fpu sse2\n", encoding="utf-8")
    assert read_cpu(cpuinfo).avx2 is False
    unknown = read_cpu(tmp_path / "missing")
    assert (unknown.avx512_bf16, unknown.vnni) == (None, None)
    assert not CpuFacts().fast_bf16
    assert CpuFacts(amx=True).fast_bf16


def test_memory_that_cannot_be_read_is_unknown_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> SimpleNamespace:
        raise OSError("no /proc here")

    monkeypatch.setattr(psutil, "virtual_memory", broken)
    reading = read_ram()
    assert (reading.total, reading.free) == (None, None)
    assert reading.reason == "The main memory could not be read: no /proc here."


def test_a_disk_that_cannot_be_read_is_unknown_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise OSError("not ready")

    monkeypatch.setattr("shutil.disk_usage", broken)
    reading = read_disk(tmp_path)
    assert reading.free is None
    assert reading.reason is not None
    assert reading.reason.endswith("could not be read: not ready.")
