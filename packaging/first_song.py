"""The first song: the example of `resources`, made by the built-in test model, and the words that go with it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import textwrap
from enum import Enum
from pathlib import Path

from environment import clean_environment

#: Ten seconds, enough to see every stage.
_FRAMES = 250
#: What a take consists of (design: a take on disk); a folder with anything else in it is not ours to clear.
_ARTEFACTS = frozenset({
    "request.json", "plan.json", "score.abc", "abc_tokens.npy", "prefix.npy", "plan_manifest.json", "semantic.npy",
    "latent.npy", "config.json", "audio.flac", "result.json", "take.json", "journal",
})  # fmt: skip


class Found(Enum):
    """What lies where the first song goes."""

    NOTHING = "nothing"
    FINISHED = "a finished take"
    UNFINISHED = "a take that was interrupted"
    FOREIGN = "something else"


def look(folder: Path) -> Found:
    """Tell what lies at `folder`; a take is finished when its result says so and every file has its size."""
    if not folder.exists():
        return Found.NOTHING
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else {folder.name}
    if not all(name in _ARTEFACTS or (name.startswith(".yue2-") and name.endswith(".part")) for name in names):
        return Found.FOREIGN
    try:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        sizes = {name: entry["bytes"] for name, entry in result["artifacts"].items()}
        whole = all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Found.UNFINISHED
    return (
        Found.FINISHED if whole and result.get("status") == "complete" and "audio.flac" in sizes else Found.UNFINISHED
    )


def commands(python: Path, root: Path, output: Path) -> tuple[list[str], list[str]]:
    """The two commands: materialise the test model, and render the example with it.

    -P keeps the checkout out of the import path: it is the installed program that runs.
    """
    program = [str(python), "-P", "-m", "yue2_desktop"]
    model = root / "build" / "test-model"
    example = root / "resources" / "examples" / "first-song"
    render = [
        *program, "render", "--request", str(example / "request.json"), "--max-frames", str(_FRAMES),
        "--model", str(model / "model"), "--vae", str(model / "vae"), "--device", "cpu", "--output", str(output),
    ]  # fmt: skip
    return [*program, "test-model", str(model)], render


def make(python: Path, root: Path) -> int:
    """Make the first song in `first-song/` of the checkout, unless it is there; the exit status."""
    output = root / "first-song"
    prepare, render = commands(python, root, output)
    match look(output):
        case Found.FINISHED:
            print(f"The first song of an earlier run is here, finished: {output}")
            print(f"For a new one, delete that folder, or give another: {in_shell([*render[:-1], 'first-song-2'])}")
            print(real_model(python, root))
            return 0
        case Found.FOREIGN:
            print(f"{output} holds other files than those of a song; move it away and run the same command again.")
            return 1
        case Found.UNFINISHED:
            print(f"The first song of an earlier run was not finished; it is begun again in {output}")
            shutil.rmtree(output)
        case Found.NOTHING:
            print(f"Making the first song in {output}")
    for command in (prepare, render):
        status = subprocess.run(command, cwd=root, env=clean_environment(os.environ), check=False).returncode
        if status != 0:
            return status
    print(closing_words(output))
    print(real_model(python, root))
    return 0


def closing_words(output: Path) -> str:
    """Where the audio is, and what it is."""
    return (
        f"\nThe song is here:\n    {output / 'audio.flac'}\n    {output / 'score.abc'}\n"
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
