"""What went wrong, as one sentence and an exit status."""

from __future__ import annotations

import logging
import sys
import traceback
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, Final

from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem, ProblemKind

if TYPE_CHECKING:
    from yue2_desktop.cli.report import Report

OK: Final = 0
FAILED: Final = 1
MISTAKE: Final = 2
DOES_NOT_FIT: Final = 3
INTERRUPTED: Final = 130

_log = logging.getLogger(__name__)


def exit_status(problem: Problem) -> int:
    """2 for what the user can mend, 3 for what does not fit, 130 for a cancelled run, 1 for any other failure."""
    if problem.kind is ProblemKind.CANCELLED:
        return INTERRUPTED
    if problem.kind is ProblemKind.DOES_NOT_FIT:
        return DOES_NOT_FIT
    return MISTAKE if problem.is_users_mistake else FAILED


def fail(error: BaseException, report: Report, *, verbose: bool, kept: str | None = None) -> int:
    """Reports what ended a command, with what was `kept`; the exit status.

    A broken pipe (whatever read the output is gone) is raised again: there is nobody to tell.
    """
    if isinstance(error, BrokenPipeError):
        raise error
    problem = as_problem(error)
    if verbose:
        traceback.print_exception(error)
    report.fails(problem, kept)
    return exit_status(problem)


def as_problem(error: BaseException) -> Problem:
    """`error` as a problem: itself, out of memory, cancelled, or a fault of the program, which is logged whole."""
    if isinstance(error, Problem):
        return error
    if "torch" in sys.modules:
        from yue2_desktop.engine.failures import problem_of

        known = problem_of(error)
        if known is not None:
            return known
    if isinstance(error, MemoryError):
        return Problem(ProblemKind.OUT_OF_MEMORY, "Main memory is full. Close other programs and try again.")
    if isinstance(error, KeyboardInterrupt):
        return Problem(ProblemKind.CANCELLED, "Cancelled. What was finished is kept.")
    if isinstance(error, BrokenPipeError):
        return Problem(ProblemKind.CANCELLED, "Whatever read the output is gone, so the work was stopped.")
    _log.error("unexpected %s", type(error).__name__, exc_info=error)
    first_line = next(iter(str(error).splitlines()), "")
    return Problem(
        ProblemKind.ENGINE_DIED,
        f"The program met a fault of its own ({type(error).__name__}: {first_line}){_where_logged()}.",
        error=type(error).__name__,
    )


def _where_logged() -> str:
    for handler in logging.getLogger("yue2_desktop").handlers:
        if isinstance(handler, RotatingFileHandler):
            return f"; the details are in {handler.baseFilename}"
    return ""


def with_cure(problem: Problem, stage: TakeStage) -> Problem:
    """The problem with what else can be done: fewer bits for tokens make another take, so it is asked for."""
    cure = (
        "A smaller precision takes less memory and makes another take: --ar-precision q8_0, or q4_0."
        if stage in {TakeStage.PLAN, TakeStage.SEMANTIC}
        else "Nothing smaller is left to try here; a shorter song needs less."
    )
    return Problem(problem.kind, f"{problem.sentence} {cure}", **problem.data)
