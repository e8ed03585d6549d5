"""Files told by what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.score.samples import GOOD, MALFORMED
from yue2_desktop.score.export.midi import midi_bytes
from yue2_desktop.score.export.musicxml import musicxml
from yue2_desktop.score.importing.files import import_file
from yue2_desktop.score.importing.sections import section_label
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem, ProblemKind

SCORE = parse(GOOD["02_melody_ode"]).score


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("song.mid", midi_bytes(SCORE)),
        ("song.bin", midi_bytes(SCORE)),
        ("song.musicxml", musicxml(SCORE).encode("utf-8")),
        ("song.xml", b"\xef\xbb\xbf" + musicxml(SCORE).encode("utf-8")),
        ("song.abc", GOOD["02_melody_ode"].encode("utf-8")),
        ("song", GOOD["02_melody_ode"].encode("utf-8")),
    ],
)
def test_each_kind_is_read(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    assert import_file(tmp_path / name).text == GOOD["02_melody_ode"]


TOO_LONG = b"X:1\nM:4/4\nL:1/8\nK:C\n" + b"|:CDEF GABc:|\n" * 600


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.mid", b"RIFFxxxx", "a.mid is a damaged MIDI file"),
        ("a.jpg", b"\xff\xd8\xff", "none that can be imported"),
        ("a.abc", b"X:1\n\xff\n", "is not UTF-8"),
        ("a.xml", b"<a>", "a.xml is not well-formed XML at line 1, column 4; export it again"),
        ("a.mid", b"no song", "a.mid is no MIDI file; export it again"),
        ("a.musicxml", b"no song", "a.musicxml is no MusicXML; export it again"),
        ("a.abc", TOO_LONG, "a.abc: With its repeats the file has more than 1000 bars; cut it"),
    ],
)
def test_sentences_name_the_file(name: str, data: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Problem, match=sentence) as caught:
        import_file(tmp_path / name)
    assert caught.value.kind is ProblemKind.BAD_FILE


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="cannot be read"):
        import_file(tmp_path / "nothing.mid")


def test_the_foreign_example_is_imported(tmp_path: Path) -> None:
    (tmp_path / "a.abc").write_text(MALFORMED["32_bad_foreign_abc"], encoding="utf-8")
    assert parse(import_file(tmp_path / "a.abc").text).diagnostics == ()


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Verse 2:", "verse 2"), ("2. Strophe", "verse 2"), ("REFRAIN", "chorus"), ("副歌", "chorus"),
        ("Pre Chorus", "pre-chorus"), ("Guitar Solo", "solo"), ("B", None), ("", None), ("Zzz", None),
    ],
)  # fmt: skip
def test_section_names(name: str, label: str | None) -> None:
    assert section_label(name) == label
