"""The first song: what lies in its folder decides what is done, and the words say what the sound is."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


def write_take(folder: Path, **result: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "audio.flac").write_bytes(b"fLaC")
    (folder / "score.abc").write_text("X:1\n", encoding="utf-8")
    whole = {"status": "complete", "artifacts": {"audio.flac": {"bytes": 4}, "score.abc": {"bytes": 4}}}
    (folder / "result.json").write_text(json.dumps(whole | result), encoding="utf-8")


def test_what_lies_there_is_told_apart(first_song, tmp_path) -> None:
    take = tmp_path / "take"
    assert first_song.look(take) is first_song.Found.NOTHING
    take.mkdir()
    assert first_song.look(take) is first_song.Found.NOTHING
    (take / "take.json").touch()
    assert first_song.look(take) is first_song.Found.UNFINISHED
    write_take(tmp_path / "whole")
    assert first_song.look(tmp_path / "whole") is first_song.Found.FINISHED


@pytest.mark.parametrize("damage", ["cut", "gone", "not complete", "no audio", "garbled", "list"])
def test_a_damaged_take_is_not_called_finished(first_song, tmp_path, damage) -> None:
    take = tmp_path / "take"
    match damage:
        case "not complete":
            write_take(take, status="failed")
        case "no audio":
            write_take(take, artifacts={"score.abc": {"bytes": 4}})
        case "list":
            write_take(take, artifacts=[])
        case _:
            write_take(take)
    match damage:
        case "cut":
            (take / "audio.flac").write_bytes(b"f")
        case "gone":
            (take / "audio.flac").unlink()
        case "garbled":
            (take / "result.json").write_text("{", encoding="utf-8")
    assert first_song.look(take) is first_song.Found.OTHER


def test_a_file_or_a_folder_of_the_user_is_not_a_take(first_song, tmp_path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "my lyrics.txt").touch()
    assert first_song.look(tmp_path / "file") is first_song.Found.OTHER
    assert first_song.look(tmp_path / "folder") is first_song.Found.OTHER


@pytest.fixture
def ran(first_song, monkeypatch) -> list[str]:
    """Stands in for the program: notes what it is asked for, and finishes a take when asked to."""
    noted: list[str] = []

    def run(command: list[str], **options: object) -> SimpleNamespace:
        assert command[1:4] == ["-P", "-m", "yue2_desktop"]
        what = "resume" if "--resume" in command else command[4]
        noted.append(what)
        if what != "test-model":
            write_take(Path(command[command.index("--resume" if what == "resume" else "--output") + 1]))
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(first_song.subprocess, "run", run)
    return noted


def test_the_song_is_made_once(first_song, ran, tmp_path, capsys) -> None:
    assert first_song.make(Path("python"), tmp_path) == 0
    assert ran == ["test-model", "render"]
    words = capsys.readouterr().out
    assert str(tmp_path / "first-song" / "audio.flac") in words
    assert "what you hear is noise" in words
    assert "CC BY-NC 4.0" in words
    assert "--model" in words
    assert "--vae" in words
    assert first_song.make(Path("python"), tmp_path) == 0
    assert ran == ["test-model", "render"]
    words = capsys.readouterr().out
    assert "finished" in words
    assert "first-song-2" in words


def test_an_interrupted_song_is_gone_on_with(first_song, ran, tmp_path) -> None:
    (tmp_path / "first-song").mkdir()
    (tmp_path / "first-song" / "take.json").touch()
    assert first_song.make(Path("python"), tmp_path) == 0
    assert ran == ["test-model", "resume"]
    assert first_song.look(tmp_path / "first-song") is first_song.Found.FINISHED


def test_a_song_that_cannot_be_gone_on_with_is_not_deleted(first_song, tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "first-song").mkdir()
    (tmp_path / "first-song" / "take.json").touch()
    monkeypatch.setattr(
        first_song.subprocess, "run", lambda command, **options: SimpleNamespace(returncode=2 * ("--resume" in command))
    )
    assert first_song.make(Path("python"), tmp_path) == 2
    assert (tmp_path / "first-song" / "take.json").exists()
    assert f"delete {tmp_path / 'first-song'}" in capsys.readouterr().out


def test_a_folder_of_the_user_is_not_touched(first_song, ran, tmp_path, capsys) -> None:
    (tmp_path / "first-song").mkdir()
    (tmp_path / "first-song" / "my lyrics.txt").touch()
    assert first_song.make(Path("python"), tmp_path) == 1
    assert ran == []
    assert (tmp_path / "first-song" / "my lyrics.txt").exists()
    assert "move it away" in capsys.readouterr().out


def test_a_failure_is_passed_on(first_song, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(first_song.subprocess, "run", lambda command, **options: SimpleNamespace(returncode=130))
    assert first_song.make(Path("python"), tmp_path) == 130
    printed = capsys.readouterr().out
    assert "goes on from here" in printed
    assert "audio is here" not in printed


def test_the_example_that_is_rendered_exists(first_song) -> None:
    render = first_song.commands(Path("python"), ROOT, ROOT / "first-song").render
    assert Path(render[render.index("--request") + 1]).is_file()


def test_a_window_opens_only_with_an_app_and_a_display(window, tmp_path, monkeypatch) -> None:
    assert window.has_display("win32", {})
    assert window.has_display("linux", {"WAYLAND_DISPLAY": "wayland-0"})
    assert not window.has_display("linux", {"DISPLAY": ""})
    monkeypatch.setenv("DISPLAY", ":0")
    assert not window.can_open(tmp_path)
    (tmp_path / "yue2_desktop" / "ui").mkdir(parents=True)
    assert window.can_open(tmp_path)
