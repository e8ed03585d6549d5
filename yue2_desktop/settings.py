"""The user's preferences: a frozen value, read from and written to one TOML file."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import tomli_w

from yue2_desktop import paths
from yue2_desktop.song.errors import Problem, ProblemKind

_FILE = "settings.toml"
_MAX_THREADS = 512
_GPU_CHARS = 80
#: Folders that takes went to before, the latest first; a list that grows for ever would be looked through for ever.
_MOST_FORMER = 8
THEMES = ("system", "light", "dark")
LANGUAGES = ("system", "en")


@dataclass(frozen=True)
class Settings:
    """What the user chose; `kept` holds entries of the file that this version does not understand.

    `threads` is the number of CPU threads the engine may use, None for all but one. `gpu` is the UUID of the card
    that was chosen (user-reports.md, row 35), None for the planner's choice. `theme` and `language` are of THEMES
    and LANGUAGES. `former_output_folders` are those that takes went to before; they stay in the library.
    """

    models_folder: Path = field(default_factory=paths.models_folder)
    output_folder: Path = field(default_factory=paths.output_folder)
    threads: int | None = None
    gpu: str | None = None
    theme: str = "system"
    language: str = "system"
    former_output_folders: tuple[Path, ...] = ()
    kept: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def take_folders(self) -> tuple[Path, ...]:
        """Where takes lie: where they go to now, then where they went before."""
        return (self.output_folder, *(one for one in self.former_output_folders if one != self.output_folder))

    def with_output_folder(self, folder: Path) -> Settings:
        """Takes go to `folder` from now on; those of before are not forgotten."""
        if folder == self.output_folder:
            return self
        former = tuple(one for one in self.take_folders if one != folder)[:_MOST_FORMER]
        return replace(self, output_folder=folder, former_output_folders=former)

    @property
    def model_dir(self) -> Path:
        """Where `render` looks for the MoT (config.json, model.safetensors, qwen.tiktoken) without `--model`."""
        return self.models_folder / "YuE2-3B"

    @property
    def vae_dir(self) -> Path:
        """Where `render` looks for the VAE (config.json, model.safetensors) without `--vae`."""
        return self.models_folder / "YuE2-Vae"


@dataclass(frozen=True)
class LoadedSettings:
    """Preferences as read, and one sentence for each entry that could not be used (its default holds)."""

    settings: Settings
    complaints: tuple[str, ...] = ()


def settings_file() -> Path:
    """The file that `load` and `save` use unless they are given another."""
    return paths.config_folder() / _FILE


def load(path: Path | None = None) -> LoadedSettings:
    """Read the preferences; a file that does not exist gives the defaults.

    Raises Problem BAD_FILE, with line and column, where the file is not TOML: nothing of it can be trusted then,
    and going on with defaults would write takes to a folder that the user did not choose.
    """
    path = path or settings_file()
    try:
        text = path.read_bytes().decode("utf-8-sig")  # Notepad puts a BOM before what it saves
        entries = tomllib.loads(text)
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except UnicodeDecodeError as error:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The settings file {path} is not UTF-8 text (byte {error.start}); save it as UTF-8, or delete it to "
            "start with the defaults.",
            path=str(path),
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The settings file {path} cannot be read: {error}; mend that line, or delete the file to start with "
            "the defaults.",
            path=str(path),
        ) from error
    return _from_entries(entries, path)


def save(settings: Settings, path: Path | None = None) -> None:
    """Write what differs from the defaults, and what was kept, replacing the file in one step.

    A default is left out, so that a later version's better default reaches the user. Raises OSError.
    """
    path = path or settings_file()
    defaults = Settings()
    entries = dict(settings.kept)
    for option in _OPTIONS:
        value = getattr(settings, option.name)
        if value != getattr(defaults, option.name):
            entries[option.name] = _written(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(tomli_w.dumps(entries).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _written(value: object) -> object:
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    return str(value) if isinstance(value, Path) else value


def _from_entries(entries: dict[str, object], path: Path) -> LoadedSettings:
    values: dict[str, object] = {}
    complaints: list[str] = []
    for option in _OPTIONS:
        if option.name not in entries:
            continue
        try:
            values[option.name] = option.read(entries[option.name])
        except ValueError as error:
            complaints.append(f"{path}: {option.name} {error}; the default is used instead.")
    kept = {name: value for name, value in entries.items() if name not in values}
    return LoadedSettings(Settings(**values, kept=MappingProxyType(kept)), tuple(complaints))  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Option:
    """One preference: its name in the file, and how its value is checked (ValueError ends the sentence)."""

    name: str
    read: Callable[[object], object]


def _folder(value: object) -> Path:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"must be a folder in quotes, not {value!r}")
    folder = Path(value).expanduser()
    if not folder.is_absolute():
        raise ValueError(f'must be a full path, not "{value}"')
    return folder


def _folders(value: object) -> tuple[Path, ...]:
    if not isinstance(value, list):
        raise ValueError(f"must be folders in quotes between [ and ], not {value!r}")
    return tuple(_folder(one) for one in value)


def _threads(value: object) -> int:
    if type(value) is not int or not 1 <= value <= _MAX_THREADS:
        raise ValueError(f"must be a whole number from 1 to {_MAX_THREADS}, not {value!r}")
    return value


def _gpu(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _GPU_CHARS or not value.isascii():
        raise ValueError(f"must be the UUID of a card such as GPU-..., not {value!r}")
    return value


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"must be {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}")
        return value

    return read


_OPTIONS = (
    _Option("models_folder", _folder),
    _Option("output_folder", _folder),
    _Option("former_output_folders", _folders),
    _Option("threads", _threads),
    _Option("gpu", _gpu),
    _Option("theme", _one_of(THEMES)),
    _Option("language", _one_of(LANGUAGES)),
)
