"""A finished take of a song document, for the tests of songs that are rebuilt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.record import MadeWith, StageNote
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.stages import ScorePlan, SemanticTokens

PLANNED = "X:1\nT:\nM:4/4\nK:C\n"


@pytest.fixture
def make_take(tmp_path: Path) -> Callable[..., Path]:
    """Writes a take of a document as a render would, and returns its folder."""

    def make(document: SongDocument, *, seed: int = 7, seeds: dict[str, int] | None = None) -> Path:
        order = render_order(document, seed)
        (request,) = order.requests
        folder = tmp_path / f"{document.shown_title} 3"
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
            song=SongOfTake(document.id, document.title, 3),
            seeds=seeds,
        )
        abc = None if request.cot == "off" else (request.abc or PLANNED)
        plan = ScorePlan(request, (55, 25) if abc else (), abc, (151_643, 9, 151_851), False, request.abc is not None)
        tokens = SemanticTokens(plan, (1, 2, 3), truncated=False)
        writer.plan(plan, StageNote(1.0))
        writer.semantic(tokens, StageNote(1.0))
        writer.latents(np.zeros((3, 64), np.float32), StageNote(1.0))
        writer.audio(np.full((5760, 2), 0.1, np.float32), StageNote(1.0))
        writer.finish()
        return folder

    return make
