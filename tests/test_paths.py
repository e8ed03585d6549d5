"""The program's folders: its own files are found, the user's stay within the user's home, names stay short."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop import paths

ROOT = Path(__file__).resolve().parent.parent


def test_the_resources_of_the_checkout_are_found() -> None:
    assert paths.resources() == ROOT / "resources"


def test_the_resources_inside_an_installed_package_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "site-packages" / "yue2_desktop"
    (installed / "resources" / "test-model").mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(installed / "paths.py"))
    assert paths.resources() == installed / "resources"


def test_a_broken_installation_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "yue2_desktop" / "paths.py"))
    with pytest.raises(FileNotFoundError, match="install YuE2 Desktop again"):
        paths.resources()


def test_the_users_folders_lie_in_the_users_home_and_differ() -> None:
    folders = [
        paths.config_folder(),
        paths.data_folder(),
        paths.cache_folder(),
        paths.log_folder(),
        paths.output_folder(),
    ]
    assert all(folder.is_relative_to(Path.home()) for folder in folders)
    assert len(set(folders)) == len(folders)
    assert paths.models_folder().parent == paths.data_folder()
    assert not any(folder.exists() for folder in folders), "asking for a folder must not make it"


def test_no_packaged_path_is_long() -> None:
    """Windows stops at 260 characters, and a user's folder may take 130 of them (user reports, row 69)."""
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in ("yue2_desktop", "resources")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    installed = [name if name.startswith("yue2_desktop/") else f"yue2_desktop/{name}" for name in files]
    assert len(installed) > 20
    assert max(map(len, installed)) < 130
