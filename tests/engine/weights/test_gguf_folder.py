"""Files and folders that are no whole YuE2: what is missing, what there is too much of, and what they are instead."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from yue2_desktop.engine.weights.gguf_folder import open_gguf, open_gguf_vae
from yue2_desktop.song.errors import Problem, ProblemKind

Layout = Callable[[str], Path]


def _write(path: Path, architecture: str, tensors: Mapping[str, tuple[int, ...]], **values: Any) -> Path:
    """A small file of zeros in F16."""
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in values.items():
        key = key.replace("__", ".")
        (writer.add_string if isinstance(value, str) else writer.add_array)(key, value)
    for name, shape in tensors.items():
        writer.add_tensor(name, np.zeros(shape, np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.parametrize(
    ("architecture", "tensors", "values", "words"),
    [
        ("llama", {"token_embd.weight": (64, 32), "blk.0.attn_q.weight": (32, 32)}, {}, r"a language model \(llama\)"),
        ("qwen3", {"token_embd.weight": (64, 32), "blk.0.attn_q.weight": (32, 32)}, {}, r"a language model \(qwen3\)"),
        ("yue2_lora", {"x.lora_a": (4, 4)}, {"yue2__component": "generation-adapter"}, "a LoRA adapter"),
        ("llama", {"blk.0.attn_q.weight.lora_a": (4, 4)}, {}, "a LoRA adapter"),
        ("yue2", {"x": (4,)}, {"yue2__component": "sheetsage2"}, "SheetSage2, a transcriber"),
        ("sheetsage2", {"x": (4,)}, {"sheetsage2__config_json": "{}"}, "SheetSage2, a transcriber"),
        ("mert", {"x": (4,)}, {}, "MERT, an encoder of sound"),
        ("whisper", {"x": (4,)}, {}, r"a GGUF of something else \(whisper\)"),
        ("yue2", {}, {}, "a GGUF without tensors"),
    ],
)
def test_other_files_are_named_for_what_they_are(
    tmp_path: Path, architecture: str, tensors: dict[str, tuple[int, ...]], values: dict[str, str], words: str
) -> None:
    path = _write(tmp_path / "yue2-3b-q8_0.gguf", architecture, tensors, **values)
    for opening in (open_gguf, open_gguf_vae):
        with pytest.raises(Problem, match=f"is {words}.*Choose a YuE2-3B GGUF") as caught:
            opening(path)
        assert caught.value.kind is ProblemKind.BAD_FILE


def test_a_model_is_no_decoder_and_the_other_way_round(layout_model: Layout, layout_vae: Layout) -> None:
    with pytest.raises(Problem, match="is the AR half and NAR half of YuE2, not its audio decoder"):
        open_gguf_vae(layout_model("D"))
    with pytest.raises(Problem, match="is the audio decoder of YuE2, not its model"):
        open_gguf(layout_vae("D"))


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    _write(tmp_path / "llama.gguf", "llama", {"token_embd.weight": (64, 32)})
    with pytest.raises(Problem, match="holds no GGUF of YuE2-3B") as caught:
        open_gguf(tmp_path)
    assert caught.value.kind is ProblemKind.MODEL_MISSING
    with pytest.raises(Problem, match=r"lacks the audio decoder \(for instance yue2-vae-f16\.gguf, 0\.3 GB\)"):
        open_gguf_vae(tmp_path)


def test_another_model_in_the_folder_does_no_harm(tmp_path: Path, layout_model: Layout) -> None:
    model = _linked(layout_model("D"), tmp_path)
    _write(tmp_path / "llama.gguf", "llama", {"token_embd.weight": (64, 32)})
    shutil.copy(layout_model("D").parent / "qwen.tiktoken", tmp_path)
    opened = open_gguf(tmp_path)
    assert opened.files == (model, (tmp_path / "qwen.tiktoken").resolve())
    assert opened.folder == tmp_path


def test_all_that_is_missing_is_said_at_once(tmp_path: Path, layout_model: Layout) -> None:
    """Row 57: one half of layout C without its other half; its tokenizer is in the AR file."""
    _linked(layout_model("C") / "yue2-nar.gguf", tmp_path)
    for path in (tmp_path, tmp_path / "yue2-nar.gguf"):
        with pytest.raises(Problem) as caught:
            open_gguf(path)
        assert caught.value.kind is ProblemKind.MODEL_MISSING
        assert caught.value.data["missing"] == [
            "the AR half (for instance yue2-ar-q8_0.gguf, 2.3 GB)",
            "the tokenizer (sidecars/yue2-qwen.tiktoken or qwen.tiktoken, 2.6 MB)",
        ]
        assert all(words in caught.value.sentence for words in ("AR half", "tokenizer", "2.6 MB"))


def test_a_model_without_its_tokenizer(tmp_path: Path, layout_model: Layout) -> None:
    model = _linked(layout_model("B-Q4_0"), tmp_path / "deep" / "er")
    with pytest.raises(Problem, match=r"lacks the tokenizer \(sidecars/yue2-qwen\.tiktoken"):
        open_gguf(model)
    shutil.copy(layout_model("B-Q4_0").parent / "sidecars" / "yue2-qwen.tiktoken", tmp_path / "deep")
    assert open_gguf(model).files[1].name == "yue2-qwen.tiktoken"  # one folder up
    # ... and without its configuration, which is then read off the shapes.
    assert open_gguf(model).config.layers == 3


def test_two_models_in_a_folder_are_a_choice(tmp_path: Path, layout_model: Layout) -> None:
    _linked(layout_model("D"), tmp_path)
    _linked(layout_model("B-Q4_0"), tmp_path)
    with pytest.raises(Problem, match=r"holds 2 models: yue2-3\.6B-v1\.0-Q4_K_M\.gguf, yue2-3b-q4_0\.gguf") as caught:
        open_gguf(tmp_path)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert len(caught.value.data["files"]) == 2  # type: ignore[arg-type]


def test_halves_of_different_checkpoints_do_not_meet(tmp_path: Path, layout_model: Layout) -> None:
    nar = _linked(layout_model("C") / "yue2-nar.gguf", tmp_path)
    tensors = {"token_embd.weight": (184_704, 32), "output.weight": (4, 32), "blk.0.attn_q.weight": (32, 32)}
    _write(tmp_path / "other-ar.gguf", "qwen3", tensors, yue2__source_sha256="another")
    with pytest.raises(Problem, match="lacks the AR half"):
        open_gguf(nar)


def test_layout_c_opens_by_either_file(layout_model: Layout) -> None:
    folder = layout_model("C")
    for path in (folder, folder / "yue2-ar.gguf", folder / "yue2-nar.gguf"):
        opened = open_gguf(path)
        assert [file.name for file in opened.files] == ["yue2-ar.gguf", "yue2-nar.gguf"]
        assert opened.config.rms_eps == 1e-6
        assert opened.config.rope_theta == 1e6


def test_a_type_that_is_not_read_is_named(tmp_path: Path, maker: Any) -> None:
    writer = gguf.GGUFWriter(tmp_path / "iq.gguf", "yue2")
    writer.add_string("yue2.config_json", maker.config)
    for name, tensor in maker.model.items():
        if name == "model.layers.1.mlp.down_proj.weight":
            writer.add_tensor(name, np.zeros((128, 136), np.uint8), raw_dtype=gguf.GGMLQuantizationType.IQ4_XS)
        else:
            writer.add_tensor(name, np.zeros(tensor.shape, np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    shutil.copy(maker.model_dir / "qwen.tiktoken", tmp_path)
    with pytest.raises(Problem, match=r"'model\.layers\.1\.mlp\.down_proj\.weight' .* is IQ4_XS, which this") as caught:
        open_gguf(tmp_path / "iq.gguf")
    assert caught.value.kind is ProblemKind.UNSUPPORTED


@pytest.mark.parametrize("config", ["no JSON", "[]", json.dumps({"model_type": "yue2"})])
def test_a_broken_configuration_within(tmp_path: Path, layout_model: Layout, config: str) -> None:
    names = ("model.embed_tokens.weight", "lm_head.weight", "model.layers.0.self_attn.q_proj.weight")
    tensors = dict.fromkeys((*names, "model.layers.0.nar_self_attn.q_proj.weight"), (4, 4))
    path = _write(tmp_path / "a.gguf", "yue2", tensors, yue2__config_json=config)
    shutil.copy(layout_model("D").parent / "qwen.tiktoken", tmp_path)
    with pytest.raises(Problem, match=r"yue2\.config_json") as caught:
        open_gguf(path)
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED


def _linked(origin: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / origin.name
    path.hardlink_to(origin)
    return path
