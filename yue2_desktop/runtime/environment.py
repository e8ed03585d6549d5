"""The environment that the engine's process starts in, and the factory of such engines."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from yue2_desktop.engine.cuda.environment import prepare_allocator
from yue2_desktop.engine.messages import Event
from yue2_desktop.runtime.driver import EngineFactory
from yue2_desktop.runtime.engine_process import EngineProcess, engine_command
from yue2_desktop.runtime.outcome import Outcome


def engine_environment(gpu: str | None, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """`base` (this process's own) for an engine on the card with the UUID `gpu`, None for all that are visible.

    What torch reads when it is imported must stand here before the process starts (user-reports.md, rows 34 and 35).
    """
    environment = dict(os.environ if base is None else base)
    environment["PYTHONUTF8"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    if gpu is not None:
        environment["CUDA_VISIBLE_DEVICES"] = gpu
    prepare_allocator(environment)
    return environment


def process_factory(gpu: str | None = None) -> EngineFactory:
    """Makes engines in processes of their own, on the card `gpu`."""

    def made(on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> EngineProcess:
        return EngineProcess(engine_command(), on_event, on_end, environment=engine_environment(gpu))

    return made
