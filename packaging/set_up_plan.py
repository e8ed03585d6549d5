"""What is left to do for a `.venv`: decided from what was noted in it and what the checkout wants."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

_NOTE = "yue2-set-up.json"
#: What a wheel of the project is made from.
_PACKAGED = (
    "yue2_desktop", "resources", "pyproject.toml", "README.md", "LICENSE", "packaging/THIRD_PARTY_NOTICES.md",
)  # fmt: skip


class Step(Enum):
    """The steps of a set-up, in the order in which they are done."""

    MAKE = "make .venv"
    DEPENDENCIES = "install the dependencies"
    PROJECT = "install the project"


@dataclass(frozen=True)
class State:
    """What a `.venv` says of itself; a folder without a note says nothing.

    `interrupted` stands while the folder is made and pip works in it: a set-up that was killed left who knows what.
    """

    location: str = ""
    requirements: tuple[str, ...] = ()
    project: str = ""
    interrupted: bool = False


@dataclass(frozen=True)
class Wanted:
    """What the checkout asks for: where, which requirements, and the hash of the tree to be installed."""

    location: str
    requirements: tuple[str, ...]
    project: str


def plan(state: State, wanted: Wanted, *, works: bool) -> tuple[Step, ...]:
    """The steps that bring a `.venv` in this state to what is wanted; none if it is there.

    A folder that was moved is made anew, since the scripts in it name its old place. Requirements that are
    installed and no longer asked for stay: `run` wants fewer than `test`.
    """
    moved = state.location not in {"", wanted.location}
    if not works or moved or state.interrupted:
        return tuple(Step)
    steps = []
    if not set(wanted.requirements) <= set(state.requirements):
        steps.append(Step.DEPENDENCIES)
    if state.project != wanted.project:
        steps.append(Step.PROJECT)
    return tuple(steps)


def requirements(project: Mapping[str, object], *, for_tests: bool) -> tuple[str, ...]:
    """The requirements of a parsed pyproject.toml, with those of the build, which runs in the same folder."""
    table: dict[str, object] = dict(project["project"])  # type: ignore[call-overload]
    found = [*table["dependencies"], *project["build-system"]["requires"]]  # type: ignore[misc,index]
    if for_tests:
        found += table["optional-dependencies"]["dev"]  # type: ignore[index]
    return tuple(sorted(found))


def tree_hash(root: Path) -> str:
    """One hash over the names and bytes of all that goes into a wheel."""
    digest = hashlib.sha256()
    for name in _PACKAGED:
        top = root / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(root).as_posix()}\0".encode("utf-8", "surrogateescape"))
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def read_state(venv: Path) -> State:
    """What was noted in `venv`; the empty state where there is no note or none that can be read."""
    try:
        noted = json.loads((venv / _NOTE).read_text(encoding="utf-8"))
        return State(
            str(noted["location"]), tuple(noted["requirements"]), str(noted["project"]), bool(noted["interrupted"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return State()


def write_state(venv: Path, state: State) -> None:
    """Note `state` in `venv`, in one step."""
    partial = venv / f"{_NOTE}.partial"
    partial.write_text(json.dumps(asdict(state), indent=2) + "\n", encoding="utf-8")
    os.replace(partial, venv / _NOTE)
