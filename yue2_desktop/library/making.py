"""What a take was made from and in which surroundings, as values to make it again by and to compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import CONFIG, PLAN, REQUEST, TAKE, TakeStage
from yue2_desktop.library.record import TakeRecord, read_record
from yue2_desktop.library.saved_settings import saved_settings
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged

#: Members of config.json that say in which precision each half computes, and on which kind of device.
PRECISION: Final = ("ar_weights", "nar_weights", "ar_device")


@dataclass(frozen=True)
class Settings:
    """What the user decides. `score` is the score as it was sung, None before it is written and with cot off.

    None stands for what nobody decided, or a take does not say. `vae_core` counts frames a tile.
    """

    request: SongRequest
    score: str | None = None
    abc: Sampling = ABC_SAMPLING
    semantic: Sampling = SEMANTIC_SAMPLING
    ode_steps: int | None = None
    ode_method: str | None = None
    vae_core: int | None = None


@dataclass(frozen=True)
class Surroundings:
    """What decides beside the settings: program, weights, precision and machine. Empty where nothing is known.

    `weights` gives a fingerprint by part (`mot`, `vae`); `mode` and `kernels` (`torch`, `cpu`, ...) are those of
    take.json; `precision` says in which format each half computes (`ar_weights`, `nar_weights`, such as `q8_0`) and
    where the tokens are drawn (`ar_device`), as config.json does; `device` is `cpu` or `cuda`, `machine` the name of
    the card or processor, `threads` a number in digits.
    """

    backend: str = ""
    app_version: str = ""
    weights: Mapping[str, str] = field(default_factory=dict)
    dtype: str = ""
    device: str = ""
    machine: str = ""
    driver: str = ""
    mode: str = ""
    precision: Mapping[str, str] = field(default_factory=dict)
    threads: str = ""
    kernels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Making:
    """How a take was made, or would be now. `resumed` names the stages that went on after an interruption.

    `seeds` gives those of score, semantic and noise where a stage was kept of a take with another seed, else nothing.
    """

    settings: Settings
    surroundings: Surroundings
    resumed: tuple[TakeStage, ...] = ()
    seeds: Mapping[str, int] = field(default_factory=dict)


def making_of(folder: Path) -> Making:
    """How the take in `folder`, of this program or the reference, was made: "use these settings".

    Raises Problem(BAD_FILE) or (BAD_REQUEST) naming the file and place when request.json, config.json or take.json is
    missing or damaged.
    """
    record = read_record(folder) if (folder / TAKE).exists() else None
    config = read_members(folder / CONFIG).values if (folder / CONFIG).exists() else {}
    saved = saved_settings(config, folder / CONFIG)
    settings = Settings(
        request=request_from_json(read_members(folder / REQUEST).values).request,
        score=sung_score(folder),
        abc=merged(ABC_SAMPLING, saved.abc),
        semantic=merged(SEMANTIC_SAMPLING, saved.semantic),
        ode_steps=saved.ode_steps,
        ode_method=text_of(config, "ode_method") or None,
        vae_core=saved.vae_core,
    )
    return Making(
        settings,
        _surroundings(config, record),
        resumed=() if record is None else _resumed(record),
        seeds={} if record is None or len(set(record.seeds.values())) == 1 else record.seeds,
    )


def sung_score(folder: Path) -> str | None:
    """The score that a take sings, from its plan: score.abc beside it may have been edited since."""
    return read_members(folder / PLAN).optional_text("abc") if (folder / PLAN).exists() else None


def weights_of(record: TakeRecord) -> dict[str, str]:
    """A fingerprint of the weights by part, as far as the take says one."""
    found = {}
    for part, identity in record.weights.items():
        value = identity.get("fingerprint") if isinstance(identity, dict) else identity
        if isinstance(value, str):
            found[part] = value
    return found


def text_of(values: Mapping[str, object], name: str) -> str:
    """The member `name` where it is text, else nothing: of what made a take, any part may be missing."""
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _surroundings(config: Mapping[str, object], record: TakeRecord | None) -> Surroundings:
    made_with = {} if record is None else record.made_with
    plan = _words(made_with.get("plan"))
    return Surroundings(
        backend=text_of(config, "backend"),
        app_version=text_of(made_with, "app_version"),
        weights={} if record is None else weights_of(record),
        dtype=text_of(made_with, "dtype") or text_of(config, "dtype"),
        device=text_of(config, "device"),
        machine=text_of(made_with, "device"),
        driver=text_of(made_with, "driver"),
        mode=plan.get("mode", ""),
        precision={name: value for name in PRECISION if (value := text_of(config, name))},
        threads=plan.get("threads", ""),
        kernels=_words(made_with.get("kernels")),
    )


def _words(values: object) -> dict[str, str]:
    if not isinstance(values, dict):
        return {}
    return {name: str(value) for name, value in values.items() if isinstance(value, str | int | float)}


def _resumed(record: TakeRecord) -> tuple[TakeStage, ...]:
    return tuple(stage for stage, found in record.stages.items() if found.note is not None and found.note.resumed)
