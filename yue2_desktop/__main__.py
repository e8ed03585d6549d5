"""The program's entrance: `yue2-desktop ...` and `python -m yue2_desktop ...`."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from yue2_desktop import logs
from yue2_desktop.cli import console
from yue2_desktop.cli.app import with_window
from yue2_desktop.cli.commands import parse
from yue2_desktop.cli.failures import FAILED, INTERRUPTED, MISTAKE, fail
from yue2_desktop.cli.screen import Quiet

#: How the window starts the engine's process, frozen or not; must not open a second window (qt-and-packaging, trap 7).
ENGINE_HOST: Final = "--engine-host"


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out a command line (by default the process's own); the exit status.

    0 done, 1 failed, 2 the user can mend it, 3 does not fit, 130 interrupted. Errors are one sentence on stderr.
    """
    given = sys.argv[1:] if argv is None else argv
    if list(given[:1]) == [ENGINE_HOST]:
        from yue2_desktop.enginehost.host import run

        return run()
    console.prepare()
    try:
        command = parse(with_window(given, sys.platform, os.environ))
    except SystemExit as done:  # argparse has printed the help, or what is wrong
        return done.code if isinstance(done.code, int) else MISTAKE
    except KeyboardInterrupt:
        return INTERRUPTED
    if command is None:
        return MISTAKE
    log = _started_log()
    try:
        status = command.run(command.args)
        sys.stdout.flush()
    except BrokenPipeError:
        for stream in (sys.stdout, sys.stderr):
            console.abandon(stream)
        return FAILED
    except Exception as error:  # noqa: BLE001 - the last one to catch anything, and it tells
        return fail(error, Quiet(), verbose=getattr(command.args, "verbose", False))
    except KeyboardInterrupt:
        console.say("Cancelled.")
        return INTERRUPTED
    finally:
        if log is not None:
            log.close()
    return status


def _started_log() -> logs.Logs | None:
    logging.getLogger("yue2_desktop").addHandler(logging.NullHandler())  # without it Python prints records to stderr
    try:
        return logs.start()
    except OSError as error:
        logging.getLogger(__name__).info("there is no log: %s", error)
        return None


def entry() -> NoReturn:
    """The process's own command line, and the end of the process.

    It ends at once: taking torch and a tokenizer down piece by piece takes a second, which Ctrl-C has not.
    """
    status = main()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        status = status or FAILED
    os._exit(status)


if __name__ == "__main__":
    entry()
