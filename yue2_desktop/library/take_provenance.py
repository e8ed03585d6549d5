"""What made a take, out of its records, as the tag of an exported sound says it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from yue2_desktop.library.making import PRECISION, sung_score, text_of, weights_of
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import CONFIG, REQUEST, RESULT, TAKE
from yue2_desktop.library.record import TakeRecord, model_files, read_record
from yue2_desktop.library.result_file import read_result
from yue2_desktop.library.saved_settings import saved_settings
from yue2_desktop.song.provenance import Provenance
from yue2_desktop.song.request import request_from_json

#: Members of config.json that change the sound and name nobody.
_SETTINGS: Final = ("device", "dtype", "backend", "ode_method", *PRECISION)


def take_provenance(folder: Path) -> Provenance:
    """What the take in `folder`, of this program or the reference, was made from.

    Raises Problem(BAD_FILE) or (BAD_REQUEST) naming the file when its request, configuration or records are missing
    or damaged.
    """
    record = read_record(folder) if (folder / TAKE).exists() else None
    config = read_members(folder / CONFIG).values if (folder / CONFIG).exists() else {}
    settings = saved_settings(config, folder / CONFIG)
    made_with = {name: value for name in _SETTINGS if isinstance(value := config.get(name), str)}
    return Provenance(
        request=request_from_json(read_members(folder / REQUEST).values).request,
        song=None if record is None else record.song,
        score=sung_score(folder),
        abc_sampling=settings.abc,
        semantic_sampling=settings.semantic,
        ode_steps=settings.ode_steps,
        weights={} if record is None else _weights(record),
        made_with=made_with if record is None else {**_words(record.made_with), **made_with},
        licence="" if record is None else text_of(record.made_with, "weights_licence"),
        identity=_identity(folder, record),
        created="" if record is None else record.created,
    )


def _weights(record: TakeRecord) -> dict[str, str]:
    """A fingerprint by part, and the sha256 by part and file where it is known."""
    hashes = {f"{one.part}/{one.name}": one.sha256 for one in model_files(record.made_with) if one.sha256 is not None}
    return {**weights_of(record), **hashes}


def _words(made_with: Mapping[str, object]) -> dict[str, str]:
    """Without the names of the card, the driver and the processor: a published song should not tell them."""
    plan = made_with.get("plan")
    mode = plan.get("mode") if isinstance(plan, dict) else None
    words = {"app_version": text_of(made_with, "app_version"), "mode": mode if isinstance(mode, str) else ""}
    return {name: value for name, value in words.items() if value}


def _identity(folder: Path, record: TakeRecord | None) -> str:
    if record is not None:
        return record.identity
    return read_result(folder).identity if (folder / RESULT).exists() else ""
