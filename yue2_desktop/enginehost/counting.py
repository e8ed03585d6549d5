"""How many tokens a song's text has, with the tokenizer of a model; it is read once and kept."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from yue2_desktop.engine.messages import CountTokens, TokensCounted
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.request import COTS, SongRequest

if TYPE_CHECKING:
    from yue2_desktop.engine.text.tokenizer import Tokenizer

_log = logging.getLogger(__name__)


class TokenCounting:
    """May be called on any thread; two at once wait for each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[str, Tokenizer] | None = None

    def count(self, asked: CountTokens) -> TokensCounted:
        """The answer; without a number where the model cannot be opened or the text is none that can be asked for."""
        try:
            with self._lock:
                return TokensCounted(asked.ask, self._tokens(asked))
        except (Problem, OSError, ValueError) as error:
            _log.info("tokens are not counted: %s", error)
            return TokensCounted(asked.ask)

    def _tokens(self, asked: CountTokens) -> int:
        from yue2_desktop.engine.text.prompt import score_prefix, semantic_prefix

        tokenizer = self._tokenizer(asked.model)
        cot = COTS[COTS.index(asked.cot)]
        request = SongRequest(style=asked.style, lyrics=asked.lyrics, cot=cot)
        if cot != "off" and not asked.score:
            return len(score_prefix(tokenizer, request))
        score = tokenizer.encode(asked.score) if cot != "off" else ()
        return len(semantic_prefix(tokenizer, request, score))

    def _tokenizer(self, model: str) -> Tokenizer:
        if self._known is None or self._known[0] != model:
            from yue2_desktop.engine.weights.open import open_model_at

            # The letters of a path cross the line as UTF-8, whatever the code page (song/wording.py).
            place = Path(os.fsdecode(model.encode("utf-8")))
            self._known = (model, open_model_at(place).tokenizer)
        return self._known[1]
