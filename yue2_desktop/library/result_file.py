"""The result.json of a finished take, as the reference writes it, and what it vouches for when read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import RESULT
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.record import FileMark
from yue2_desktop.song.stages import SAMPLE_RATE


@dataclass(frozen=True)
class TakeResult:
    """A finished take: what it is the render of, its length in samples at 48,000 Hz, its files.

    `timing` gives seconds by name; `weights` is what the take's identity was made with.
    """

    identity: str
    abc_truncated: bool
    semantic_truncated: bool
    samples: int
    weights: Mapping[str, object]
    timing: Mapping[str, float]
    artifacts: Mapping[str, FileMark]

    def to_json(self) -> dict[str, object]:
        """The content of result.json (spec/yue2.md, section 9)."""
        return {
            "status": "complete",
            "identity": self.identity,
            "truncated": {"abc": self.abc_truncated, "semantic": self.semantic_truncated},
            "sample_rate": SAMPLE_RATE,
            "audio_seconds": self.samples / SAMPLE_RATE,
            "weights": dict(self.weights),
            "timing": dict(self.timing),
            "artifacts": {name: asdict(mark) for name, mark in self.artifacts.items()},
        }


@dataclass(frozen=True)
class ResultMarks:
    """What a result.json, of this program or the reference, says of the files beside it."""

    identity: str
    semantic_truncated: bool
    artifacts: Mapping[str, FileMark]


def read_result(folder: Path) -> ResultMarks:
    """The marks in `folder`'s result.json; Problem(BAD_FILE) when it is missing, unfinished or damaged."""
    path = folder / RESULT
    members = read_members(path)
    status = members.text("status")
    if status != "complete":
        raise bad_file(path, f"says that the take is {status}, not complete; render it again")
    artifacts = members.section("artifacts")
    marks = {}
    for name in artifacts.values:
        mark = artifacts.section(name)
        marks[name] = FileMark(sha256=mark.text("sha256"), bytes=mark.whole("bytes"))
    return ResultMarks(
        identity=members.text("identity"),
        semantic_truncated=members.section("truncated").flag("semantic"),
        artifacts=marks,
    )
