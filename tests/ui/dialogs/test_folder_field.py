"""The field for a folder: what is wrong with it is said while it is typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from yue2_desktop.settings import Settings
from yue2_desktop.ui.dialogs.folder_field import FolderField, folder_trouble
from yue2_desktop.ui.dialogs.preferences import PreferencesDialog


def test_what_is_wrong_with_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    for is_made in (True, False):
        assert folder_trouble(tmp_path, is_made=is_made) == ""
        assert folder_trouble(Path("models"), is_made=is_made) == "relative"
        assert folder_trouble(file, is_made=is_made) == "file"
        assert folder_trouble(file / "below", is_made=is_made) == "missing"
    assert folder_trouble(tmp_path / "a" / "b", is_made=True) == "", "it will be made"
    assert folder_trouble(tmp_path / "a", is_made=False) == "missing"
    assert folder_trouble(tmp_path / ("x" * 5000), is_made=False) == "missing"


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the system's own answer, which root gets otherwise."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert folder_trouble(tmp_path, is_made=True) == "closed"
    assert folder_trouble(tmp_path / "new", is_made=True) == "closed"
    assert folder_trouble(tmp_path, is_made=False) == "", "models are only read"


def test_it_is_said_below_the_field_and_goes_with_the_cure(qtbot: QtBot, tmp_path: Path) -> None:
    asked: list[tuple[str, Path]] = []

    def ask(name: str, start: Path) -> Path | None:
        asked.append((name, start))
        return tmp_path

    field = FolderField("Models folder", tmp_path, ask, is_made=False)
    qtbot.addWidget(field)
    field.show()
    assert field.trouble.isHidden()
    field.line.setText(str(tmp_path / "nowhere"))
    qtbot.waitUntil(lambda: "does not exist" in field.trouble.text())
    assert field.trouble.isVisible()
    assert "does not exist" in field.line.accessibleDescription()
    assert field.folder_or(Path("/before")) == tmp_path / "nowhere", "a disk may be there later"
    field.findChild(QPushButton).click()
    assert asked == [("Models folder", tmp_path / "nowhere")]
    assert field.line.text() == str(tmp_path)
    assert field.trouble.isHidden()
    field.line.setText("models")
    qtbot.waitUntil(lambda: "whole path" in field.trouble.text())
    assert field.folder_or(tmp_path) == tmp_path


def test_the_dialog_grows_for_the_line(qtbot: QtBot, tmp_path: Path) -> None:
    """The line was drawn across the field: the dialog stayed as high as it was."""
    dialog = PreferencesDialog(Settings(models_folder=tmp_path, output_folder=tmp_path), (), lambda name, start: None)
    qtbot.addWidget(dialog)
    dialog.show()
    before = dialog.height()
    for field in dialog.findChildren(FolderField):
        field.line.setText(str(tmp_path / "a" / "b" / ("long" * 8)) if field.line.hasFocus() else "relative")
        field.look()

    def has_room(field: FolderField) -> bool:
        line = field.trouble
        is_below = line.geometry().top() > field.line.geometry().bottom()
        return line.isVisible() and is_below and line.height() >= line.heightForWidth(line.width())

    qtbot.waitUntil(lambda: dialog.height() > before and all(map(has_room, dialog.findChildren(FolderField))))
