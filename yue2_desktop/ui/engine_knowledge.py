"""What the engine knows, brought to the planner: cards as torch sees them, the model's weights, counted tokens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Slot

from yue2_desktop.engine.messages import Ready
from yue2_desktop.plan.known import facts_from_json, model_from_json
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.wording import path_text
from yue2_desktop.ui.editor.tokens import Tokens
from yue2_desktop.ui.models import FoundModels
from yue2_desktop.ui.planner import Planner
from yue2_desktop.ui.rendering import Rendering

_log = logging.getLogger(__name__)
_SPEAKS = frozenset({EngineState.READY, EngineState.BUSY})


class EngineKnowledge(QObject):
    """Belongs to one window. `count` may be called on any thread, and waits for the engine."""

    def __init__(
        self,
        planner: Planner,
        rendering: Rendering,
        count: Callable[[SongDocument], Tokens],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._planner = planner
        self._rendering = rendering
        self._count = count
        self._speaks = False
        self._model = ""
        self._counted: dict[tuple[str, ...], int] = {}
        rendering.engine_changed.connect(self._follow)
        rendering.facts.connect(self._learn)
        rendering.ready.connect(self._is_ready)

    @Slot(object)
    def use_model(self, found: FoundModels) -> None:
        """Another model may have been found; the renders know of it already."""
        places = (found.model, found.vae) if found.model is not None and found.vae is not None else ()
        self._model = path_text(places[0]) if places else ""
        self._counted = {}
        self._planner.use_model(*places)
        if self._speaks and places:
            self._rendering.read_facts()

    @Slot(object)
    def _follow(self, state: EngineState) -> None:
        if state is EngineState.STOPPING:
            return  # a job of an engine that goes on speaking, or the engine itself, which is dead next
        speaks = state in _SPEAKS
        if speaks == self._speaks:
            return
        self._speaks = speaks
        if speaks:
            self._rendering.read_facts()
        else:
            self._planner.use_engine(None, None)

    @Slot(object)
    def _is_ready(self, ready: Ready) -> None:
        self._planner.use_engine(self._tokens, ready.pid or None)

    @Slot(object)
    def _learn(self, values: Mapping[str, object]) -> None:
        try:
            facts = None if values.get("machine") is None else facts_from_json(values["machine"])
            is_ours = values.get("model") is not None and values.get("model_path") == self._model
            model = model_from_json(values["model"]) if is_ours else None
        except ValueError as error:
            _log.warning("what the engine knows cannot be read: %s", error)
            return
        self._planner.learn(facts, model)

    def _tokens(self, document: SongDocument) -> int | None:
        """Counted once a text: the free memory is looked at more often than words are changed."""
        counted = self._counted
        score = "" if document.score is None else document.score.text
        key = (document.sung_style, document.sung_lyrics, document.cot, score)
        if key not in counted:
            tokens = self._count(document)
            if not tokens.exact:
                return None
            if len(counted) > 1:
                counted.clear()
            counted[key] = tokens.count
        return counted[key]
