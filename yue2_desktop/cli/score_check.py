"""`score check` and `score transpose`: what is wrong with scores, line by line, and a score moved to another key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.editing.transpose import transpose
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.repairs.repair import repair_for
from yue2_desktop.score.scorefile import read_score
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem, ProblemKind

CLEAN, WITH_ERRORS = 0, 1


def check(paths: Sequence[Path], out: TextIO, *, as_json: bool = False) -> int:
    """Write the diagnostics of score files to `out` and return the exit status: 1 with errors, else 0.

    A line is `file:line:col: severity: sentence`; with `as_json` the whole is one JSON list with an object a file.
    Raises Problem(BAD_FILE) for a file that cannot be read.
    """
    reports = []
    failed = False
    for path in paths:
        parsed = parse(read_score(path))
        failed = failed or bool(parsed.errors)
        if as_json:
            reports.append(_report(path, parsed))
            continue
        for one in parsed.diagnostics:
            out.write(f"{path}:{one.line}:{one.column}: {one.severity}: {one.sentence}\n")
    if as_json:
        out.write(json.dumps(reports, ensure_ascii=False, indent=2) + "\n")
    return WITH_ERRORS if failed else CLEAN


def transposed(path: Path, semitones: int, *, from_section: int = 0) -> tuple[str, Edit]:
    """Return the text of a score file moved by so many semitones, and the edit that did it.

    `from_section` counts from 0. Raises Problem(BAD_FILE) for a file that cannot be read, and Problem(BAD_REQUEST)
    where the song cannot be moved so.
    """
    parsed = parse(read_score(path))
    edit = transpose(parsed, semitones, from_section)
    return edit.apply(parsed.text), edit


def write_transposed(
    path: Path, semitones: int, output: Path, *, from_section: int = 0, overwrite: bool = False
) -> str:
    """Write a transposed score to `output`, line ends as they are, and return what was done in a sentence.

    Raises Problem(OUTPUT_EXISTS) where the output is there already, unless `overwrite`.
    """
    text, edit = transposed(path, semitones, from_section=from_section)
    if output.exists() and not overwrite:
        raise Problem(ProblemKind.OUTPUT_EXISTS, f"{output} is there already; choose another name or give --overwrite.")
    write_bytes(output, text.encode("utf-8"))
    return f"{edit.description} Written to {output}."


def _report(path: Path, parsed: Parsed) -> dict[str, object]:
    score = parsed.score
    return {
        "file": str(path),
        "errors": len(parsed.errors),
        "warnings": len(parsed.diagnostics) - len(parsed.errors),
        "unfinished": parsed.unfinished is not None,
        "foreign": parsed.is_foreign,
        "bars": score.bar_count,
        "seconds": round(score.seconds, 3),
        "tempo": score.header.tempo,
        "key": score.header.key.name,
        "meter": score.header.meter.text,
        "sections": [section.label for section in score.sections],
        "diagnostics": [_item(parsed, one) for one in parsed.diagnostics],
    }


def _item(parsed: Parsed, one: Diagnostic) -> dict[str, object]:
    repair = repair_for(parsed, one)
    return {
        "code": str(one.code),
        "severity": str(one.severity),
        "line": one.line,
        "column": one.column,
        "end_column": one.end_column,
        "sentence": one.sentence,
        "repair": None if repair is None else {"description": repair.description, "safe": repair.safe},
    }
