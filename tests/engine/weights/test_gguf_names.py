"""Name by name: both halves of layout C, the worded decoder of A, the numbered names of B."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yue2_desktop.engine.config import RELEASED_MODEL, RELEASED_VAE
from yue2_desktop.engine.weights.gguf_header import read_gguf_header
from yue2_desktop.engine.weights.gguf_names import (
    audiocpp_names,
    llama_names,
    without_namespace,
    worded_decoder_names,
)
from yue2_desktop.engine.weights.layout import POSITION_TABLE, decoder_shapes, model_shapes


def test_layout_c_has_every_name_of_the_checkpoint() -> None:
    """As in the spec's table; written out here for one layer, and complete for all."""
    ours = {
        "model.layers.3.input_layernorm.weight": "blk.3.attn_norm.weight",
        "model.layers.3.post_attention_layernorm.weight": "blk.3.ffn_norm.weight",
        "model.layers.3.self_attn.q_norm.weight": "blk.3.attn_q_norm.weight",
        "model.layers.3.self_attn.o_proj.weight": "blk.3.attn_output.weight",
        "model.layers.3.mlp.down_proj.weight": "blk.3.ffn_down.weight",
        "model.layers.3.nar_input_layernorm.weight": "blk.3.nar_attn_norm.weight",
        "model.layers.3.nar_pre_mlp_layernorm.weight": "blk.3.nar_ffn_norm.weight",
        "model.layers.3.nar_self_attn.k_norm.weight": "blk.3.nar_attn_k_norm.weight",
        "model.layers.3.nar_self_attn.v_proj.weight": "blk.3.nar_attn_v.weight",
        "model.layers.3.nar_mlp.gate_proj.weight": "blk.3.nar_ffn_gate.weight",
        "time_embedder.mlp.2.bias": "nar.time_embd.1.bias",
        "llm2vae.weight": "nar.llm2vae.weight",
        POSITION_TABLE: "nar.latent_pos_embd.weight",
        "model.norm.weight": "output_norm.weight",
    }
    assert llama_names(ours.values()) == ours
    assert llama_names(["rope_freqs.weight", "blk.0.ffn_gate_inp.weight", "blk.x.attn_q.weight"]) == {}


def test_layout_c_is_complete(maker: Any) -> None:
    from_files = {
        name for file in ("yue2-ar.gguf", "yue2-nar.gguf") for name in llama_names(_names(maker.c_files() / file))
    }
    assert from_files == {*maker.model}
    assert len(model_shapes(RELEASED_MODEL)) + 1 == 628


def _names(path: Path) -> list[str]:
    return list(read_gguf_header(path).tensors)


def test_the_worded_decoder() -> None:
    ours = {
        "decoder.layers.0.weight_g": "decoder.conv1.weight_g",
        "decoder.layers.7.alpha": "decoder.snake1.alpha",
        "decoder.layers.8.weight_v": "decoder.conv2.weight_v",
        "decoder.layers.1.layers.0.beta": "decoder.block.0.snake1.beta",
        "decoder.layers.6.layers.1.bias": "decoder.block.5.conv_t1.bias",
        "decoder.layers.2.layers.2.layers.0.alpha": "decoder.block.1.res_unit1.snake1.alpha",
        "decoder.layers.2.layers.4.layers.1.weight_v": "decoder.block.1.res_unit3.conv1.weight_v",
        "decoder.layers.2.layers.3.layers.3.bias": "decoder.block.1.res_unit2.conv2.bias",
    }
    assert worded_decoder_names(ours.values()) == ours
    others = ["encoder.conv1.weight_g", "decoder.block.1.res_unit1.pool.bias", "bottleneck.x"]
    assert worded_decoder_names(others) == {}


def test_the_worded_decoder_is_complete(maker: Any) -> None:
    maker.a_vae()
    found = worded_decoder_names(_names(maker.folder / "a" / "YuE2-Vae-F32.gguf"))
    assert found.keys() == decoder_shapes(RELEASED_VAE).keys()


def test_numbered_names_and_namespaces() -> None:
    logical = ["model_weights.model.norm.weight", "vae_weights.decoder.layers.0.weight", "plain"]
    physical = ["model_weights.model.norm.weight", "_audiocpp.1", "plain", "_audiocpp.9"]
    assert audiocpp_names(physical, logical) == {
        "model.norm.weight": "model_weights.model.norm.weight",
        "decoder.layers.0.weight": "_audiocpp.1",
        "plain": "plain",
        "_audiocpp.9": "_audiocpp.9",
    }
    assert without_namespace("vae_weights.a.b") == "a.b"
    assert without_namespace("a.vae_weights.b") == "a.vae_weights.b"
