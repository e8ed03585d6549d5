"""What probes found on a card: verdicts as values, kept as JSON for each card, driver and torch build.

Nothing here imports torch, so that a planner without it can read what the engine has found.
"""

from __future__ import annotations

import json
import logging
import math
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.paths import cache_folder
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.textfile import read_json
from yue2_desktop.song.wording import path_text

#: Changes when the probed code or the probes do, so that old verdicts are forgotten.
_VERSION: Final = 1
#: A path whose probe never came to an end so often is left alone: it takes the process with it.
_ATTEMPTS: Final = 2

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Verdict:
    """Whether a path may be used, and why.

    `error` is its relative error against the plain path; `speed` how many times as fast as that it is. None where
    the probe did not come so far.
    """

    ok: bool
    reason: str
    error: float | None = None
    speed: float | None = None


def judged(errors: Iterable[float], limit: float) -> Verdict:
    """Accepts errors that are all within `limit`; one that is not a number never is."""
    worst = max(errors, key=lambda error: math.inf if math.isnan(error) else error)
    if worst <= limit:
        return Verdict(True, f"agrees to {worst:.1e}", worst)
    return Verdict(False, f"differs by {worst:.1e}, {limit:.1e} is allowed", worst)


def verdict_file() -> Path:
    """Where verdicts are kept."""
    return cache_folder() / "card-paths.json"


def machine_key(card: str, driver: str | None, torch_version: str, cuda: str | None) -> str:
    """What verdicts hold for: the card's name, its driver, the torch build and its CUDA."""
    return f"{card}|{driver or '?'}|torch {torch_version} cuda {cuda or '?'}"


def verdict_name(path: str, dtype: str) -> str:
    """The name of a path's verdict for numbers of a dtype (`bfloat16`)."""
    return f"{path} {dtype}"


class VerdictStore:
    """The verdicts of one machine (`key`: card, driver, torch build) in a file that other machines may share.

    A damaged file counts as none. A file that cannot be written costs probing again, and is said in the log.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        self._key = key

    def get(self, name: str) -> Verdict | None:
        """The verdict on a path; None when it must be probed.

        A path whose probe was begun twice and never ended is rejected.
        """
        entry = self._entries().get(name)
        begun = _begun(entry)
        if begun >= _ATTEMPTS:
            return Verdict(False, f"the program ended {begun} times while it was probed")
        return None if begun else _verdict(entry)

    def begin(self, name: str) -> None:
        """Notes that a probe begins, so that one which ends the process is not begun for ever."""
        self._write(name, {"begun": _begun(self._entries().get(name)) + 1})

    def put(self, name: str, verdict: Verdict) -> None:
        figures = {"error": _figure(verdict.error), "speed": _figure(verdict.speed)}
        self._write(name, {"ok": verdict.ok, "reason": verdict.reason, **figures})

    def forget(self, name: str) -> None:
        """As if the path had never been probed."""
        self._write(name, None)

    def _entries(self) -> dict[str, object]:
        entries = _machines(self._path).get(self._key)
        return entries if isinstance(entries, dict) else {}

    def _write(self, name: str, entry: Mapping[str, object] | None) -> None:
        # Read again at each write: another process may have probed another card meanwhile.
        machines = _machines(self._path)
        known = machines.get(self._key)
        mine = {**known, name: entry} if isinstance(known, dict) else {name: entry}
        if entry is None:
            del mine[name]
        whole = {"version": _VERSION, "machines": {**machines, self._key: mine}}
        try:
            _replace(self._path, json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
        except OSError as error:
            _log.warning("the verdicts on the card's kernels could not be kept in %s: %s", self._path, error)


def _machines(path: Path) -> dict[str, object]:
    if not path.exists():
        return {}
    try:
        value = read_json(path, "list of verdicts")
    except Problem as problem:
        _log.warning("%s The card's kernels are probed again.", problem.sentence)
        return {}
    if not isinstance(value, dict) or value.get("version") != _VERSION or not isinstance(value.get("machines"), dict):
        _log.warning("%s is of another version or damaged: the card's kernels are probed again", path_text(path))
        return {}
    machines: dict[str, object] = value["machines"]
    return machines


def _begun(entry: object) -> int:
    begun = entry.get("begun") if isinstance(entry, dict) else None
    return begun if isinstance(begun, int) and not isinstance(begun, bool) and begun > 0 else 0


def _verdict(entry: object) -> Verdict | None:
    if not isinstance(entry, dict) or type(entry.get("ok")) is not bool or not isinstance(entry.get("reason"), str):
        return None
    return Verdict(entry["ok"], entry["reason"], _figure(entry.get("error")), _figure(entry.get("speed")))


def _figure(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
