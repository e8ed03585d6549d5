"""Dictionaries of hyphenation (pyphen), by language, as a help in counting syllables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

#: Where a word (small letters) may be parted, as offsets in it.
Hyphens = Callable[[str], Sequence[int]]

#: Languages whose dictionary under that name is not the plain code.
_DICTIONARY: Final = {"en": "en_US", "de": "de_DE", "pt": "pt_BR", "nb": "nb_NO", "sr": "sr"}


@lru_cache(maxsize=4)
def load_hyphens(language: str | None) -> Hyphens | None:
    """The dictionary of a language by ISO 639 code; None where pyphen has none.

    Reading one takes up to 2 s (German, Hungarian) the first time, so that a window does it in a thread.
    """
    # Imported here, since the package looks through its folder of dictionaries when it is imported.
    import pyphen

    name = pyphen.language_fallback(_DICTIONARY.get(language or "", language or "none"))
    if name is None:
        return None
    dictionary = pyphen.Pyphen(lang=name)
    positions: Hyphens = dictionary.positions
    return positions
