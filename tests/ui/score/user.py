"""A user at a score panel: scores, keys, answers to dialogs, and waiting until it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from yue2_desktop.ui.score.panel import ScorePanel

SCORES = Path(__file__).parents[2] / "scores"


def score_text(number: str) -> str:
    """The text of a score of the tests by its number."""
    return next(SCORES.glob(f"{number}_*.abc")).read_bytes().decode("utf-8")


@dataclass
class Answers:
    """Answers file dialogs; `asked` has what was suggested."""

    export: Path | None = None
    source: Path | None = None
    asked: list[str] = field(default_factory=list)

    def path_to_export(self, suggested: str, suffix: str) -> Path | None:
        self.asked.append(f"{suggested}{suffix}")
        return self.export

    def path_to_import(self) -> Path | None:
        return self.source


def drawn(panel: ScorePanel, qtbot) -> None:
    """Waits until what is shown is the score's text of now."""

    def is_shown() -> bool:
        sheet = panel.notation.sheet
        return sheet is not None and sheet.parsed.text == panel.edits.text

    qtbot.waitUntil(is_shown, timeout=10_000)


def press(panel: ScorePanel, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Presses keys in the notation."""
    for key in keys:
        QTest.keyClick(panel.notation, key, modifiers)
