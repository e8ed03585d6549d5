"""The settings of a take, as they stand in its config.json."""

from __future__ import annotations

from pathlib import Path

import pytest

from yue2_desktop.library.saved_settings import SavedSettings, saved_settings
from yue2_desktop.song.errors import Problem, ProblemKind

PATH = Path("take") / "config.json"


def test_what_is_there_is_read_and_the_rest_is_none() -> None:
    assert saved_settings({}, PATH) == SavedSettings({}, {}, None, None, None, None)
    config = {
        "abc": {"temperature": 0.5},
        "semantic": {"max_tokens": 4000},
        "ode_steps": 8,
        "vae_core_frames": 256,
        "device": "cuda",
        "dtype": "bfloat16",
        "runtime_sha256": "of the reference",
    }
    assert saved_settings(config, PATH) == SavedSettings(
        {"temperature": 0.5}, {"max_tokens": 4000}, 8, 256, "cuda", "bfloat16"
    )


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"abc": []}, "abc is not an object"),
        ({"abc": {"temperature": -1}}, "abc.temperature must lie between 0 and 5"),
        ({"semantic": {"mood": 1}}, "semantic.mood is not a setting"),
        ({"ode_steps": 0}, "ode_steps is not a whole number above 0"),
        ({"vae_core_frames": True}, "vae_core_frames is not a whole number above 0"),
    ],
)
def test_damage_is_named(config: dict[str, object], words: str) -> None:
    with pytest.raises(Problem) as caught:
        saved_settings(config, PATH)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert f"{PATH} is damaged: {words}" in caught.value.sentence
