"""Engines in this process that follow a script, and are kept to be looked at."""

from __future__ import annotations

from collections.abc import Callable

from yue2_desktop.engine.messages import Event, Make
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome


class Engines:
    """An `EngineFactory`: each engine follows the script of the moment at which it is made."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or Script()
        self.made: list[FakeEngine] = []

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        self.made.append(FakeEngine(on_event, on_end, self.script))
        return self.made[-1]

    @property
    def orders(self) -> list[Make]:
        return [command for engine in self.made for command in engine.commands if isinstance(command, Make)]
