"""What machine and model have, as JSON values for the window: as the planner of a render reads them in this process."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import torch

from yue2_desktop import paths, settings
from yue2_desktop.cli.opened import open_files
from yue2_desktop.cli.planning import machine_here, shape_of
from yue2_desktop.engine.inventory import inventory_of
from yue2_desktop.engine.messages import ReadFacts
from yue2_desktop.plan.known import ModelFacts, facts_json, model_json
from yue2_desktop.song.errors import Problem

_log = logging.getLogger(__name__)


def read_facts(asked: ReadFacts) -> dict[str, object]:
    """`machine` has the values of `plan.known.EngineFacts`, `torch` its version.

    `model` has those of ModelFacts for the model at `model_path`, None where it cannot be opened.
    """
    return {
        "model_path": asked.model,
        "machine": facts_json(machine_here(_takes())),
        "torch": str(torch.__version__),
        "model": _model(asked),
    }


def _takes() -> Path:
    try:
        return settings.load().settings.output_folder
    except Problem:
        return paths.output_folder()  # the window says what is wrong with the settings


def _model(asked: ReadFacts) -> dict[str, object] | None:
    """What is there is opened by its headers; a model that cannot be opened says so when a song is asked for."""
    if not asked.model:
        return None
    try:
        files = open_files(_place(asked.model), _place(asked.vae) if asked.vae else None)
    except (Problem, OSError, ValueError) as error:
        _log.info("the model is not looked at: %s", error)
        return None
    if files.model is None:
        return None
    return model_json(ModelFacts(shape_of(files.model, files.vae), inventory_of(files.model)))


def _place(text: str) -> Path:
    # The letters of a path cross the line as UTF-8, whatever the code page (song/wording.py).
    return Path(os.fsdecode(text.encode("utf-8")))
