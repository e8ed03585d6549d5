"""Anything that is dropped is what it is, or is refused with the reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.intake.dropped import DroppedLyrics, DroppedScore, DroppedSong
from yue2_desktop.intake.opening import SUFFIXES, can_open, open_dropped
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.paths import resources
from yue2_desktop.score.parser import parse
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.lyrics.encodings import Certainty
from yue2_desktop.song.project_file import save_project
from yue2_desktop.song.project_json import document_json
from yue2_desktop.song.seeds import SeedKind

SCORES = Path(__file__).parents[1] / "scores"
SONG = SongDocument(title="Salt", style="folk", lyrics="[Verse]\nla\n")


def test_row_67_a_gbk_lyric_file_with_its_tags(tmp_path: Path) -> None:
    path = tmp_path / "歌词.txt"
    path.write_bytes("【主歌】\n昨夜的雨下了一整晚\n窗外的灯还没有熄灭\n".encode("gbk"))
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedLyrics)
    assert dropped.file.lyrics.text.startswith("【主歌】\n昨夜的雨")
    assert dropped.file.certainty is not Certainty.SURE
    assert dropped.notes


@pytest.mark.parametrize("name", ["words.txt", "words.md", "words.MARKDOWN", "words.lrc", "README"])
def test_texts_are_lyrics(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("[Verse]\nla la\n", encoding="utf-8")
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedLyrics)
    assert dropped.file.lyrics.text == "[Verse]\nla la\n"


DIALECT = sorted(path for path in SCORES.glob("*.abc") if not path.stem.endswith(("foreign_abc", "empty")))


@pytest.mark.parametrize("score", DIALECT, ids=lambda path: path.stem)
def test_scores_of_the_dialect_keep_their_faults(score: Path) -> None:
    dropped = open_dropped(score)
    assert isinstance(dropped, DroppedScore)
    assert dropped.errors == len(parse(dropped.text).errors)
    if score.stem.startswith("0"):
        assert dropped.errors == 0
        assert dropped.text == score.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["words.txt", "words.md", "words.lrc", "README", "score.abc"])
@pytest.mark.parametrize("content", [b"", b" \r\n", b"\xef\xbb\xbf", b"\xff\xfe\r\0\n\0", bytes(5000)])
def test_an_empty_file_does_not_wipe_the_song(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Problem, match=f"{name} is empty; choose another"):
        open_dropped(path)


def test_ordinary_abc_is_imported_and_said(tmp_path: Path) -> None:
    dropped = open_dropped(SCORES / "32_bad_foreign_abc.abc")
    assert isinstance(dropped, DroppedScore)
    assert dropped.errors == 0
    assert dropped.text.startswith("X:1\nT:\n")
    assert dropped.notes
    in_text = tmp_path / "tune.txt"
    in_text.write_bytes((SCORES / "32_bad_foreign_abc.abc").read_bytes())
    again = open_dropped(in_text)
    assert isinstance(again, DroppedScore)
    assert again.text == dropped.text


def test_old_tune_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "tune.abc"
    path.write_bytes("X:1\nT:Là-bas\nM:4/4\nL:1/4\nK:G\nGABc|d4|\n".encode("cp1252"))
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedScore)
    assert dropped.errors == 0
    assert any("windows-1252" in note for note in dropped.notes)


@pytest.mark.parametrize("text", ["milk\neggs\n", '{"a": 1}', "Liebe Grüße\n"])
def test_words_in_an_abc_file_are_no_score(tmp_path: Path, text: str) -> None:
    path = tmp_path / "words.abc"
    path.write_bytes(text.encode("cp1252"))
    with pytest.raises(Problem, match=r"words\.abc is no score: it has no lines in ABC; choose another") as caught:
        open_dropped(path)
    assert caught.value.kind is ProblemKind.BAD_FILE


def test_of_a_collection_of_tunes_the_first_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "book.abc"
    tune = "X:{}\nT:Tune\nM:4/4\nL:1/4\nK:G\nGABc|d4|\n\n"
    path.write_text("".join(tune.format(number) for number in range(1, 3000)), encoding="utf-8")
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedScore)
    assert dropped.errors == 0
    assert len(dropped.text) < 500


@pytest.mark.parametrize("name", ["tune.mid", "tune.kar", "tune.musicxml", "tune.mxl", "tune.xml"])
def test_damaged_scores_name_their_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"MThd nonsense" if name.endswith(("mid", "kar")) else b"<x")
    with pytest.raises(Problem, match=name):
        open_dropped(path)


def test_midi_and_karaoke_are_imported(tmp_path: Path) -> None:
    import mido

    song = mido.MidiFile(ticks_per_beat=480)
    track = mido.MidiTrack()
    song.tracks.append(track)
    for pitch in (60, 62, 64, 65, 67, 65, 64, 62):
        track.append(mido.Message("note_on", note=pitch, velocity=80, time=0))
        track.append(mido.Message("note_off", note=pitch, velocity=0, time=480))
    for name in ("tune.mid", "tune.kar"):
        song.save(tmp_path / name)
        dropped = open_dropped(tmp_path / name)
        assert isinstance(dropped, DroppedScore)
        assert dropped.errors == 0
        assert parse(dropped.text).score.bar_count == 2


def test_a_project_file_is_a_song_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "Salt.yue2song"
    project = save_project(SONG, path)
    assert open_dropped(path) == DroppedSong(path, SONG, project)
    assert open_dropped(tmp_path) == DroppedSong(path, SONG, project)


def test_a_backup_is_a_song_without_a_file(tmp_path: Path) -> None:
    path = tmp_path / "Salt.yue2song"
    save_project(SONG, path)
    save_project(replace(SONG, title="x"), path)
    dropped = open_dropped(tmp_path / "Salt.yue2song.bak")
    assert isinstance(dropped, DroppedSong)
    assert (dropped.document, dropped.project) == (SONG, None)
    assert "last good version" in dropped.notes[0]


def test_a_song_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.yue2song"
    path.write_text(json.dumps({**document_json(SONG), "version": 99}), encoding="utf-8")
    with pytest.raises(Problem) as caught:
        open_dropped(path)
    assert caught.value.kind is ProblemKind.UNSUPPORTED


def test_a_request_file_is_a_song_with_the_score_beside_it() -> None:
    path = resources() / "examples" / "salt-and-rope" / "request.json"
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedSong)
    assert dropped.document.title == "Salt and rope"
    assert dropped.document.score is not None
    assert dropped.document.seed.value == 7
    assert dropped.document.render.max_frames is None


@pytest.mark.parametrize(
    ("content", "sentence"),
    [('{"style":"a"}', "lyrics are missing"), ("[]", "must be a JSON object"), ("{", "not valid JSON")],
)
def test_a_request_file_that_is_none_says_what_is_wrong(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "order.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Problem, match=sentence) as caught:
        open_dropped(path)
    assert "order.json" in caught.value.sentence
    assert caught.value.kind is ProblemKind.BAD_FILE


def test_the_examples_are_three_new_songs() -> None:
    songs = load_examples(resources() / "examples")
    assert [song.title for song in songs] == ["First song", "Letzte Bahn", "Salt and rope"]
    assert [song.score is not None for song in songs] == [True, False, True]
    assert {song.seed.kind for song in songs} == {SeedKind.COUNTING}
    assert len({song.id for song in (*songs, *load_examples(resources() / "examples"))}) == 6


@pytest.mark.parametrize("name", ["cover.png", "words.docx", "model.safetensors", "a.pdf"])
def test_other_kinds_are_refused_with_what_can_be_opened(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"PK")
    assert not can_open(path)
    with pytest.raises(Problem, match=r"nothing that can be opened here.*\.lrc") as caught:
        open_dropped(path)
    assert caught.value.kind is ProblemKind.UNSUPPORTED


def test_folders_that_are_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is not the folder of a take"):
        open_dropped(tmp_path)
    for name in ("a", "b"):
        save_project(SONG, tmp_path / f"{name}.yue2song")
    with pytest.raises(Problem, match="holds 2 songs; drop one of them"):
        open_dropped(tmp_path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_absent_is_told_for_every_kind(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"absent{suffix}"
    assert can_open(path)
    with pytest.raises(Problem, match="absent"):
        open_dropped(path)
