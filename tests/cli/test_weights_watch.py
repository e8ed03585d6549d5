"""What identifies weights, and hashes that are computed beside the render and kept."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from yue2_desktop.cli.weights_watch import MOT, VAE, WeightsHashes, WeightsPart
from yue2_desktop.library.hash_cache import HashCache


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"weights" * 1000)
    return path


def test_hashes_are_found_and_kept(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = HashCache(tmp_path / "cache" / "hashes.json")
    hashes = WeightsHashes([WeightsPart(MOT, (weights,))], cache)
    assert hashes.model_files()[0].sha256 is None
    hashes.start()
    hashes.stop(10)
    (file,) = hashes.model_files()
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    assert (file.part, file.name, file.bytes, file.sha256) == ("mot", "model.safetensors", 7000, digest)
    monkeypatch.setattr("yue2_desktop.cli.weights_watch.hashlib.sha256", None)  # nothing is computed again
    again = WeightsHashes([WeightsPart(VAE, (weights,))], cache)
    again.start()
    again.stop(10)
    assert again.model_files()[0].sha256 == digest


def test_a_changed_file_is_hashed_again(weights: Path, tmp_path: Path) -> None:
    cache = HashCache(tmp_path / "hashes.json")
    part = WeightsPart(MOT, (weights,))
    for content in (b"weights" * 1000, b"WEIGHTS" * 1000):
        weights.write_bytes(content)
        os.utime(weights, ns=(1, content[0]))
        hashes = WeightsHashes([part], cache)
        hashes.start()
        hashes.stop(10)
        assert hashes.model_files()[0].sha256 == hashlib.sha256(content).hexdigest()


def test_a_render_that_ends_first_leaves_the_hash_unknown(weights: Path, tmp_path: Path) -> None:
    hashes = WeightsHashes([WeightsPart(MOT, (weights,))], HashCache(tmp_path / "hashes.json"))
    hashes._stop.set()
    hashes.start()
    hashes.stop(10)
    assert hashes.model_files()[0].sha256 is None
    assert not (tmp_path / "hashes.json").exists()


def test_a_file_that_vanishes_is_no_reason_to_fail(
    weights: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hashes = WeightsHashes([WeightsPart(MOT, (weights,))], HashCache(tmp_path / "hashes.json"))
    weights_again = weights.read_bytes()
    hashes._paths = lambda: [weights]  # type: ignore[method-assign]
    weights.unlink()
    hashes.start()
    hashes.stop(10)
    weights.write_bytes(weights_again)
    assert hashes.model_files()[0].sha256 is None
    assert "could not be hashed" in caplog.text


def test_the_identity_of_a_part_does_not_wait_for_its_hash(weights: Path) -> None:
    one = WeightsPart(MOT, (weights,)).identity()
    assert one["bytes"] == 7000
    assert one == WeightsPart(VAE, (weights,)).identity()
    weights.write_bytes(b"weights" * 999 + b"weighty")
    assert WeightsPart(MOT, (weights,)).identity() != one
