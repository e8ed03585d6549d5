"""The audio decoder against the reference: whole, folded, tiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from yue2_desktop.engine.config import RELEASED_VAE
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.vae.decoder import Decoder, fold_weight_norm, load_decoder, snake
from yue2_desktop.engine.vae.tiling import decode_tiled, tile_count
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.engine.weights.layout import decoder_shapes
from yue2_desktop.song.errors import Problem

Golden = Callable[[str], dict[str, torch.Tensor]]

#: goldens/README.md: seen 6e-5 with folded weights at an amplitude of 2.
TOLERANCE = 2e-4


@pytest.fixture
def decoder(vae_files: VaeFiles) -> Decoder:
    return load_decoder(vae_files.source, vae_files.config, torch.device("cpu"))


def _tiled(decoder: Decoder, z: torch.Tensor, core: int, halo: int = 16) -> torch.Tensor:
    return decode_tiled(decoder, z[0].T, core, halo, CancelToken(), lambda done: None)


@pytest.mark.parametrize("frames", [1, 2, 5, 17])
def test_whole_waves(frames: int, decoder: Decoder, golden: Golden, golden_json: Callable[[str], Any]) -> None:
    vectors = golden("vae")
    wave = decoder(vectors[f"z{frames}"])
    assert wave.shape[-1] == 1920 * frames - 64 == decoder.samples(frames)
    assert decoder.samples(frames) == golden_json("vae")["natural_length"].get(str(frames), 1920 * frames - 64)
    assert float((wave - vectors[f"wave{frames}"]).abs().max()) <= TOLERANCE


@pytest.mark.parametrize(("core", "halo"), [(8, 12), (16, 16), (32, 16), (70, 16), (1024, 16)])
def test_tiles_join_without_a_seam(core: int, halo: int, decoder: Decoder, golden: Golden) -> None:
    vectors = golden("vae")
    tiled = _tiled(decoder, vectors["z70"], core, halo)
    assert tiled.shape == (1920 * 70 - 64, 2)
    assert float((tiled[::7].T - vectors["wave70_every7"][0]).abs().max()) <= TOLERANCE


def test_a_halo_under_the_receptive_field_is_refused(decoder: Decoder, golden: Golden) -> None:
    z = golden("vae")["z70"]
    with pytest.raises(ValueError, match="at least 12"):
        _tiled(decoder, z, 8, 11)
    with pytest.raises(ValueError, match="at least one frame"):
        _tiled(decoder, z, 0)
    # ... and 12 is really needed: one frame less, cut by hand, changes the samples at the seam.
    whole = decoder(z)
    cut = decoder(z[..., 30 - 11 :])
    seam = slice(1920 * 30, 1920 * 30 + 1920)
    assert float((cut[..., 1920 * 11 : 1920 * 12] - whole[..., seam]).abs().max()) > TOLERANCE


def test_folded_weights_and_snake(vae_files: VaeFiles, golden: Golden) -> None:
    vectors = golden("vae")
    for name in ("decoder.layers.0", "decoder.layers.1.layers.1"):
        read = vae_files.source.read
        folded = fold_weight_norm(read(f"{name}.weight_g"), read(f"{name}.weight_v"))
        assert float((folded - vectors[f"folded.{name}"]).abs().max()) <= 5e-8  # fp32, one rounding
    assert vectors["snake_in"].shape == vectors["snake_out"].shape


def test_snake_follows_its_formula() -> None:
    x = torch.linspace(-2, 2, 12).view(1, 3, 4)
    alpha, beta = torch.tensor([0.1, -0.3, 0.7]), torch.tensor([0.2, 0.0, -1.0])
    wanted = x + (x * alpha.exp()[:, None]).sin() ** 2 / (beta.exp()[:, None] + 1e-9)
    found = snake(x, alpha.exp()[:, None], 1 / (beta.exp()[:, None] + 1e-9))
    assert torch.allclose(found, wanted, atol=1e-6)


def test_decoding_stops_between_tiles(decoder: Decoder, golden: Golden) -> None:
    cancel, tiles = CancelToken(), list[int]()

    def stop(done: int) -> None:
        tiles.append(done)
        cancel.cancel()

    with pytest.raises(Problem, match="Cancelled"):
        decode_tiled(decoder, golden("vae")["z70"][0].T, 16, 16, cancel, stop)
    assert tiles == [1]


def test_the_released_decoder_has_its_published_size() -> None:
    shapes = decoder_shapes(RELEASED_VAE)
    assert len(shapes) == 217
    assert sum(torch.Size(shape).numel() for shape in shapes.values()) == 66_374_466
    assert tile_count(5371, 1024) == 6
