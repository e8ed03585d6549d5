"""What a window loads once it is painted: what needs no Qt beside it, the rest in small steps of its own thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

_log = logging.getLogger(__name__)

#: What the panels need and Qt does not: loaded on the thread beside the window, which answers meanwhile.
_BESIDE: Final = (
    "verovio",  # 30 ms in which no other thread has Python
    "yue2_desktop.score.engraving.engrave",
    "yue2_desktop.score.repairs.repair",
    "yue2_desktop.score.editing.chords",
    "yue2_desktop.score.admission",
    "numpy",
    "soundfile",
    "yue2_desktop.audio.device_sink",
    "yue2_desktop.library.index",
    "yue2_desktop.library.audio_file",
    "yue2_desktop.library.compare",
    "yue2_desktop.library.export",
    "yue2_desktop.queue.opening",
    "yue2_desktop.runtime.environment",
    "yue2_desktop.runtime.orders",
    "yue2_desktop.runtime.test_model",
    "yue2_desktop.plan.plans",
)

#: What of the window takes longest, in steps of its own; it has Qt in it, which stays in the window's thread.
_PANELS: Final = (
    "yue2_desktop.ui.score.drawing",
    "yue2_desktop.ui.score.notation",
    "yue2_desktop.ui.score.note_commands",
    "yue2_desktop.ui.score.preview_control",
    "yue2_desktop.ui.score.panel",
    "yue2_desktop.ui.takes.list_view",
    "yue2_desktop.ui.takes.panel",
    "yue2_desktop.ui.player.bar",
    "yue2_desktop.ui.rendering",
    "yue2_desktop.ui.controller",
    "yue2_desktop.ui.take_dialogs",
    "yue2_desktop.ui.shelf",
    "yue2_desktop.ui.engine_knowledge",
)


def load_beside() -> None:
    """Loads what has no Qt in it; on another thread than the window's."""
    for name in _BESIDE:
        _load(name)


def panel_steps() -> list[Callable[[], None]]:
    """A step for each of the modules of the panels, for the window's thread."""
    return [partial(_load, name) for name in _PANELS]


def _load(name: str) -> None:
    try:
        import_module(name)
    except Exception:  # noqa: BLE001 - a module may raise anything; whoever needs it says so in the window
        _log.exception("%s cannot be loaded", name)
