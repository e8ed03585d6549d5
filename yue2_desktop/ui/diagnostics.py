"""What helps to find a fault, as text to be copied: without lyrics, and without the user's name in paths."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Final

from yue2_desktop import __version__
from yue2_desktop.plan.facts import GpuFacts, MachineFacts
from yue2_desktop.plan.sizes import gib
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument

_LAST_LINES: Final = 80
_PACKAGES: Final = ("torch", "PySide6-Essentials", "numpy", "soundfile", "verovio")
_USER_FOLDERS: Final = re.compile(r"((?:/home|/Users|[A-Za-z]:[\\/]+Users)[\\/]+)[^\\/\s\"':;,]+", re.IGNORECASE)
#: Below this a word of the song is too common to stand for the song.
_SHORTEST_SECRET: Final = 4


def diagnostics(
    machine: MachineFacts | None, settings: Settings, engine: str, log: Iterable[str], document: SongDocument
) -> str:
    """The report, redacted. `engine` is its state in words, `log` the lines of the log."""
    lines = [
        f"YuE2 Desktop {__version__}, Python {sys.version.split()[0]}, {platform.platform()}",
        "Packages: " + ", ".join(f"{name} {_version(name)}" for name in _PACKAGES),
        f"Engine: {engine}",
    ]
    if machine is not None:
        cards = [_card(card) for card in machine.gpus or ()]
        lines += [f"Card: {card}" for card in cards] or ["Card: none"]
        ram = ["?" if size is None else gib(size) for size in (machine.ram_free, machine.ram_total)]
        lines.append(
            f"Processor: {machine.cpu.name or '?'}, {machine.cpu.cores or '?'} cores; memory {' of '.join(ram)}"
        )
    lines += [
        f"Models: {settings.models_folder}",
        f"Takes: {settings.output_folder}",
        f"Threads: {settings.threads or 'automatic'}; card: {settings.gpu or 'automatic'}; theme: {settings.theme}",
        "",
        "Log:",
        *list(log)[-_LAST_LINES:],
    ]
    return redacted("\n".join(line.rstrip("\n") for line in lines), document, Path.home())


def redacted(text: str, document: SongDocument, home: Path) -> str:
    """`text` with the user's folders shortened and every line of the song taken out."""
    text = text.replace(str(home), "~")
    text = _USER_FOLDERS.sub(r"\1…", text)
    for secret in _secrets(document):
        text = text.replace(secret, "[words of the song]")
    return text


def _secrets(document: SongDocument) -> list[str]:
    """Lines of the song, longest first, so that one does not leave half of another behind."""
    texts = (document.title, document.style, document.notes, *document.lyrics.splitlines())
    found = {text.strip() for text in texts if len(text.strip()) >= _SHORTEST_SECRET}
    return sorted(found, key=len, reverse=True)


def _card(card: GpuFacts) -> str:
    sizes = ["?" if size is None else gib(size) for size in (card.free_bytes, card.total_bytes)]
    return f"{card.label}, {' of '.join(sizes)} free, driver {card.driver or '?'}, capability {card.capability or '?'}"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"
