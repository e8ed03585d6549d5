"""The editor's count of tokens: a bound, then the engine's own number, then a bound again without an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, opened, song
from yue2_desktop.engine.messages import CountTokens, Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor.panel import EditorPanel


class Held:
    """Engines that are not ready until they are let go."""

    engine: FakeEngine

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        self.engine = FakeEngine(on_event, on_end, Script(hold_at="starting"))
        return self.engine


@pytest.fixture
def engines() -> Held:
    return Held()


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, engines: Held, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path, engines, engine="engine starting…") as made:
        yield made


def editor(desk: Desk) -> EditorPanel:
    found = desk.window.findChild(EditorPanel)
    assert isinstance(found, EditorPanel)
    return found


def test_a_bound_then_the_engine_s_number(desk: Desk, engines: Held, qtbot: QtBot, test_model: TestModel) -> None:
    desk.session.apply("Words", song())
    qtbot.waitUntil(lambda: editor(desk).token_text.startswith("at most "))
    engines.engine.released.set()
    # The engine by a script takes a word for a token: 3 of the style, 6 of the lyrics.
    qtbot.waitUntil(lambda: editor(desk).token_text.startswith("9 "), timeout=20_000)
    asked = next(one for one in engines.engine.commands if isinstance(one, CountTokens))
    assert (asked.model, asked.cot, asked.score) == (str(test_model.model_dir), "full", "")
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    engines.engine.kill()
    qtbot.waitUntil(lambda: editor(desk).token_text.startswith("at most "), timeout=20_000)


def test_the_window_closes_while_a_count_is_waited_for(desk: Desk, engines: Held, qtbot: QtBot) -> None:
    class Deaf(FakeEngine):
        def send(self, command: object) -> None:
            if not isinstance(command, CountTokens):
                super().send(command)  # type: ignore[arg-type]
            else:
                self.commands.append(command)

    engines.engine.__class__ = Deaf
    engines.engine.released.set()
    desk.session.apply("Words", song())
    qtbot.waitUntil(lambda: any(isinstance(one, CountTokens) for one in engines.engine.commands), timeout=20_000)
    assert engines.engine.state is EngineState.READY
    # What is left of it is looked for when the window is closed: no task of the pool may go on waiting.
