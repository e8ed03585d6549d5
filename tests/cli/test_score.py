"""`yue2-desktop score` and `bench score`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile

from tests.cli.conftest import Ended
from tests.score.samples import FOLDER, GOOD
from yue2_desktop.score.parser import parse

CLEAN, BROKEN = FOLDER / "03_full_waltz_Gm.abc", FOLDER / "20_bad_barlen.abc"
Cli = Callable[..., Ended]


def test_check_tells_each_fault_and_exits_with_1_on_errors(cli: Cli) -> None:
    ended = cli("score", "check", CLEAN, BROKEN)
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[0].startswith(f"{BROKEN}:16:13: error: Bar 4 of Vocal lasts 7/2 quarter notes")
    assert len(lines) == 2
    assert cli("score", "check", CLEAN).status == 0


def test_check_as_json(cli: Cli) -> None:
    found = json.loads(cli("score", "check", BROKEN, "--json").out)
    assert [one["errors"] for one in found] == [2]


@pytest.mark.parametrize(
    ("name", "start"), [("a.pdf", b"%PDF"), ("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.PDF", b"%PDF")]
)
def test_show(cli: Cli, tmp_path: Path, name: str, start: bytes) -> None:
    ended = cli("score", "show", CLEAN, "--output", tmp_path / name)
    assert ended.status == 0
    assert (tmp_path / name).read_bytes().startswith(start)
    assert ended.err == f"Written to {tmp_path / name}.\n"


def test_show_numbers_several_pages_and_says_errors(cli: Cli, tmp_path: Path) -> None:
    long = FOLDER / "10_full_long_104bars.abc"
    ended = cli("score", "show", long, "--output", tmp_path / "a.svg", "--json", "--height", 200)
    names = [Path(one).name for one in json.loads(ended.out)["files"]]
    assert names == [f"a-{at}.svg" for at in range(1, len(names) + 1)]
    assert len(names) > 4
    ended = cli("score", "show", BROKEN, "--output", tmp_path / "b.pdf", "--dark")
    assert ended.err.startswith("The score has 2 errors; what was understood is there.")


@pytest.mark.parametrize(
    ("kind", "start"),
    [
        ("mid", b"MThd"), ("musicxml", b"<?xml"), ("mei", b"<?xml"), ("abc", b"X:1\nT:Gm\n"), ("pdf", b"%PDF"),
        ("svg", b"<?xml"), ("png", b"\x89PNG"),
    ],
)  # fmt: skip
def test_export(cli: Cli, tmp_path: Path, kind: str, start: bytes) -> None:
    output = tmp_path / f"song.{kind}"
    assert cli("score", "export", CLEAN, "--output", output, "--title", "Gm").status == 0
    assert output.read_bytes().startswith(start)


def test_export_with_words(cli: Cli, tmp_path: Path) -> None:
    words, output = tmp_path / "words.txt", tmp_path / "song.xml"
    words.write_text("[Verse]\nOne two three\n", encoding="utf-8")
    assert cli("score", "export", CLEAN, "--output", output, "--lyrics-file", words).status == 0
    assert "<text>three</text>" in output.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["mid", "musicxml", "abc"])
def test_what_was_exported_is_imported(cli: Cli, tmp_path: Path, kind: str) -> None:
    source, middle, back = FOLDER / "02_melody_ode.abc", tmp_path / f"a.{kind}", tmp_path / "b.abc"
    assert cli("score", "export", source, "--output", middle).status == 0
    ended = cli("score", "import", middle, "--output", back)
    assert ended.status == 0
    assert back.read_text(encoding="utf-8") == GOOD["02_melody_ode"]
    assert cli("score", "import", middle).out == GOOD["02_melody_ode"]
    assert json.loads(cli("score", "import", middle, "--json").out)["text"] == GOOD["02_melody_ode"]


def test_import_says_what_was_changed(cli: Cli) -> None:
    ended = cli("score", "import", FOLDER / "32_bad_foreign_abc.abc")
    assert ended.status == 0
    assert parse(ended.out).diagnostics == ()
    assert "Repeats were written out." in ended.err.splitlines()


@pytest.mark.parametrize("suffix", [".wav", ".flac"])
def test_preview(cli: Cli, tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"a{suffix}"
    ended = cli("score", "preview", FOLDER / "09_full_onebar.abc", "--output", output, "--click", 0.5)
    assert ended.status == 0
    samples, rate = soundfile.read(output)
    assert (rate, samples.shape) == (48000, (48000 * 4 + 24000, 2))  # four quarters at 60, and the end of the tone
    assert abs(samples).max() > 0.05


def test_transpose(cli: Cli, tmp_path: Path) -> None:
    output = tmp_path / "up.abc"
    assert cli("score", "transpose", CLEAN, "--semitones", 2, "--output", output).status == 0
    assert parse(output.read_text(encoding="utf-8")).score.header.key.name == "Am"
    back = tmp_path / "back.abc"
    assert cli("score", "transpose", output, "--semitones", "-2", "--output", back).status == 0
    assert back.read_text(encoding="utf-8") == GOOD["03_full_waltz_Gm"]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("show", CLEAN, "--output", "a.doc"), "must end in .pdf, .svg or .png"),
        (("export", CLEAN, "--output", "a"), "must end in"),
        (("show", "nothing.abc", "--output", "a.pdf"), "does not exist"),
        (("show", FOLDER / "32_bad_foreign_abc.abc", "--output", "a.pdf"), "'yue2-desktop score import'"),
        (("export", FOLDER / "33_bad_empty.abc", "--output", "a.mid"), "The score is empty"),
        (("preview", FOLDER / "33_bad_empty.abc", "--output", "a.wav"), "The score is empty"),
        (("preview", CLEAN, "--output", "a.wav", "--vocal", "2"), "A loudness is a number from 0"),
        (("show", CLEAN, "--output", "a.pdf", "--width", "1"), "40 to 5,000 mm"),
        (("show", CLEAN, "--output", "a.png", "--dpi", "9999"), "dpi"),
        (("import", "pyproject.toml"), "none that can be imported"),
        (("transpose", CLEAN, "--semitones", "99", "--output", "a.abc"), "semitones"),
    ],
)
def test_mistakes_are_sentences(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[object, ...], sentence: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("a", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ended = cli("score", *command)
    assert ended.status == 2
    assert sentence in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


@pytest.mark.parametrize("command", ["show", "export", "transpose", "preview"])
def test_nothing_is_overwritten_unless_asked(cli: Cli, tmp_path: Path, command: str) -> None:
    output = tmp_path / {"show": "a.pdf", "export": "a.mid", "transpose": "a.abc", "preview": "a.wav"}[command]
    output.write_bytes(b"mine")
    more = ("--semitones", "1") if command == "transpose" else ()
    ended = cli("score", command, CLEAN, "--output", output, *more)
    assert ended.status == 2
    assert "is there already" in ended.err
    assert output.read_bytes() == b"mine"
    assert cli("score", command, CLEAN, "--output", output, "--overwrite", *more).status == 0
    assert output.read_bytes() != b"mine"


def test_bench_prints_each_figure_with_its_limit(cli: Cli) -> None:
    ended = cli("bench", "score", "--json")
    assert ended.status == 0
    assert [one["name"] for one in ended.events][:2] == ["parse", "parse after one keystroke"]
