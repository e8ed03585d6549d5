"""Preferences: defaults, checked values, entries of other versions kept, a file that is never half written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop import paths
from yue2_desktop.settings import Settings, load, save, settings_file
from yue2_desktop.song.errors import Problem, ProblemKind


def test_without_a_file_the_defaults_hold() -> None:
    loaded = load()
    assert loaded.complaints == ()
    assert loaded.settings == Settings(paths.models_folder(), paths.output_folder(), None)
    assert not settings_file().exists()


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "Модели ☃", tmp_path / "音乐 (новое)", 3, "GPU-12ab", "dark", "en")
    save(settings)
    assert load().settings == settings


def test_the_model_folders_have_the_release_names(tmp_path: Path) -> None:
    settings = Settings(models_folder=tmp_path)
    assert settings.model_dir == tmp_path / "YuE2-3B"
    assert settings.vae_dir == tmp_path / "YuE2-Vae"


def test_defaults_are_not_written(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "settings.toml"
    save(Settings(threads=2), file)
    assert file.read_text(encoding="utf-8") == "threads = 2\n"
    save(Settings(), file)
    assert file.read_text(encoding="utf-8") == ""


def test_unknown_entries_survive_a_save(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('font = "Lora"\nthreads = 4\n\n[window]\nsize = [800, 600]\n', encoding="utf-8")
    loaded = load(file)
    assert loaded.complaints == ()
    save(replace(loaded.settings, threads=5), file)
    again = load(file).settings
    assert again.threads == 5
    assert dict(again.kept) == {"font": "Lora", "window": {"size": [800, 600]}}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('threads = "4"', "threads must be a whole number from 1 to 512, not '4'"),
        ("threads = true", "threads must be a whole number from 1 to 512, not True"),
        ("gpu = 1", "gpu must be the UUID of a card such as GPU-..., not 1"),
        ('theme = "blue"', "theme must be system, light or dark, not 'blue'"),
        ("threads = 0", "threads must be a whole number from 1 to 512, not 0"),
        ("threads = 513", "threads must be a whole number from 1 to 512, not 513"),
        ("models_folder = 7", "models_folder must be a folder in quotes, not 7"),
        ('output_folder = " "', "output_folder must be a folder in quotes, not ' '"),
        ('output_folder = "takes"', 'output_folder must be a full path, not "takes"'),
    ],
)
def test_a_wrong_value_is_named_and_the_default_holds(tmp_path: Path, line: str, sentence: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(line + "\n", encoding="utf-8")
    loaded = load(file)
    assert loaded.complaints == (f"{file}: {sentence}; the default is used instead.",)
    assert replace(loaded.settings, kept={}) == replace(Settings(), kept={})


def test_a_wrong_value_is_not_lost_by_saving_another(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('output_folder = "takes"\n', encoding="utf-8")
    save(replace(load(file).settings, threads=2), file)
    assert file.read_text(encoding="utf-8") == 'output_folder = "takes"\nthreads = 2\n'


def test_a_home_folder_is_expanded(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('models_folder = "~/models"\n', encoding="utf-8")
    assert load(file).settings.models_folder == Path.home() / "models"


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xef\xbb\xbfthreads = 2\r\n")
    assert load(file).settings.threads == 2


@pytest.mark.parametrize(
    ("data", "place"), [(b"threads = 2\nthreads 3\n", "line 2, column 9"), (b"a = '\xe9'\n", "byte 5")]
)
def test_a_file_that_is_not_toml_is_refused_with_the_place(tmp_path: Path, data: bytes, place: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(data)
    with pytest.raises(Problem, match=place) as caught:
        load(file)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "defaults" in caught.value.sentence


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    save(Settings(threads=2), file)

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        save(Settings(threads=3), file)
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]
    assert load(file).settings.threads == 2


def test_folders_that_takes_went_to_are_not_forgotten(tmp_path: Path) -> None:
    a, b, c = (tmp_path / name for name in "abc")
    moved = Settings(output_folder=a).with_output_folder(b).with_output_folder(c)
    assert moved.take_folders == (c, b, a)
    assert moved.with_output_folder(c) is moved
    assert moved.with_output_folder(a).take_folders == (a, c, b)
    file = tmp_path / "settings.toml"
    save(moved, file)
    assert load(file).settings == moved
    many = Settings()
    for number in range(30):
        many = many.with_output_folder(tmp_path / str(number))
    assert len(many.take_folders) == 9


@pytest.mark.parametrize("line", ["former_output_folders = 3", 'former_output_folders = ["relative"]'])
def test_wrong_former_folders_are_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(line, encoding="utf-8")
    found = load(file)
    assert found.settings.former_output_folders == ()
    assert "former_output_folders must be" in found.complaints[0]
