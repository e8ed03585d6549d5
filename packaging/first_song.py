"""The first song: the example of `resources`, made by the built-in test model, and the words that go with it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import textwrap
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from environment import clean_environment

#: Ten seconds, enough to see every stage.
_FRAMES = 250


class Found(Enum):
    """What lies where the first song goes."""

    NOTHING = "nothing, or an empty folder"
    FINISHED = "a finished take"
    UNFINISHED = "a take that was interrupted"
    OTHER = "something else, or a damaged take"


def look(folder: Path) -> Found:
    """Tell what lies at `folder`; a take is finished when its result says so and every file has its size."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return Found.NOTHING
    if not (folder / "result.json").exists():
        return Found.UNFINISHED if (folder / "take.json").is_file() else Found.OTHER
    try:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        sizes = {name: entry["bytes"] for name, entry in result["artifacts"].items()}
        whole = all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Found.OTHER
    return Found.FINISHED if whole and result.get("status") == "complete" and "audio.flac" in sizes else Found.OTHER


@dataclass(frozen=True)
class Commands:
    """What is run: materialise the test model, render the example with it, go on with it after an interruption."""

    prepare: list[str]
    render: list[str]
    resume: list[str]


def commands(python: Path, root: Path, output: Path) -> Commands:
    """The commands for a first song in `output`.

    -P keeps the checkout out of the import path: it is the installed program that runs. In float32 the song is the
    same on every machine, which bfloat16 does not promise.
    """
    program = [str(python), "-P", "-m", "yue2_desktop"]
    model = root / "build" / "test-model"
    folders = ["--model", str(model / "model"), "--vae", str(model / "vae")]
    example = root / "resources" / "examples" / "first-song" / "request.json"
    render = [
        "render",
        "--request",
        str(example),
        "--max-frames",
        str(_FRAMES),
        "--device",
        "cpu",
        "--dtype",
        "float32",
    ]
    return Commands(
        prepare=[*program, "test-model", "--quiet", str(model)],
        render=[*program, *render, *folders, "--output", str(output)],
        resume=[*program, "render", "--resume", str(output), *folders],
    )


def make(python: Path, root: Path) -> int:
    """Make the first song in `first-song/` of the checkout, unless it is there; the exit status."""
    output = root / "first-song"
    run = commands(python, root, output)
    match look(output):
        case Found.FINISHED:
            again = [word for word in run.render[:-1] if word != "-P"]
            print(f"The first song of an earlier run is here, finished: {output}")
            print(f"For a new one, delete that folder, or name another:\n    {in_shell([*again, 'first-song-2'])}")
            print(real_model(python, root))
            return 0
        case Found.OTHER:
            print(f"{output} holds something else than a song of this program, or a damaged one.")
            print("Delete it or move it away, and run the same command again.")
            return 1
        case Found.UNFINISHED:
            print(f"Going on with the first song of an earlier run in {output}")
            steps = [run.prepare, run.resume]
        case Found.NOTHING:
            print(f"Making the first song in {output}")
            steps = [run.prepare, run.render]
    for step in steps:
        status = subprocess.run(step, cwd=root, env=clean_environment(os.environ), check=False).returncode
        if status == 130:
            print("Stopped. The same command goes on from here.")
        elif status != 0 and step is run.resume:
            print(f"If it cannot be gone on with, delete {output} and run the same command again.")
        if status != 0:
            return status
    print(closing_words(output))
    print(real_model(python, root))
    return 0


def closing_words(output: Path) -> str:
    """Where the audio is, and what it is."""
    return (
        f"\nThe audio is here:\n    {output / 'audio.flac'}\n"
        "It was made by the built-in test model. Its weights are random, so what you hear is noise: it shows that\n"
        "every stage works on this machine, and nothing about how YuE2 sounds."
    )


def real_model(python: Path, root: Path) -> str:
    """How to go on with the released weights."""
    request = root / "resources" / "examples" / "first-song" / "request.json"
    render = [
        str(python), "-m", "yue2_desktop", "render", "--request", str(request),
        "--model", "YuE2-3B", "--vae", "YuE2-Vae", "--output", "my-song",
    ]  # fmt: skip
    return textwrap.dedent("""
        For real songs, fetch the released weights (7.8 GB, licence CC BY-NC 4.0: not for commercial use):
            m-a-p/YuE2-3B    config.json, model.safetensors, qwen.tiktoken   into one folder, say YuE2-3B
            m-a-p/YuE2-Vae   config.json, model.safetensors                  into another, say YuE2-Vae
        and render with them:
            {command}""").format(command=in_shell(render))


def in_shell(command: list[str]) -> str:
    """The command as it is typed in this system's shell."""
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)
