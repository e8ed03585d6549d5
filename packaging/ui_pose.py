"""What the pictures of the window are taken of: a machine, songs, takes on the disk, engines that wait in a stage."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from yue2_desktop import paths
from yue2_desktop.engine.messages import Event, Failed, Progressed
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.library.audio_file import Audio
from yue2_desktop.library.marks import UserMarks, write_marks
from yue2_desktop.library.record import MadeWith, StageNote
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.plan.facts import CpuFacts, GpuFacts, MachineFacts
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.runtime.driver import EngineFactory
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.score.parser import parse
from yue2_desktop.score.preview.synth import preview
from yue2_desktop.settings import Settings
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.stages import ScorePlan, SemanticTokens
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.theme.applied import Theme

T = TypeVar("T", bound=QObject)
LAPTOP: Final = "RTX 3050 Laptop,6144MiB,8.6,5.2GiB"
SMALL: Final = "RTX 2050,4096MiB,8.6,1.0GiB"
#: Where a render is held, and what is told of it there.
STANDINGS: Final = {
    "score": ("score", 412, 1_100, "tokens", 24.0, 29.0),
    "semantic": ("semantic", 1_204, 4_000, "tokens", 21.4, 131.0),
    "acoustic": ("acoustic", 9, 32, "steps", 0.4, 58.0),
    "decode": ("decode", 5, 24, "tiles", 1.1, 17.0),
}
_PATIENCE_S: Final = 20.0
#: Takes of the song: seed, steps, star, note, loudness.
_TAKES: Final = (
    (20260914, 32, True, "the one; softer at the end", 0.9),
    (20260915, 8, False, "", 0.6),
    (20260916, 32, False, "", 0.75),
)


def machine(card: str, ram: int = 16) -> MachineFacts:
    """A laptop with a card of that size and so many GiB of memory."""
    gpu: GpuFacts = replace(parse_pretend(card), pretended=False)
    cpu = CpuFacts(name="Ryzen 7 7735HS", cores=8, avx2=True)
    return MachineFacts(
        gpus=(gpu,), platform="linux", cpu=cpu, ram_total=ram * GIB, ram_free=ram * GIB * 9 // 16, disk_free=200 * GIB
    )


def example() -> SongDocument:
    """The first of the songs that come with the program."""
    return load_examples(paths.resources() / "examples")[0]


def long_song() -> SongDocument:
    """A song with more of everything than there is room for."""
    song = example()
    return replace(
        song,
        title="A song with a title that nobody has thought about for far too long already",
        style=song.style + ", " + ", ".join(f"a rather long description number {n}" for n in range(12)),
        lyrics="\n".join(f"{line} and on it goes without an end" for line in song.lyrics.splitlines() * 3),
    )


def write_takes(song: SongDocument, folder: Path) -> None:
    """Takes of a song as renders leave them; what is heard is the preview of its score."""
    assert song.score is not None
    sound = preview(parse(song.score.text).score)
    heard = sound.render(0, sound.length)
    for number, (seed, steps, star, note, loud) in enumerate(_TAKES, 1):
        take = folder / "First song" / f"2026-11-29 17000{number} seed {seed}"
        _write_take(replace(song, render=replace(song.render, ode_steps=steps)), take, seed, number, heard * loud)
        write_marks(take, UserMarks(star=star, note=note))


def _write_take(song: SongDocument, folder: Path, seed: int, number: int, heard: Audio) -> None:
    order = render_order(song, seed)
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
        made_with=MadeWith("0.1.0", (), "CC BY-NC 4.0", "cuda:0", "bfloat16", plan={"mode": "offload-ar"}),
        song=SongOfTake(song.id, song.shown_title, number),
        seeds=None,
    )
    plan = ScorePlan(request, (9,), request.abc, (151_643, 9, 151_851), False, supplied=True)
    writer.plan(plan, StageNote(31.0))
    writer.semantic(SemanticTokens(plan, (1, 2, 3), truncated=False), StageNote(200.0))
    writer.latents(np.zeros((3, 64), np.float32), StageNote(90.0))
    writer.audio(heard.astype(np.float32), StageNote(12.0))
    writer.finish()


def posed(stage: str) -> EngineFactory:
    """Engines that stay in a stage (`starting` as well) until they are ended, and tell how far they are in it."""

    def make(on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        def tell(event: Event) -> None:
            if isinstance(event, Progressed) and event.stage == stage and stage in STANDINGS:
                event = Progressed(event.job, *STANDINGS[stage])
            on_event(event)

        return FakeEngine(tell, on_end, Script(hold_at=stage))

    return make


def failing(on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
    """An engine whose first render ends for want of memory."""
    sentence = "The card ran out of memory while the song was sung; close other programs that use it, then try again."

    def tell(event: Event) -> None:
        on_event(replace(event, kept="The score is kept.") if isinstance(event, Failed) else event)

    return FakeEngine(tell, on_end, Script(fail_with=("out_of_memory", sentence)))


@dataclass(frozen=True)
class Pose:
    """How a window stands: its song, card and GiB of memory, engine, whether there are takes, its size."""

    song: SongDocument
    card: str = LAPTOP
    ram: int = 16
    engine: EngineFactory | None = None
    has_takes: bool = False
    size: tuple[int, int] = (1280, 832)


@contextmanager
def desk_of(pose: Pose, theme: Theme, home: Path) -> Iterator[Desk]:
    """A window that stands so, until the block is left."""
    _clear(paths.data_folder())
    takes = home / "takes"
    _clear(takes)
    models = home / ("models" if pose.engine is not None else "no models")
    if pose.engine is not None:
        for name, kind in (("YuE2-3B", "yue2"), ("YuE2-Vae", "yue2_vae")):
            (models / name).mkdir(parents=True, exist_ok=True)
            (models / name / "config.json").write_text(f'{{"model_type": "{kind}"}}', encoding="utf-8")
    if pose.has_takes:
        write_takes(pose.song, takes)
    settings = Settings(models_folder=models, output_folder=takes)
    desk = compose(settings, theme=theme, read_machine=lambda _: machine(pose.card, pose.ram), factory=pose.engine)
    desk.window.resize(*pose.size)
    desk.session.load(pose.song)
    desk.show()
    settle(lambda: desk.findChild(Controller) is not None)
    settle(lambda: desk.window.fit_line.planning is not None or pose.song.is_blank)
    pause(1.0)
    try:
        yield desk
    finally:
        desk.session.load(SongDocument())
        rendering = inside(desk, Controller).rendering
        for job in rendering.jobs():
            if not job.state.is_over:
                rendering.cancel(job.id)
        settle(lambda: rendering.running is None)
        desk.window.close()
        desk.window.deleteLater()
        desk.deleteLater()
        pause(0.1)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def inside(root: QObject, kind: type[T]) -> T:
    """The one of its kind in a window."""
    found = root.findChild(kind)
    assert found is not None
    return found


def settle(done: Callable[[], bool]) -> None:
    """Lets the window do what it has to until something is so, or patience is over."""
    until = time.monotonic() + _PATIENCE_S
    while not done() and time.monotonic() < until:
        pause(0.05)


def pause(seconds: float) -> None:
    """Lets the window do what it has to for a while."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QCoreApplication.processEvents()
        time.sleep(0.005)


def _clear(folder: Path) -> None:
    if folder.is_dir():
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
