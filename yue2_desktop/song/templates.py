"""Song templates: a style to start from and a structure of sections, with remarks on what goes where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import COTS, Cot
from yue2_desktop.song.textfile import read_json
from yue2_desktop.song.wording import path_text, shown

_TEXTS: Final = ("title", "summary", "style", "lyrics")


@dataclass(frozen=True)
class Template:
    """One template; `id` is its file's name. Its lyrics hold tags and remarks (`# ...`), which are not sung."""

    id: str
    title: str
    summary: str
    style: str
    lyrics: str
    cot: Cot


def load_templates(folder: Path) -> tuple[Template, ...]:
    """The templates in `folder` (one JSON file each), by their number and then name.

    Raises Problem(BAD_FILE) that names file and key for what is not a template.
    """
    read = [_template(path) for path in sorted(folder.glob("*.json"))]
    return tuple(template for _, template in sorted(read, key=lambda pair: (pair[0], pair[1].id)))


def _template(path: Path) -> tuple[int, Template]:
    value = read_json(path, "template")
    if not isinstance(value, dict):
        raise _bad(path, "the file", f"must be an object, but is {shown(value)}")
    texts: dict[str, str] = {}
    for key in _TEXTS:
        text = value.get(key)
        if not isinstance(text, str) or (key in {"title", "summary"} and not text.strip()):
            raise _bad(path, key, f"must be text, but is {shown(text)}")
        texts[key] = text
    number = value.get("number")
    if type(number) is not int:
        raise _bad(path, "number", f"must be a whole number, but is {shown(number)}")
    cot = next((choice for choice in COTS if choice == value.get("cot", "full")), None)
    if cot is None:
        raise _bad(path, "cot", f"must be full, melody or off, but is {shown(value.get('cot'))}")
    return number, Template(path.stem, texts["title"], texts["summary"], texts["style"], texts["lyrics"], cot)


def _bad(path: Path, key: str, what: str) -> Problem:
    place = path_text(path)
    return Problem(ProblemKind.BAD_FILE, f"Template {place}: {key} {what}.", path=place, key=key)
