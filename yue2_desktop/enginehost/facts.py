"""What the machine has, as JSON values for the window: the probe's facts, and torch's word on the cards."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from yue2_desktop import paths, settings
from yue2_desktop.plan.probe import read_machine
from yue2_desktop.song.errors import Problem


def read_facts() -> dict[str, object]:
    """`machine` holds MachineFacts by field, `unread` a sentence for each that could not be read, `cuda` the cards."""
    probed = read_machine(_takes())
    return {
        "machine": asdict(probed.machine),
        "unread": list(probed.unread),
        "torch": str(torch.__version__),
        "cuda": _cards(),
    }


def _takes() -> Path:
    try:
        return settings.load().settings.output_folder
    except Problem:
        return paths.output_folder()  # the window says what is wrong with the settings


def _cards() -> list[dict[str, object]]:
    if not torch.cuda.is_available():
        return []
    return [_card(index) for index in range(torch.cuda.device_count())]


def _card(index: int) -> dict[str, object]:
    properties = torch.cuda.get_device_properties(index)
    return {
        "index": index,
        "name": properties.name,
        "total_bytes": properties.total_memory,
        "capability": list(torch.cuda.get_device_capability(index)),
        "uuid": str(getattr(properties, "uuid", "")),
    }
