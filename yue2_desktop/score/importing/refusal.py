"""The sentence on a file that cannot be imported: what is wrong with it, and what helps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

#: For a file that is damaged or something else than its name says.
ANOTHER: Final = "export it again from the program that made it, or choose another"
#: For a file that is too long to be one song.
CUT: Final = "cut it to one song and import that"


def refused(fault: str, cure: str) -> Problem:
    """The problem to raise; `naming` puts the file's name into it where it is known."""
    return Problem(ProblemKind.BAD_FILE, f"The file {fault}; {cure}.")


def naming(problem: Problem, path: Path) -> Problem:
    """The problem of an importer, which knows bytes and no file, with the name of the file in its sentence."""
    place, sentence = path_text(path), problem.sentence
    if place not in sentence:
        begins = sentence.startswith("The file ")
        sentence = sentence.replace("The file", f"The file {place}", 1) if begins else f"{place}: {sentence}"
    return Problem(problem.kind, sentence, **{**problem.data, "path": place})
