"""The categories of a style in the user's language."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication


def category_titles() -> Mapping[str, str]:
    """The name of each category by its id."""
    translate = QCoreApplication.translate
    return {
        "language": translate("Categories", "Language"),
        "genre": translate("Categories", "Genre"),
        "mood": translate("Categories", "Mood"),
        "instruments": translate("Categories", "Instruments"),
        "voice": translate("Categories", "Voice"),
        "tempo": translate("Categories", "Tempo"),
    }


def kind_text(category: str | None, *, known: bool) -> str:
    """What a piece is: its category, or that it is the user's own words."""
    if known and category is not None:
        return category_titles()[category]
    return QCoreApplication.translate("Categories", "your own words")
