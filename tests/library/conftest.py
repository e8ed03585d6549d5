"""A small song with all its stages, and what makes it, for the tests of takes on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from yue2_desktop.library.record import MadeWith, ModelFile, StageNote
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.stages import ScorePlan, SemanticTokens

FRAMES = 7


@dataclass(frozen=True)
class Song:
    """Everything that a finished take is written from."""

    request: SongRequest
    plan: ScorePlan
    tokens: SemanticTokens
    latents: npt.NDArray[np.float32]
    audio: npt.NDArray[np.float32]
    config: dict[str, object]
    weights: dict[str, object]
    made_with: MadeWith

    def create(self, folder: Path, *, song: SongOfTake | None = None) -> TakeWriter:
        """A new take of this song in `folder`."""
        return TakeWriter.create(
            folder, request=self.request, config=self.config, weights=self.weights, made_with=self.made_with, song=song
        )

    def finish(self, folder: Path, *, song: SongOfTake | None = None) -> TakeWriter:
        """A finished take of this song in `folder`."""
        writer = self.create(folder, song=song)
        writer.plan(self.plan, StageNote(1.5, generator="cpu mt19937"))
        writer.semantic(self.tokens, StageNote(2.0, peak_memory_bytes=123, generator="cpu mt19937"))
        writer.latents(self.latents, StageNote(3.0, generator="cpu mt19937", attention="products"))
        writer.audio(self.audio, StageNote(0.25))
        writer.finish()
        return writer


@pytest.fixture(scope="session")
def make_song() -> Callable[..., Song]:
    """Makes a song whose request has the given fields."""

    def make(**fields: object) -> Song:
        request = SongRequest.validated(**{"style": "folk, ☃", "lyrics": "[Verse]\nДождь 雨\n", **fields})
        rng = np.random.default_rng(20260914)
        off = request.cot == "off"
        plan = ScorePlan(
            request=request,
            abc_ids=() if off else (55, 25, 16, 151_642),
            abc=None if off else (request.abc or "X:1\nT:Дождь\nK:C\r\n|\ufffd"),
            prefix=(151_643, 9, 151_847, 151_848, 151_851),
            truncated=not off,
            supplied=request.abc is not None,
        )
        return Song(
            request=request,
            plan=plan,
            tokens=SemanticTokens(plan, (0, 32_767, 5, 5, 17, 99, 1_000), truncated=True),
            latents=rng.standard_normal((FRAMES, 64), dtype=np.float32),
            audio=rng.uniform(-1, 1, (FRAMES * 1920, 2)).astype(np.float32),
            config={"device": "cpu", "dtype": "float32", "ode_steps": 4, "abc": {"temperature": 0.7}},
            weights={"mot": "ab" * 32, "vae": "cd" * 32},
            made_with=MadeWith(
                app_version="0.1.0",
                model_files=(ModelFile("mot", "model.safetensors", 47_000_000, "ab" * 32),),
                weights_licence="CC BY-NC 4.0",
                device="CPU of test",
                dtype="float32",
                kernels={"attention": "math"},
                plan={"mode": "bf16"},
            ),
        )

    return make


@pytest.fixture
def song(make_song: Callable[..., Song]) -> Song:
    """A song with a sampled score."""
    return make_song()


@pytest.fixture
def link() -> Callable[[Path, Path], None]:
    """Makes the first path a link to the second; skips the test where this user may not make links."""

    def make(path: Path, target: Path) -> None:
        try:
            path.symlink_to(target)
        except OSError as error:
            pytest.skip(f"links cannot be made here: {error}")

    return make
