"""Loading tokens and latents: verified where the take has hashes, and readable from the reference's takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.library.arrays import ids_bytes, latents_bytes
from yue2_desktop.library.plan_files import plan_files
from yue2_desktop.library.stage_files import load_latents, load_latents_file, load_semantic
from yue2_desktop.song.errors import Problem, ProblemKind


def test_tokens_that_were_changed_are_refused(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "semantic.npy").write_bytes(ids_bytes((1, 2, 3)))
    with pytest.raises(Problem, match=r"semantic\.npy was changed after it was made"):
        load_semantic(tmp_path)


def test_latents_that_were_changed_are_refused(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "latent.npy").write_bytes(latents_bytes(song.latents * 2))
    with pytest.raises(Problem, match=r"latent\.npy was changed after it was made"):
        load_latents(tmp_path)
    assert np.array_equal(load_latents_file(tmp_path / "latent.npy"), song.latents * 2)


def test_a_take_of_the_reference_has_no_take_json(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "take.json").unlink()
    assert load_semantic(tmp_path) == song.tokens
    (tmp_path / "latent.npy").write_bytes(latents_bytes(song.latents * 2))
    with pytest.raises(Problem, match="was changed"):
        load_latents(tmp_path)


def test_files_without_any_record_are_read_as_they_are(song, tmp_path: Path) -> None:
    for name, data in plan_files(song.plan, {}).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "semantic.npy").write_bytes(ids_bytes(song.tokens.codec))
    loaded = load_semantic(tmp_path)
    assert loaded.codec == song.tokens.codec
    assert loaded.truncated is False


def test_an_unfinished_result_is_not_trusted(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "take.json").unlink()
    path = tmp_path / "result.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**result, "status": "failed"}), encoding="utf-8")
    with pytest.raises(Problem, match="says that the take is failed, not complete"):
        load_semantic(tmp_path)


@pytest.mark.parametrize(
    ("codec", "words"), [((), "holds no tokens"), ((32_768,), "holds 32768 at position 0; ids lie in 0 to 32767")]
)
def test_tokens_that_are_none(song, tmp_path: Path, codec: tuple[int, ...], words: str) -> None:
    for name, data in plan_files(song.plan, {}).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "semantic.npy").write_bytes(ids_bytes(codec))
    with pytest.raises(Problem) as caught:
        load_semantic(tmp_path)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert words in caught.value.sentence


def test_tokens_need_the_plan_as_it_was(song, tmp_path: Path) -> None:
    song.finish(tmp_path)
    (tmp_path / "score.abc").write_bytes(b"X:1\n")
    with pytest.raises(Problem, match="--abc-file"):
        load_semantic(tmp_path)


def test_missing_and_linked_latents(song, link: Callable, tmp_path: Path) -> None:
    song.finish(tmp_path / "take")
    latent = tmp_path / "take" / "latent.npy"
    latent.rename(tmp_path / "elsewhere.npy")
    with pytest.raises(Problem, match=r"latent\.npy is missing"):
        load_latents(tmp_path / "take")
    link(latent, tmp_path / "elsewhere.npy")
    with pytest.raises(Problem, match=r"latent\.npy is a link"):
        load_latents(tmp_path / "take")
    with pytest.raises(Problem, match="is not a file"):
        load_latents_file(tmp_path)
