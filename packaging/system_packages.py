"""What the program needs from the system: one table, installed with apt where that is allowed, else named."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from display import has_display


@dataclass(frozen=True)
class SystemPackage:
    """One Debian package: what it is for, and how its presence is seen.

    `for_set_up` packages are looked for only when `.venv` has to be made.
    """

    debian: str
    purpose: str
    is_there: Callable[[], bool]
    for_set_up: bool = False


def library(soname: str) -> Callable[[], bool]:
    """A check that the dynamic linker finds `soname`, which is what the program will ask it for."""

    def is_there() -> bool:
        try:
            ctypes.CDLL(soname)
        except OSError:
            return False
        return True

    return is_there


def _can_make_environments() -> bool:
    return importlib.util.find_spec("ensurepip") is not None


def on_a_screen(soname: str) -> Callable[[], bool]:
    """As `library`, for what only a window on a screen needs: where there is none, nothing is missed."""
    is_there = library(soname)

    def is_there_or_unneeded() -> bool:
        return not has_display(sys.platform, os.environ) or is_there()

    return is_there_or_unneeded


#: Torch, numpy and soundfile bring their libraries in their wheels; Qt brings itself, but not what it draws with.
TABLE: tuple[SystemPackage, ...] = (
    SystemPackage(
        f"python3.{sys.version_info.minor}-venv", "makes the .venv folder", _can_make_environments, for_set_up=True
    ),
    SystemPackage("libegl1", "draws the window", library("libEGL.so.1")),
    SystemPackage("libgl1", "draws the window", library("libGL.so.1")),
    SystemPackage("libxkbcommon0", "reads the keyboard", library("libxkbcommon.so.0")),
    SystemPackage("libdbus-1-3", "talks to the desktop", library("libdbus-1.so.3")),
    SystemPackage("libfontconfig1", "finds fonts", library("libfontconfig.so.1")),
    SystemPackage("libglib2.0-0", "talks to the desktop", library("libglib-2.0.so.0")),
    SystemPackage("libportaudio2", "plays sound", library("libportaudio.so.2")),
    SystemPackage("libxcb-cursor0", "opens the window", on_a_screen("libxcb-cursor.so.0")),
    SystemPackage("libxkbcommon-x11-0", "reads the keyboard", on_a_screen("libxkbcommon-x11.so.0")),
    SystemPackage("libxcb-icccm4", "opens the window", on_a_screen("libxcb-icccm.so.4")),
    SystemPackage("libxcb-image0", "opens the window", on_a_screen("libxcb-image.so.0")),
    SystemPackage("libxcb-keysyms1", "opens the window", on_a_screen("libxcb-keysyms.so.1")),
    SystemPackage("libxcb-render-util0", "opens the window", on_a_screen("libxcb-render-util.so.0")),
    SystemPackage("libxcb-shape0", "opens the window", on_a_screen("libxcb-shape.so.0")),
)


def missing(table: Sequence[SystemPackage], *, set_up: bool) -> list[SystemPackage]:
    """The rows that this machine lacks, in the table's order."""
    return [row for row in table if (set_up or not row.for_set_up) and not row.is_there()]


def one_line(packages: Sequence[SystemPackage]) -> str:
    """The command that a user without root rights has to run."""
    return "sudo apt-get install --yes " + " ".join(row.debian for row in packages)


def ensure(*, set_up: bool, table: Sequence[SystemPackage] = TABLE) -> str | None:
    """Install what is missing; None when all is there, else the sentence that says what to do.

    Only Linux is looked at: on Windows the wheels and Python's own installer bring everything.
    """
    if not sys.platform.startswith("linux"):
        return None
    lacking = missing(table, set_up=set_up)
    if lacking and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing from Debian: " + ", ".join(f"{row.debian} ({row.purpose})" for row in lacking))
        _apt_install([row.debian for row in lacking])
        importlib.invalidate_caches()
        lacking = missing(lacking, set_up=set_up)
    if not lacking:
        return None
    wants = ", ".join(f"{row.debian} ({row.purpose})" for row in lacking)
    if shutil.which("apt-get"):
        return f"The system lacks {wants}. Run this line, then the same command again:\n    {one_line(lacking)}"
    return f"The system lacks what Debian calls {wants}; install it with your package manager and run this again."


def _apt_install(names: list[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *names]
    # A fresh container has no package lists, and old lists name files that are gone: fetch them and try again.
    # That the packages are there is checked afterwards, whatever apt said.
    if subprocess.run(install, env=environment, check=False).returncode != 0:
        subprocess.run(["apt-get", "update"], env=environment, check=False)
        subprocess.run(install, env=environment, check=False)
