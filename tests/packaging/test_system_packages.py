"""The table of system packages: what is there is seen, what is missing is installed or named in one line."""

from __future__ import annotations

import re
import sys
from types import ModuleType, SimpleNamespace

import pytest


@pytest.fixture
def system(system_packages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A Linux whose apt puts what it is asked for in `has`, once its lists are fetched if `stale`."""
    state = SimpleNamespace(has=set(), ran=[], stale=False, broken=False)

    def run(command: list[str], **options: object) -> SimpleNamespace:
        state.ran.append(command[1])
        assert options["env"]["DEBIAN_FRONTEND"] == "noninteractive"  # type: ignore[index]
        if command[1] == "update":
            state.stale = False
        elif not (state.stale or state.broken):
            state.has |= set(command[4:])
            return SimpleNamespace(returncode=0)
        return SimpleNamespace(returncode=100)

    def row(name: str, *, for_set_up: bool = False) -> object:
        return system_packages.SystemPackage(name, f"does {name}", lambda: name in state.has, for_set_up)

    state.table = (row("python3-venv", for_set_up=True), row("libportaudio2"))
    monkeypatch.setattr(system_packages.subprocess, "run", run)
    monkeypatch.setattr(system_packages.sys, "platform", "linux")
    monkeypatch.setattr(system_packages.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system_packages.os, "geteuid", lambda: 0, raising=False)
    return state


def test_nothing_is_asked_of_apt_when_all_is_there(system_packages, system) -> None:
    system.has = {"python3-venv", "libportaudio2"}
    assert system_packages.ensure(set_up=True, table=system.table) is None
    assert system.ran == []


def test_root_gets_it_installed(system_packages, system) -> None:
    assert system_packages.ensure(set_up=True, table=system.table) is None
    assert system.ran == ["install"]
    assert system.has == {"python3-venv", "libportaudio2"}


def test_old_lists_are_fetched_once(system_packages, system) -> None:
    system.stale = True
    assert system_packages.ensure(set_up=True, table=system.table) is None
    assert system.ran == ["install", "update", "install"]


def test_what_apt_cannot_give_is_named(system_packages, system) -> None:
    system.broken = True
    sentence = system_packages.ensure(set_up=True, table=system.table)
    assert "python3-venv (does python3-venv), libportaudio2 (does libportaudio2)" in sentence


def test_without_root_one_line_is_printed_and_nothing_run(system_packages, system, monkeypatch) -> None:
    monkeypatch.setattr(system_packages.os, "geteuid", lambda: 1000)
    sentence = system_packages.ensure(set_up=True, table=system.table)
    assert sentence.splitlines()[-1] == "    sudo apt-get install --yes python3-venv libportaudio2"
    assert system.ran == []


def test_another_linux_is_told_the_names(system_packages, system, monkeypatch) -> None:
    monkeypatch.setattr(system_packages.shutil, "which", lambda name: None)
    sentence = system_packages.ensure(set_up=True, table=system.table)
    assert "libportaudio2" in sentence
    assert "package manager" in sentence
    assert system.ran == []


def test_packages_of_the_set_up_are_not_asked_for_when_it_is_done(system_packages, system) -> None:
    assert [row.debian for row in system_packages.missing(system.table, set_up=False)] == ["libportaudio2"]


def test_windows_is_left_alone(system_packages, system, monkeypatch) -> None:
    monkeypatch.setattr(system_packages.sys, "platform", "win32")
    assert system_packages.ensure(set_up=True, table=system.table) is None
    assert system.ran == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of Linux libraries")
def test_a_library_is_looked_for_by_loading_it(system_packages) -> None:
    assert system_packages.library("libc.so.6")()
    assert not system_packages.library("libyue2-is-not-there.so.1")()


def test_the_real_table_is_well_formed_and_this_machine_has_it_all(system_packages) -> None:
    names = [row.debian for row in system_packages.TABLE]
    assert len(names) == len(set(names)) >= 1
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", name) for name in names)
    assert system_packages.missing(system_packages.TABLE, set_up=False) == []
