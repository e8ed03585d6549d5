"""Text and JSON files: UTF-8 as it is, and a place and a cure for everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.song import textfile
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.textfile import read_json, read_utf8


def refused_text(path: Path) -> Problem:
    with pytest.raises(Problem) as caught:
        read_utf8(path, "lyrics file")
    assert caught.value.kind is ProblemKind.BAD_FILE
    return caught.value


def refused_json(tmp_path: Path, content: bytes) -> Problem:
    path = tmp_path / "request.json"
    path.write_bytes(content)
    with pytest.raises(Problem) as caught:
        read_json(path, "request file")
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "\n" not in caught.value.sentence
    return caught.value


def test_text_comes_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "слова 音乐.txt"
    path.write_bytes("Дождь\r\n雨\r\U0001f327\n".encode())
    assert read_utf8(path, "lyrics file") == "Дождь\r\n雨\r\U0001f327\n"


def test_a_signature_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "notepad.txt"
    path.write_bytes(b"\xef\xbb\xbfla")
    assert read_utf8(path, "lyrics file") == "la"


def test_the_byte_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cp1252.txt"
    path.write_bytes(b"\xef\xbb\xbfone\ntwo caf\xe9\n")
    problem = refused_text(path)
    assert "byte 14 (line 2) is 0xE9" in problem.sentence
    assert "save it as UTF-8" in problem.sentence
    assert str(path) in problem.sentence
    assert problem.data["offset"] == 14


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(b"" if encoding == "utf-16" else "\ufeff".encode(encoding))
    path.write_bytes(path.read_bytes() + "слова".encode(encoding))
    assert "is UTF-16 text; save it as UTF-8" in refused_text(path).sentence


def test_missing_folder_and_odd_names(tmp_path: Path) -> None:
    assert "does not exist; check the name" in refused_text(tmp_path / "no.txt").sentence
    assert "is a folder" in refused_text(tmp_path).sentence
    assert "cannot be read" in refused_text(tmp_path / "a\0b").sentence
    assert "cannot be read" in refused_text(tmp_path / ("x" * 5000)).sentence


def test_a_file_that_is_no_text_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textfile, "MAX_TEXT_BYTES", 10)
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"x" * 11)
    assert "so it is not text" in refused_text(path).sentence
    path.write_bytes(b"x" * 10)
    assert read_utf8(path, "lyrics file") == "x" * 10


def test_json_values(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b'\xef\xbb\xbf{"seed": 9223372036854775807, "style": "\\ud83c\\udfb5 \xd0\x94", "x": 1.5}')
    assert read_json(path, "request file") == {"seed": 2**63 - 1, "style": "\U0001f3b5 Д", "x": 1.5}


def test_malformed_json_has_line_and_column(tmp_path: Path) -> None:
    problem = refused_json(tmp_path, b'{\n  "style": "folk",\n  "lyrics" "la"\n}\n')
    assert "at line 3, column 12" in problem.sentence
    assert (problem.data["line"], problem.data["column"]) == (3, 12)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not valid JSON"),
        (b'{"a": NaN}', "holds NaN, which is not JSON"),
        (b'{"a": -Infinity}', "holds -Infinity, which is not JSON"),
        (b'{"a": 1e999}', "holds 1e999, which is not JSON"),
        (b'{"seed": 1, "seed": 2}', "gives 'seed' twice in one object"),
        (b'{"\\ud800": 1, "\\ud800": 2}', "gives '\\ud800' twice"),
        (b'{"a": ' + b"1" * 5000 + b"}", "a number with too many digits"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a": "\xff"}', "is not UTF-8: byte 7"),
    ],
)
def test_json_that_is_none(tmp_path: Path, content: bytes, words: str) -> None:
    problem = refused_json(tmp_path, content)
    assert words in problem.sentence
    problem.sentence.encode("utf-8")
