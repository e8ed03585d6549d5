"""Names of sections: what other programs call them, in the words that the model knows."""

from __future__ import annotations

import re

_WORDS = (
    ("pre-?\\s?chorus|pr[ée]-?refrain|vorrefrain", "pre-chorus"),
    ("post-?\\s?chorus", "post-chorus"),
    ("chorus|refrain|refr[aã]o|estribillo|coro|ref\\.?|副歌|サビ|후렴", "chorus"),
    ("verse|strophe|vers|couplet|estrofa|strofa|куплет|主歌|절", "verse"),
    ("intro\\w*|einleitung|vorspiel|前奏", "intro"),
    ("outro|ending|schluss|nachspiel|尾奏", "outro"),
    ("coda", "coda"),
    ("bridge|middle ?8|br[üu]cke|puente|pont|桥段", "bridge"),
    ("interlude|zwischenspiel|间奏|間奏", "interlude"),
    ("solo", "solo"),
    ("instrumental|inst\\.?", "instrumental"),
    ("hook", "hook"),
    ("break(?:down)?", "break"),
    ("drop", "drop"),
    ("rap", "rap"),
    ("theme|thema", "theme"),
)
_PATTERNS = tuple(
    (re.compile(rf"(?<!\w)(?:{words})(?:\s?(\d{{1,2}})(?!\d))?(?!\w)", re.IGNORECASE), name) for words, name in _WORDS
)


def section_name(text: str) -> str | None:
    """Return the model's word for a section (`Verse 2:` is `verse 2`), None for a name that says nothing to it."""
    for pattern, name in _PATTERNS:
        found = pattern.search(text)
        if found is not None:
            return f"{name} {int(found[1])}" if found[1] and int(found[1]) else name
    return None
