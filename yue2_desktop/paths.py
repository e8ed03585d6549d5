"""Where things lie: the program's own resources, and the user's folders on this system."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_APP = "YuE2 Desktop"


def resources() -> Path:
    """The folder of icons, examples and the test model that travels with the program.

    In an installed package it lies inside `yue2_desktop`; in a checkout beside it. Raises FileNotFoundError
    when neither is there, which means that the installation is broken.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / "test-model").is_dir():
            return folder
    raise FileNotFoundError(
        f"The program's own files are missing at {package / 'resources'}; install YuE2 Desktop again."
    )


def config_folder() -> Path:
    """Preferences: `~/.config/YuE2 Desktop`, or `%APPDATA%` on Windows."""
    return platformdirs.user_config_path(_APP, appauthor=False, roaming=True)


def data_folder() -> Path:
    """What must outlive an update: the queue, the library's index and the models."""
    return platformdirs.user_data_path(_APP, appauthor=False)


def models_folder() -> Path:
    """Where models are looked for unless the preferences name another folder."""
    return data_folder() / "models"


def test_model_folder() -> Path:
    """Where the window puts the built-in test model when somebody tries it; beside the models, not among them."""
    return data_folder() / "test-model"


def output_folder() -> Path:
    """Where takes are written unless the preferences name another folder: in the user's music."""
    return platformdirs.user_music_path() / _APP


def cache_folder() -> Path:
    """What can be made again: waveforms, hardware facts."""
    return platformdirs.user_cache_path(_APP, appauthor=False)


def log_folder() -> Path:
    """Logs and crash traces."""
    return platformdirs.user_log_path(_APP, appauthor=False)
