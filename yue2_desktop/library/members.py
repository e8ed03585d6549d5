"""Typed access to the members of a JSON object that was read from a file, with the place in every complaint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.library.reading import bad_file, read_file
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.textfile import decode_utf8, parse_json
from yue2_desktop.song.wording import shown


@dataclass(frozen=True)
class Members:
    """The members of one object; `place` is its dotted name in the file, empty for the outermost one.

    Every method raises Problem(BAD_FILE) naming file and member when the member is absent or of another type.
    The `optional_` ones answer None for an absent or null member.
    """

    values: Mapping[str, object]
    path: Path
    place: str = ""

    def text(self, name: str) -> str:
        """The member as str."""
        value = self._required(name)
        if not isinstance(value, str):
            raise self.problem(name, "text", value)
        return value

    def optional_text(self, name: str) -> str | None:
        """The member as str or None."""
        return None if self.values.get(name) is None else self.text(name)

    def flag(self, name: str) -> bool:
        """The member as bool."""
        value = self._required(name)
        if not isinstance(value, bool):
            raise self.problem(name, "true or false", value)
        return value

    def optional_flag(self, name: str) -> bool | None:
        """The member as bool or None."""
        return None if self.values.get(name) is None else self.flag(name)

    def whole(self, name: str) -> int:
        """The member as int >= 0."""
        value = self._required(name)
        if type(value) is not int or value < 0:
            raise self.problem(name, "a whole number, 0 or more", value)
        return value

    def optional_whole(self, name: str) -> int | None:
        """The member as int >= 0 or None."""
        return None if self.values.get(name) is None else self.whole(name)

    def optional_number(self, name: str) -> float | None:
        """The member as float or None."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.problem(name, "a number", value)
        return float(value)

    def ids(self, name: str, *, limit: int) -> tuple[int, ...]:
        """The member as token ids in [0, limit)."""
        value = self._required(name)
        if not isinstance(value, list):
            raise self.problem(name, "a list of token ids", value)
        for item in value:
            if type(item) is not int or not 0 <= item < limit:
                raise self.problem(name, f"a list of token ids from 0 to {limit - 1}", item)
        return tuple(value)

    def section(self, name: str) -> Members:
        """The member as an object of its own."""
        value = self._required(name)
        if not isinstance(value, dict):
            raise self.problem(name, "an object", value)
        return Members(value, self.path, self._name(name))

    def optional_section(self, name: str) -> Members | None:
        """The member as an object of its own or None."""
        return None if self.values.get(name) is None else self.section(name)

    def problem(self, name: str, expected: str, found: object) -> Problem:
        """What to raise when the member is something else."""
        return bad_file(
            self.path,
            f"is damaged: {self._name(name)} must be {expected}, but is {shown(found)}; use another take",
            member=self._name(name),
        )

    def _required(self, name: str) -> object:
        if name not in self.values:
            raise bad_file(self.path, f"is damaged: {self._name(name)} is missing; use another take", member=name)
        return self.values[name]

    def _name(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name


def read_members(path: Path) -> Members:
    """The members of the JSON object in the file at `path`; Problem(BAD_FILE) if it holds anything else."""
    return parse_members(read_file(path), path)


def parse_members(data: bytes, path: Path) -> Members:
    """As `read_members`, for bytes that were read already."""
    value = parse_json(decode_utf8(data, path, "file"), path, "file")
    if not isinstance(value, dict):
        raise bad_file(path, f"is damaged: it must hold one object, but is {shown(value)}; use another take")
    return Members(value, path)
