"""Broken scores for the fuzz tests: mutations of the example scores by seed, and prefixes of three of them.

Run as a script with `FIRST LAST` it engraves those seeds one after another and prints each before it begins, so that
the test that started it sees at which the process died.
"""

from __future__ import annotations

import faulthandler
import random
import sys
from functools import partial

from tests.score.samples import GOOD, MALFORMED
from tests.work import calls_of
from yue2_desktop.score.engraving.engrave import engrave
from yue2_desktop.score.engraving.flaws import flaws
from yue2_desktop.score.parser import parse

_SIGNS = "ABCDEFGabcdefgzZ|\"[]():-^_=,'0123456789/ \n%KMVLQ<>{}!&x♯♭\r\ufeff\u00a0音\ue262\x01"
_TEXTS = [text for text in (*GOOD.values(), *MALFORMED.values()) if len(text) < 2500]
#: Calls for each character of a text, up to its MEI and up to its pages: twice what the worst text here takes.
UP_TO_MEI, UP_TO_PAGES = 100, 400
PREFIXED = ("03_full_waltz_Gm", "06_full_tuplets", "09_full_onebar")


def mutated(seed: int) -> str:
    """Return an example score with one to six insertions, deletions, exchanges and copies."""
    rng = random.Random(seed)
    pieces = list(rng.choice(_TEXTS))
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(pieces) + 1)
        kind = rng.random()
        if kind < 0.4:
            pieces[at:at] = rng.choice(_SIGNS) * rng.choice([1, 1, 1, 6])
        elif kind < 0.6:
            del pieces[at : at + rng.choice([1, 2, 30])]
        elif kind < 0.8 and at < len(pieces):
            pieces[at] = rng.choice(_SIGNS)
        else:
            start = rng.randrange(len(pieces) + 1)
            pieces[at:at] = pieces[start : start + rng.randint(1, 80)]
    return "".join(pieces)


def prefixes() -> list[str]:
    """Return all prefixes of three scores."""
    return [GOOD[name][:end] for name in PREFIXED for end in range(len(GOOD[name]))]


def main(first: int, last: int) -> None:
    """Engrave the mutations of some seeds, and every eightieth prefix with them."""
    faulthandler.enable()
    cut = prefixes()[first % 80 :: 80]
    for number, text in enumerate([*(mutated(seed) for seed in range(first, last)), *cut], first):
        print(number, flush=True)
        _, calls = calls_of(partial(_draw, text))
        assert calls < UP_TO_PAGES * len(text) + 150_000, number  # a short text may ask for many bars of rest
    print("all drawn", flush=True)


def _draw(text: str) -> None:
    parsed = parse(text)
    engraving = engrave(parsed.score)
    for page in range(engraving.page_count):
        engraving.page(page)
    flaws(parsed)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
