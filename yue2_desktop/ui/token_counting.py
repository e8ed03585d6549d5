"""The engine counts the tokens of the editor's words as soon as it is ready; until then there is a bound."""

from __future__ import annotations

from concurrent.futures import Future
from itertools import count
from typing import Final

from PySide6.QtCore import QObject, Slot

from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.editor.tokens import Tokens, bounded
from yue2_desktop.ui.rendering import Rendering

#: The tokenizer is read first, on a machine that may be busy.
_PATIENCE_S: Final = 20.0
_SPEAKS: Final = frozenset({EngineState.READY, EngineState.BUSY, EngineState.STOPPING})


class TokenCounting(QObject):
    """Belongs to one desk. `count` is called on threads of the pool and waits for the engine's answer."""

    def __init__(self, desk: Desk, rendering: Rendering) -> None:
        super().__init__(desk)
        self._rendering = rendering
        self._editors = desk.window.findChildren(EditorPanel)
        self._numbers = count(1)
        self._waiting: dict[int, Future[int | None]] = {}
        self._speaks = self._is_over = False
        rendering.counted.connect(self._heard)
        rendering.engine_changed.connect(self._follow)
        desk.when_closing(self.stop)

    def count(self, document: SongDocument) -> Tokens:
        """The engine's number, or a bound where it does not answer."""
        ask = next(self._numbers)
        answer: Future[int | None] = Future()
        self._waiting[ask] = answer
        if self._is_over:
            return bounded(document)
        self._rendering.count_tokens(ask, document)
        try:
            tokens = answer.result(_PATIENCE_S)
        except TimeoutError:
            tokens = None
        finally:
            self._waiting.pop(ask, None)
        return bounded(document) if tokens is None else Tokens(tokens)

    @Slot()
    def stop(self) -> None:
        """Nobody waits any longer."""
        self._is_over = True
        self._let_go()

    @Slot(int, object)
    def _heard(self, ask: int, tokens: int | None) -> None:
        answer = self._waiting.pop(ask, None)
        if answer is not None:
            answer.set_result(tokens)

    @Slot(object)
    def _follow(self, state: EngineState) -> None:
        speaks = state in _SPEAKS
        if speaks == self._speaks:
            return
        self._speaks = speaks
        if not speaks:
            self._let_go()
        for editor in self._editors:
            editor.set_token_count(self.count if speaks else bounded)

    def _let_go(self) -> None:
        for ask in tuple(self._waiting):
            self._heard(ask, None)
