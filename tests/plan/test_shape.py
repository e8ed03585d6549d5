"""The byte counts of memory-and-speed.md, section 1, and shapes from configuration files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yue2_desktop.plan.shape import RELEASED, SCORE_ROWS, SEMANTIC_ROWS, VaeShape, shape_from_config
from yue2_desktop.plan.sizes import MIB
from yue2_desktop.song.errors import Problem, ProblemKind


def test_elements_of_the_released_model() -> None:
    assert RELEASED.branch_weights == 1_409_408_000
    assert RELEASED.branch_weights // RELEASED.layers == 50_336_000
    assert RELEASED.vocab * RELEASED.hidden == 378_273_792
    assert SEMANTIC_ROWS * RELEASED.hidden == 67_110_912
    assert SCORE_ROWS * RELEASED.hidden == 310_566_912
    assert RELEASED.boundary_weights == 4_988_992
    assert RELEASED.all_weights == 3_630_684_224


def test_elements_of_the_decoder() -> None:
    # 66,374,466 as stored (spec/yue2.md, 2.2), of which one gain for each row of a weight folds away: 2,048 +
    # 4,032 (transposed, by input) + 12,288 (residual units) + 2.
    assert RELEASED.vae.folded_weights == 66_374_466 - (2_048 + 4_032 + 12_288 + 2)
    assert RELEASED.vae.samples_per_frame == 1_920
    assert RELEASED.vae.blocks == (
        (2048, 1024, 6), (1024, 512, 5), (512, 256, 4), (256, 128, 4), (128, 64, 2), (64, 64, 2),
    )  # fmt: skip


@pytest.mark.parametrize(("tokens", "mib"), [(1, 0.109), (9_522, 1_041), (13_500, 1_477), (24_576, 2_688)])
def test_kv_cache(tokens: int, mib: float) -> None:
    assert RELEASED.kv_bytes(tokens) / MIB == pytest.approx(mib, abs=0.5)


def test_chunks_as_the_specification_counts_them() -> None:
    assert RELEASED.chunk_frames(9_000, 4_151) == 9_000
    assert RELEASED.chunk_frames(20_000, 4_151) == 10_211


def test_the_tiny_checkpoint(model_configs: Path) -> None:
    configs = [
        json.loads((model_configs / part / "config.json").read_text(encoding="utf-8")) for part in ("mot", "vae")
    ]
    shape = shape_from_config(*configs)
    assert (shape.hidden, shape.layers, shape.kv_width, shape.vae.channels) == (128, 3, 64, 2)
    assert shape.vae == VaeShape(channels=2)


def test_the_released_configuration_is_the_default() -> None:
    config = {
        "hidden_size": 2048, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8,
        "head_dim": 128, "intermediate_size": 6144, "vocab_size": 184704, "latent_dim": 64,
        "max_position_embeddings": 24576, "max_latent_frames": 24576,
    }  # fmt: skip
    assert shape_from_config(config) == RELEASED
    for bad in (None, "2048", 0, -1, True, 2048.0):
        with pytest.raises(Problem) as caught:
            shape_from_config({**config, "hidden_size": bad})
        assert caught.value.kind is ProblemKind.MODEL_DAMAGED
        assert caught.value.sentence == (
            "The model's config.json has no usable hidden_size; copy the file from the model again."
        )
    with pytest.raises(Problem, match=r"VAE's config\.json has no usable decoder_config"):
        shape_from_config(config, {})
    with pytest.raises(Problem, match="no usable strides"):
        shape_from_config(config, {"decoder_config": {"channels": 64, "c_mults": [1], "strides": [0]}})
