"""Texts of the window made longer and accented, as translations are: what they need is found before they are there."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QTranslator

#: What is no text: places for values, plural marks, entities.
_KEPT: Final = re.compile(r"(\{[^}]*\}|%[n\d]|&&|<[^>]*>)")
_ACCENTS: Final = str.maketrans("aeiou", "áéíóú")
_OTHERS: Final = str.maketrans("cnAEIOUS", "çñÁÉÍÓÚŠ")
_VOWEL: Final = re.compile("[aeiou]")


def longer(text: str) -> str:
    """A text about 40 % longer, with accents above and below the line: every vowel stands twice."""
    parts = _KEPT.split(text)
    return "".join(part if _KEPT.fullmatch(part) else _made(part) for part in parts)


def _made(text: str) -> str:
    return _VOWEL.sub(lambda vowel: vowel.group() + vowel.group().translate(_ACCENTS), text).translate(_OTHERS)


class Longer(QTranslator):
    """Translates everything, Qt's own texts as well."""

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        """Qt's own."""
        return False

    def translate(
        self,
        context: str,  # noqa: ARG002 - Qt's arguments
        source_text: str,
        disambiguation: str | None = None,  # noqa: ARG002
        n: int = -1,
    ) -> str:
        """Qt's own."""
        return longer(source_text).replace("%n", str(n))
