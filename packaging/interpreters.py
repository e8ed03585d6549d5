"""Which Python runs the program: the one at hand if it is supported, else one that is found on this machine.

This module and dev.py are read by whatever Python the user typed, so they keep to the syntax of Python 3.8.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: First supported version, and the first that is not: `requires-python` in pyproject.toml.
OLDEST = (3, 11)
TOO_NEW = (3, 14)

_PROBE = "import struct, sys; print(sys.version_info[0], sys.version_info[1], struct.calcsize('P') * 8)"


@dataclass(frozen=True)
class Interpreter:
    """A Python: its version, the bits of its addresses, and where it is where that is known."""

    version: tuple[int, int]
    bits: int
    path: str = ""


def this_one() -> Interpreter:
    """The Python that runs this file."""
    return Interpreter((sys.version_info[0], sys.version_info[1]), struct.calcsize("P") * 8, sys.executable)


def is_supported(interpreter: Interpreter) -> bool:
    """Whether the program can run on it; torch exists for 64 bits only."""
    return OLDEST <= interpreter.version < TOO_NEW and interpreter.bits == 64


def candidates(*, windows: bool) -> list[list[str]]:
    """Commands that may start a supported Python, the best tested version first."""
    versions = [f"3.{minor}" for minor in range(OLDEST[1], TOO_NEW[1])]
    launcher = [["py", f"-{version}"] for version in versions] if windows else []
    return launcher + [[f"python{version}"] for version in versions]


def find_supported(
    commands: Sequence[list[str]], ask: Callable[[list[str]], Interpreter | None] | None = None
) -> list[str] | None:
    """The first command that really starts a supported Python, or None; `ask` stands in for starting it.

    Being on the PATH is not enough: pyenv leaves shims there for versions that are not active, and Windows
    a `python.exe` that opens its shop.
    """
    for command in commands:
        found = (ask or _ask)(command)
        if found is not None and is_supported(found):
            return command
    return None


def what_is_missing(interpreter: Interpreter) -> str:
    """The sentence for a machine without a supported Python."""
    version = ".".join(map(str, interpreter.version))
    return (
        f"YuE2 Desktop needs a 64-bit Python 3.{OLDEST[1]} to 3.{TOO_NEW[1] - 1}; this is a {interpreter.bits}-bit "
        f"Python {version} ({interpreter.path}) and no other was found. Get one with 'sudo apt-get install python3 "
        "python3-venv' (Debian 12), 'winget install Python.Python.3.12' (Windows) or from python.org, and run the "
        "same command again."
    )


def _ask(command: list[str]) -> Interpreter | None:
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run([program, *command[1:], "-c", _PROBE], capture_output=True, timeout=30, check=True)
        major, minor, bits = (int(word) for word in done.stdout.split())
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Interpreter((major, minor), bits, program)
