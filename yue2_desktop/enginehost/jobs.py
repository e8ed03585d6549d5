"""One job of the engine, from the order's JSON to its last message."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import torch

from yue2_desktop.cli.failures import as_problem
from yue2_desktop.cli.keeping import on_disk
from yue2_desktop.cli.making import make_take
from yue2_desktop.cli.take_job import TakeJob
from yue2_desktop.engine.messages import Event, Failed, Freed, Made
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.enginehost.kept_model import KeptModel
from yue2_desktop.enginehost.orders import order_from_json
from yue2_desktop.enginehost.reporting import EventReport
from yue2_desktop.song.errors import ProblemKind
from yue2_desktop.song.wording import path_text

_log = logging.getLogger(__name__)


class Jobs:
    """Makes takes with one model that stays open between them. For one thread."""

    def __init__(self, say: Callable[[Event], None]) -> None:
        self._say = say
        self._model = KeptModel()

    def make(self, job: int, values: Mapping[str, object], cancel: CancelToken) -> None:
        """Makes a take and says how it went; whatever goes wrong is said as well.

        After a job that was cancelled or failed no weight stays on the card (user-reports.md, row 99).
        """
        report = EventReport(job, self._say)
        begun: list[TakeJob] = []
        folder: Path | None = None
        ended: Event
        try:
            cancel.check()
            report.opens()
            order = order_from_json(values, report)
            folder = order.folder
            summary = make_take(order, report, cancel, on_begun=begun.append, opened_for=self._model.opened_for)
            ended = Made(job, path_text(folder), _plain(summary.to_json()))
        except BaseException as error:  # noqa: BLE001 - the engine outlives whatever a job meets
            problem = as_problem(error)
            what = on_disk(folder, begun[0].writer.record, begun[0].standing) if begun and folder is not None else ""
            if problem.kind is not ProblemKind.CANCELLED:
                _log.info("job %d: %s: %s", job, problem.kind.value, problem.sentence)
            ended = Failed(job, problem.kind.value, problem.sentence, what, _plain(problem.data))
            # The traceback holds the frames, and they the tensors.
            del error
            self._model.release()
        self._say(ended)

    def free(self) -> None:
        """Drops the weights, and says what is still held."""
        self._model.release()
        device = torch.cuda.memory_reserved() if torch.cuda.is_available() else None
        self._say(Freed(psutil.Process(os.getpid()).memory_info().rss, device))


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    """Values that JSON can hold; anything else as its text."""
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: object) -> object:
    if isinstance(value, Mapping):
        return _plain({str(name): item for name, item in value.items()})
    if isinstance(value, list | tuple):
        return [_plain_value(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return value
    return str(value)
