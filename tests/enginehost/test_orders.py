"""Orders from the window's side to the engine's: what was asked for arrives, without opening a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.cli.screen import Quiet
from yue2_desktop.enginehost.orders import order_from_json
from yue2_desktop.library.names import TakeStage
from yue2_desktop.runtime.orders import Places, new_order
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_order import RenderOrder, render_order
from yue2_desktop.song.render_settings import RenderSettings


def _sent(values: Mapping[str, object]) -> Mapping[str, object]:
    """As the queue's file and the line between the processes have it."""
    sent: Mapping[str, object] = json.loads(json.dumps(values, ensure_ascii=False, allow_nan=False))
    return sent


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "Модель", tmp_path / "vae.gguf", device="cpu", dtype="float32")


def test_a_song_arrives_as_it_was_asked_for(song: SongDocument, places: Places, tmp_path: Path) -> None:
    render = RenderSettings(mode="gguf", ar_precision="q8_0", ode_steps=8, ode_method="ab2", vae_core=64, max_frames=50)
    asked = render_order(replace(song, style="日本語, pop", render=render), 5, count=2)
    values = new_order(asked, asked.requests[1], tmp_path / "взять", places, run_anyway=True)
    order = order_from_json(_sent(values), Quiet(), cores=8)
    assert order.folder == tmp_path / "взять"
    assert order.recipe.request == asked.requests[1]
    assert (order.recipe.abc, order.recipe.semantic) == (asked.abc, asked.semantic)
    assert (order.recipe.ode_steps, order.recipe.ode_method, order.recipe.vae_core) == (8, "ab2", 64)
    assert (order.options.mode, order.options.ar_precision) == ("gguf", "q8_0")
    assert (order.invocation.model, order.invocation.vae) == (places.model, places.vae)
    assert (order.invocation.device, order.dtype) == ("cpu", "float32")
    # One core is the window's (qt-and-packaging, the process shape).
    assert order.invocation.threads == 7
    assert (order.run_anyway, order.allow_bad_score, order.resumes) == (True, False, False)


def test_a_score_needs_no_decoder_and_threads_are_as_given(tiny: RenderOrder, places: Places, tmp_path: Path) -> None:
    values = new_order(tiny, tiny.requests[0], tmp_path / "a", replace(places, threads=3), part="score")
    order = order_from_json(_sent(values), Quiet(), cores=8)
    assert order.recipe.last is TakeStage.PLAN
    assert (order.invocation.vae, order.invocation.threads) == (None, 3)


@pytest.mark.parametrize("belongs", [{"id": "a", "title": "Дождь"}, {"id": "a", "title": "Дождь", "take": 3}])
def test_a_take_has_its_number_and_a_score_none(
    tiny: RenderOrder, places: Places, tmp_path: Path, belongs: dict[str, object]
) -> None:
    values = {**new_order(tiny, tiny.requests[0], tmp_path / "a", places), "song": belongs}
    found = order_from_json(_sent(values), Quiet()).song
    assert found is not None
    assert found.to_json() == belongs


@pytest.mark.parametrize(
    ("member", "value", "words"),
    [
        ("render", {"ode_steps": 0}, "render.ode_steps must be a whole number from 1 to 64"),
        ("render", [], "'render' must be an object"),
        ("abc_sampling", {"temperature": -1}, "abc_sampling"),
        ("request", {"style": "pop"}, "lyrics"),
        ("model", "", "'model' must be text"),
        ("song", {"id": "a", "title": "", "take": 0}, "'song' must be an id, a title"),
        ("run_anyway", 1, "'run_anyway' must be true or false"),
        ("from_take", "/not/there", "is not the folder of a take"),
        ("threads", True, "'threads' must be a whole number from 1 to 512"),
    ],
)
def test_what_is_wrong_in_an_order_is_named(
    tiny: RenderOrder, places: Places, tmp_path: Path, member: str, value: object, words: str
) -> None:
    values = {**new_order(tiny, tiny.requests[0], tmp_path / "a", places), member: value}
    with pytest.raises(Problem) as raised:
        order_from_json(_sent(values), Quiet())
    assert words in raised.value.sentence
    assert raised.value.kind in {ProblemKind.BAD_REQUEST, ProblemKind.BAD_FILE}
