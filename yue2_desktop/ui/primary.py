"""The one primary action: what the window's main button does next, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.pending import Pending


class PrimaryKind(StrEnum):
    """What the button does."""

    WRITE_SCORE = "write-score"
    RENDER = "render"
    PLAY = "play"


@dataclass(frozen=True)
class Primary:
    """The button's kind, words and icon; `reason` says why it cannot be pressed, empty where it can."""

    kind: PrimaryKind
    label: str
    icon: str
    reason: str = ""


def nothing_to_sing(document: SongDocument) -> str:
    """Why a song can be asked for in no way, in words without an end; empty where it can."""
    return "" if document.sung_style or document.sung_lyrics else _tr("Write a style or some lyrics first")


def primary_action(
    document: SongDocument, *, count: int, has_newest_take: bool, pending: Pending = Pending.NO
) -> Primary:
    """Write score -> Render -> Play: what comes next for this song.

    `count` is how many takes a render makes. `has_newest_take` says that a finished take of the song as it stands
    was made last and waits to be heard, `pending` whether its score is on its way.
    """
    reason = nothing_to_sing(document)
    if has_newest_take:
        return Primary(PrimaryKind.PLAY, _tr("Play"), "play")
    if document.cot != "off" and document.score is None:
        label = _tr("Writing score…") if pending is Pending.RUNS else _tr("Write score")
        return Primary(PrimaryKind.WRITE_SCORE, label, "write", pending.reason or reason)
    label = _tr("Render") if count == 1 else _tr("Render {} takes").format(count)
    return Primary(PrimaryKind.RENDER, label, "render", reason)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Primary", text)
