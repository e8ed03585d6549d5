"""How a take was made, read back to make it again by."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.library.making import Making, making_of
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.record import StageNote
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING

NOTE = StageNote(1.0)


@pytest.fixture
def finished(make_song: Callable, tmp_path: Path) -> Callable[..., Making]:
    """The making of a finished take with that configuration and those fields of the request."""

    def finish(config: dict[str, object] | None = None, **fields: object) -> Making:
        song = make_song(**fields)
        replace(song, config={**song.config, **(config or {})}).finish(tmp_path / "take")
        return making_of(tmp_path / "take")

    return finish


def test_the_settings_come_back(finished) -> None:
    making = finished(
        {
            "abc": {**ABC_SAMPLING.to_json(), "temperature": 0.5},
            "semantic": {"max_tokens": 4000},
            "ode_steps": 16,
            "ode_method": "midpoint",
            "vae_core_frames": 256,
            "backend": "yue2-desktop",
            "ar_weights": "q8_0",
            "ar_device": "cpu",
        },
        seed=2**63 - 1,
        cfg_scale=1.5,
    )
    settings = making.settings
    assert (settings.request.seed, settings.request.cfg_scale, settings.request.abc) == (2**63 - 1, 1.5, None)
    assert settings.score == "X:1\nT:Дождь\nK:C\r\n|\ufffd"
    assert settings.abc == replace(ABC_SAMPLING, temperature=0.5)
    assert settings.semantic == replace(SEMANTIC_SAMPLING, max_tokens=4000)
    assert (settings.ode_steps, settings.ode_method, settings.vae_core) == (16, "midpoint", 256)
    around = making.surroundings
    assert (around.backend, around.app_version, around.device, around.dtype) == (
        "yue2-desktop", "0.1.0", "cpu", "float32",
    )  # fmt: skip
    assert (around.machine, around.driver) == ("CPU of test", "")
    assert (around.mode, around.threads, around.kernels) == ("bf16", "", {"attention": "math"})
    assert around.precision == {"ar_weights": "q8_0", "ar_device": "cpu"}
    assert around.weights == {"mot": "ab" * 32, "vae": "cd" * 32}
    assert (making.resumed, dict(making.seeds)) == ((), {})


def test_a_take_of_the_reference(finished, tmp_path: Path) -> None:
    finished({"backend": "torch"})
    (tmp_path / "take" / "take.json").unlink()
    around = making_of(tmp_path / "take").surroundings
    assert (around.backend, around.machine, dict(around.weights)) == ("torch", "", {})


def test_a_take_without_its_score_yet(song, tmp_path: Path) -> None:
    song.create(tmp_path)
    assert making_of(tmp_path).settings.score is None


def test_resumed_stages_and_other_seeds(song, tmp_path: Path) -> None:
    writer = song.create(tmp_path)
    writer.plan(song.plan, NOTE)
    writer.semantic(song.tokens, replace(NOTE, resumed=True))
    path = tmp_path / "take.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values["seeds"]["score"] = 7
    path.write_text(json.dumps(values), encoding="utf-8")
    making = making_of(tmp_path)
    assert making.resumed == (TakeStage.SEMANTIC,)
    assert making.seeds == {"score": 7, "semantic": 831_001, "noise": 831_001}


@pytest.mark.parametrize("name", ["request.json", "config.json", "take.json", "plan.json"])
def test_damage_is_named(finished, tmp_path: Path, name: str) -> None:
    finished()
    (tmp_path / "take" / name).write_text("[]", encoding="utf-8")
    with pytest.raises(Problem, match=name):
        making_of(tmp_path / "take")
