"""A whole window for tests, with answers in the user's stead and a machine that is always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from yue2_desktop.library.record import MadeWith, StageNote
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.plan.facts import CpuFacts, MachineFacts
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.runtime.driver import EngineFactory
from yue2_desktop.settings import Settings
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.lyrics.lyric_file import Lyrics, LyricsFile
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.stages import ScorePlan, SemanticTokens
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved


@dataclass
class Answers:
    """What the user says; `asked` is what was asked, in order."""

    unsaved_answer: Unsaved = Unsaved.CANCEL
    leave: bool = True
    to_open: Path | None = None
    to_save: Path | None = None
    take_reading: int | None = 0
    accept: bool = True
    edit: Callable[[QDialog], None] | None = None
    asked: list[str] = field(default_factory=list)

    def unsaved(self, title: str) -> Unsaved:
        self.asked.append(f"unsaved {title}")
        return self.unsaved_answer

    def leave_running(self) -> bool:
        self.asked.append("leave")
        return self.leave

    def path_to_open(self, folder: Path) -> Path | None:
        self.asked.append("open")
        return self.to_open

    def path_to_save(self, suggested: Path) -> Path | None:
        self.asked.append(f"save {suggested.name}")
        return self.to_save

    def folder(self, heading: str, start: Path) -> Path | None:
        self.asked.append("folder")
        return None

    def reading(self, file: LyricsFile) -> Lyrics | None:
        self.asked.append("reading")
        return None if self.take_reading is None else file.choices[self.take_reading]

    def show(self, make: Callable[[QWidget], QDialog]) -> bool:
        dialog = make(None)  # type: ignore[arg-type]
        self.asked.append(type(dialog).__name__)
        if self.edit is not None:
            self.edit(dialog)
        dialog.deleteLater()
        return self.accept


def machine(card: str = "6GB") -> MachineFacts:
    """A laptop with a card."""
    gpu = replace(parse_pretend(card), pretended=False)
    return MachineFacts(
        gpus=(gpu,),
        platform="linux",
        cpu=CpuFacts(name="laptop", cores=8, avx2=True),
        ram_total=16 * GIB,
        ram_free=9 * GIB,
        disk_free=200 * GIB,
    )


def song(**changes: object) -> SongDocument:
    """A song with words."""
    return replace(
        SongDocument(title="Ferry", style="English, folk, guitar", lyrics="[Verse]\nThe ferry leaves at nine\n"),
        **changes,  # type: ignore[arg-type]
    )


def take_of(
    document: SongDocument,
    folder: Path,
    seed: int,
    *,
    score: str | None = None,
    cut: bool = False,
    sound: np.ndarray | None = None,
    only_score: bool = False,
) -> Path:
    """A finished take, as a render writes it; with the score that the model wrote, `cut` short, of this sound."""
    order = render_order(document, seed)
    (request,) = order.requests
    writer = TakeWriter.create(
        folder,
        request=request,
        config={
            "abc": order.abc.to_json(),
            "semantic": order.semantic.to_json(),
            "ode_steps": order.render.ode_steps,
            "ode_method": order.render.ode_method,
            "vae_core_frames": order.render.vae_core,
        },
        weights={"mot": "ab" * 32},
        made_with=MadeWith("0.1.0", (), "CC BY-NC 4.0", "CPU", "float32"),
        song=SongOfTake(document.id, document.title, 1),
        seeds=None,
    )
    ids = () if score is None else tuple(score.encode("utf-8"))
    plan = ScorePlan(request, ids, score, (151_643, 9, 151_851), False, False)
    writer.plan(plan, StageNote(1.0))
    if only_score:
        return folder
    writer.semantic(SemanticTokens(plan, (1, 2, 3), truncated=cut), StageNote(1.0))
    writer.latents(np.zeros((3, 64), np.float32), StageNote(1.0))
    writer.audio(np.full((5760, 2), 0.1, np.float32) if sound is None else sound, StageNote(1.0))
    writer.finish()
    return folder


@contextmanager
def opened(
    qtbot: QtBot,
    answers: Answers,
    models: Path,
    takes: Path,
    factory: EngineFactory,
    *,
    engine: str = "engine ready",
    **more: Any,
) -> Iterator[Desk]:
    """A whole window with a model and an engine, shown until the status bar says `engine`; then it is closed."""
    settings = Settings(models_folder=models, output_folder=takes)
    made = compose(settings, dialogs=answers, read_machine=lambda folder: machine(), factory=factory, **more)
    made.show()
    qtbot.waitUntil(lambda: made.window.status.engine_text == engine, timeout=20_000)
    yield made
    answers.unsaved_answer, answers.leave = Unsaved.DISCARD, True
    made.window.close()
    made.window.deleteLater()
    made.deleteLater()
