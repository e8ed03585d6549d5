"""`score check` and `score transpose`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from yue2_desktop.cli.score_check import check, transposed, write_transposed
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem, ProblemKind

SCORES = Path(__file__).parent.parent / "scores"


def checked(*names: str, as_json: bool = False) -> tuple[int, str]:
    out = io.StringIO()
    return check([SCORES / f"{name}.abc" for name in names], out, as_json=as_json), out.getvalue()


def test_a_good_score_gives_no_line() -> None:
    assert checked("01_full_twinkle") == (0, "")


def test_a_line_is_file_line_column_severity_sentence() -> None:
    status, text = checked("01_full_twinkle", "28_bad_tie_to_rest")
    path = SCORES / "28_bad_tie_to_rest.abc"
    assert status == 1
    assert text.splitlines() == [
        f"{path}:16:30: error: The note before is tied, but a rest follows.",
        f"{path}:16:47: error: The note before is tied into this one, which has another pitch.",
    ]


def test_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "song.abc"
    text = (SCORES / "01_full_twinkle.abc").read_text(encoding="utf-8").replace("% outro", "% Schluss")
    path.write_text(text, encoding="utf-8", newline="\n")
    out = io.StringIO()
    assert check([path], out) == 0
    assert out.getvalue() == f"{path}:29:1: warning: The model does not know sections named 'Schluss'.\n"


def test_json_has_every_file_with_its_diagnostics_and_repairs() -> None:
    status, text = checked("05_full_changes", "26_bad_unicode", as_json=True)
    assert status == 1
    good, bad = json.loads(text)
    assert (good["errors"], good["bars"], good["key"], good["sections"]) == (
        0,
        12,
        "E",
        ["verse", "chorus", "bridge", "outro"],
    )
    assert (bad["errors"], bad["warnings"]) == (2, 1)
    assert bad["diagnostics"][0] == {
        "code": "title",
        "severity": "error",
        "line": 2,
        "column": 1,
        "end_column": 26,
        "sentence": "T: must be empty; keep the title in the project.",
        "repair": {"description": "Empty the title line.", "safe": True},
    }
    assert "куплет" in text


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(Problem) as caught:
        checked("missing")
    assert caught.value.kind is ProblemKind.BAD_FILE


def test_a_transposed_score_is_written_with_its_line_ends(tmp_path: Path) -> None:
    output = tmp_path / "up.abc"
    said = write_transposed(SCORES / "30_bad_crlf_bom.abc", 2, output)
    assert said == f"Transpose 2 semitones up, from C to D. Written to {output}."
    data = output.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfX:1\r\n")
    assert b"K:D\r\n" in data
    assert data.count(b"\r\n") == data.count(b"\n")


def test_up_and_down_again(tmp_path: Path) -> None:
    source = SCORES / "05_full_changes.abc"
    up = tmp_path / "up.abc"
    write_transposed(source, 12, up)
    assert transposed(up, -12)[0] == source.read_text(encoding="utf-8")
    text, _ = transposed(source, 3, from_section=1)
    assert parse(text).diagnostics == ()
    assert text.split("% chorus")[0] == source.read_text(encoding="utf-8").split("% chorus")[0]


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    output = tmp_path / "up.abc"
    output.write_text("mine", encoding="utf-8")
    with pytest.raises(Problem, match="is there already") as caught:
        write_transposed(SCORES / "01_full_twinkle.abc", 2, output)
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS
    assert output.read_text(encoding="utf-8") == "mine"
    write_transposed(SCORES / "01_full_twinkle.abc", 2, output, overwrite=True)
    assert "K:D" in output.read_text(encoding="utf-8")
