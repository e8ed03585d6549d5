"""The rule for a take's folder: new or empty, never one that holds anything already."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.song.disk_errors import write_problem
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text


def require_free(folder: Path) -> None:
    """Raises Problem(OUTPUT_EXISTS) unless `folder` is absent or an empty folder; writes nothing."""
    place = path_text(folder)
    try:
        first = next(iter(sorted(entry.name for entry in folder.iterdir())), None)
    except FileNotFoundError:
        return
    except NotADirectoryError as error:
        raise Problem(
            ProblemKind.OUTPUT_EXISTS,
            f"The output {place} is or lies in a file, not a folder; name a new folder.",
            path=place,
        ) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The output folder {place} cannot be used ({reason}); name another folder.",
            path=place,
        ) from error
    if first is not None:
        raise Problem(
            ProblemKind.OUTPUT_EXISTS,
            f"The output folder {place} is not empty (it holds {path_text(Path(first))}); name a new folder, "
            "so that nothing in it is overwritten.",
            path=place,
        )


def claim(folder: Path) -> None:
    """Makes `folder` with its parents, after `require_free`; a failure is Problem(BAD_FILE) or (DISK_FULL)."""
    require_free(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_problem(folder, error) from error
