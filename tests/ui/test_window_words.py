"""No sentence of the window speaks of the command line: those that planner, engine and scores have are gone through."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import yue2_desktop
from yue2_desktop.ui.window_words import in_window_words

_ROOT = Path(yue2_desktop.__file__).parent
#: Whose sentences come into the window: all but those of the commands themselves.
_TOLD = ("engine", "enginehost", "library", "plan", "queue", "score", "song", "cli/failures.py", "cli/planning.py")
_COMMAND_LINE = re.compile(r"--[a-z]|yue2-desktop (?!convert` makes)[a-z]")


def sentences() -> Iterator[tuple[str, str]]:
    """Texts in the code that name options or commands, with where they are; what stands between them is left out."""
    for name in _TOLD:
        place = _ROOT / name
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            if "bench" in file.parts or file.name == "bench.py":
                continue
            tree = ast.parse(file.read_text(encoding="utf-8"))
            docs = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
            for node in ast.walk(tree):
                if id(node) in docs or id(node) in inside:
                    continue
                text = _text(node)
                is_pip = "pip install" in text  # a build of torch is installed by that
                if _COMMAND_LINE.search(text) and " " in text.strip() and not is_pip:
                    yield f"{file.relative_to(_ROOT)}:{node.lineno}", text  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
    return ""


SENTENCES = dict(sentences())


def test_there_are_such_sentences() -> None:
    """Otherwise the tests below would hold of nothing."""
    assert len(SENTENCES) > 15


@pytest.mark.parametrize("place", SENTENCES)
def test_nothing_of_the_command_line_is_left(place: str) -> None:
    said = in_window_words(SENTENCES[place])
    assert not _COMMAND_LINE.search(said), said
    assert "  " not in said
    assert not re.search(r" [.,;]|\(\)|[.;,]{2}", said), said


@pytest.mark.parametrize(
    ("there", "here"),
    [
        (
            "It needs 9.0 GiB. 'yue2-desktop fit' shows it stage by stage; --run-anyway tries all the same.",
            "It needs 9.0 GiB. “Why?” shows it stage by stage; “Run anyway” tries all the same.",
        ),
        (
            "Mend it, raise the limit of the score with --abc-sampling, or give --allow-bad-score to sing it as it is.",
            "Mend it or write another one.",
        ),
        ("There is no int4 kernel for 'mps'. Use --device cpu.", "There is no int4 kernel for 'mps'."),
        (
            "The installed torch 2.9 finds no CUDA device. Use --device cpu, or install a CUDA build of torch.",
            "The installed torch 2.9 finds no CUDA device. Install a CUDA build of torch.",
        ),
        ("Nothing of the kind -- only dashes.", "Nothing of the kind -- only dashes."),
    ],
)
def test_in_the_words_of_the_window(there: str, here: str) -> None:
    assert in_window_words(there) == here
