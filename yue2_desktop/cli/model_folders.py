"""Where the model and the audio decoder lie: the option, else the models folder of the settings."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop import settings
from yue2_desktop.cli.report import Report
from yue2_desktop.settings import Settings
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text


def user_settings(report: Report) -> Settings:
    """The user's settings; what in them could not be used is said. Raises Problem(BAD_FILE)."""
    loaded = settings.load()
    for complaint in loaded.complaints:
        report.note(complaint)
    return loaded.settings


def model_folder(option: Path | None, chosen: Settings) -> Path:
    """The folder of the model; Problem(MODEL_MISSING) that says what to do where there is none."""
    return _folder(option, chosen.model_dir, "--model", "model (config.json, model.safetensors, qwen.tiktoken)")


def vae_folder(option: Path | None, chosen: Settings) -> Path:
    """The folder of the audio decoder; errors as `model_folder`."""
    return _folder(option, chosen.vae_dir, "--vae", "audio decoder (config.json, model.safetensors)")


def _folder(option: Path | None, usual: Path, name: str, what: str) -> Path:
    if option is not None:
        return option
    if usual.is_dir():
        return usual
    place = path_text(usual)
    raise Problem(
        ProblemKind.MODEL_MISSING,
        f"There is no {what} at {place}. Put it there or name its folder with {name}; "
        "'yue2-desktop test-model FOLDER' makes a small one to try the program with.",
        folder=place,
        option=name,
    )
