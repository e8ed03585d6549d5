"""GGUF files of every published layout, made whole from the test model with gguf-py (spec gguf, sections 2 to 4b)."""

from __future__ import annotations

import base64
import functools
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.gguf_folder import open_gguf
from yue2_desktop.engine.weights.testmodel import TestModel

Types = Callable[[str, torch.Tensor], str]
Quantisation = gguf.GGMLQuantizationType
_F32 = "F32"


class GgufMaker:
    """Writes GGUF files from the test model's tensors into a folder of its own."""

    def __init__(self, test_model: TestModel, folder: Path) -> None:
        self.folder = folder
        self.model_dir, self.vae_dir = test_model.model_dir, test_model.vae_dir
        self.model = load_file(test_model.model_dir / "model.safetensors")
        self.vae = load_file(test_model.vae_dir / "model.safetensors")
        self._encoded: dict[tuple[int, Quantisation], np.ndarray] = {}
        self.config = (test_model.model_dir / "config.json").read_text(encoding="utf-8")

    # --- one file -------------------------------------------------------------------------------------------------

    def write(
        self,
        path: Path,
        architecture: str,
        tensors: Mapping[str, torch.Tensor],
        types: Types,
        values: Mapping[str, object],
    ) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = gguf.GGUFWriter(path, architecture)
        for key, value in values.items():
            add = {str: writer.add_string, int: writer.add_uint32, float: writer.add_float32, bool: writer.add_bool}
            add.get(type(value), writer.add_array)(key, value)
        for name, tensor in tensors.items():
            kind = Quantisation[types(name, tensor)]
            writer.add_tensor(name, self.encoded(tensor, kind), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path

    def encoded(self, tensor: torch.Tensor, kind: Quantisation) -> np.ndarray:
        """Blocks of a tensor; those of the vocabulary matrices are kept, since several files have the same."""
        if tensor.dim() != 2 or tensor.shape[0] < 10_000:
            return encoded(tensor, kind)
        key = (tensor.data_ptr(), kind)
        if key not in self._encoded:
            self._encoded[key] = encoded(tensor, kind)
        return self._encoded[key]

    # --- layout A -------------------------------------------------------------------------------------------------

    def a_model(self, name: str, kind: str) -> Path:
        """Everything with two sides in one type, the rest F32; the tokenizer within, the position table left out."""
        tensors = {key: value for key, value in self.model.items() if key != "latent_pos_embed.pe"}
        values = {
            "general.name": "YuE2 AR/NAR Mixture-of-Transformers",
            "general.quantization_version": 2,
            "general.file_type": kind,  # text, where the format asks for a number
            "yue2.config_json": json.dumps(json.loads(self.config), separators=(",", ":")),
            **self.tokens_within(),
        }

        def types(_: str, tensor: torch.Tensor) -> str:
            if kind == "BF16":
                return "BF16"
            return fitting(tensor, kind, "BF16") if tensor.dim() == 2 else _F32

        return self.write(self.folder / "a" / name, "yue2", tensors, types, values)

    def a_vae(self) -> Path:
        """Raw weight norm, worded names."""
        tensors = {worded(key): value for key, value in self.vae.items()}
        values = {"yue2-vae.latent_channels": 64, "yue2-vae.sampling_rate": 48_000}
        return self.write(self.folder / "a" / "YuE2-Vae-F32.gguf", "yue2-vae", tensors, lambda *_: _F32, values)

    def tokens_within(self) -> dict[str, object]:
        tokens = [*self.token_texts, *(f"<|special_{index}|>" for index in range(208))]
        return {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.merges": ["a b"]}

    @functools.cached_property
    def token_texts(self) -> list[str]:
        """The model's tokens in GPT-2's byte-level letters."""
        plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
        letters = {byte: chr(byte) for byte in plain}
        for byte in range(256):
            letters.setdefault(byte, chr(256 + len(letters) - len(plain)))
        lines = (self.model_dir / "qwen.tiktoken").read_bytes().splitlines()
        return ["".join(letters[byte] for byte in base64.b64decode(line.split(b" ")[0])) for line in lines]

    # --- layout B -------------------------------------------------------------------------------------------------

    def b_model(self, kind: str, *, namespace: str = "", sidecars: bool = True, embedded: bool = False) -> Path:
        """Layers, head and flow ends quantised; `embed` in a name is F16, the rest BF16; long names are numbered."""
        folder = self.folder / f"b-{kind}{namespace}{'' if sidecars else '-bare'}"
        logical = {f"{namespace}{key}": value for key, value in self.model.items()}

        def types(name: str, tensor: torch.Tensor) -> str:
            true_name = name if name in logical else list(logical)[int(name.rsplit(".", 1)[1])]
            if kind == "BF16" or tensor.dim() != 2 or not true_name.endswith(".weight"):
                return "F16" if true_name.endswith(".pe") and kind != "BF16" else "BF16"
            return "F16" if "embed" in true_name else fitting(tensor, kind, "BF16")

        values: dict[str, object] = {
            "audiocpp.tensor_name_format": "native",
            "audiocpp.weight_type": kind.lower(),
            "audiocpp.tensor_names": list(logical),
            "audiocpp.tensor_ranks": [value.dim() for value in logical.values()],
        }
        tensors = {numbered(index, key): value for index, (key, value) in enumerate(logical.items())}
        if embedded:
            files = {
                "sidecars/yue2-model-config.json": self.config.encode(),
                "sidecars/yue2-qwen.tiktoken": (self.model_dir / "qwen.tiktoken").read_bytes(),
            }
            data = b"".join(files.values())
            starts = [0, len(self.config.encode())]
            values |= {
                "audiocpp.embedded_files.names": list(files),
                "audiocpp.embedded_files.offsets": starts,
                "audiocpp.embedded_files.data": data,
            }
        elif sidecars:
            (folder / "sidecars").mkdir(parents=True, exist_ok=True)
            copy(self.model_dir / "qwen.tiktoken", folder / "sidecars" / "yue2-qwen.tiktoken")
            copy(self.model_dir / "config.json", folder / "sidecars" / "yue2-model-config.json")
        return self.write(folder / f"yue2-3b-{kind.lower()}.gguf", "audiocpp", tensors, types, values)

    def b_vae(self, *, folded: bool) -> Path:
        tensors = folded_weights(self.vae) if folded else dict(self.vae)
        names = list(tensors)
        values = {"audiocpp.tensor_names": [f"vae_weights.{name}" for name in names]}
        stored = {numbered(index, f"vae_weights.{name}"): tensors[name] for index, name in enumerate(names)}
        name = "yue2-vae-f16.gguf" if folded else "yue2-vae-f32.gguf"
        kind = "F16" if folded else _F32
        return self.write(self.folder / f"b-vae-{folded}" / name, "audiocpp", stored, lambda *_: kind, values)

    # --- layout C -------------------------------------------------------------------------------------------------

    def c_files(self, kind: str = "Q8_0") -> Path:
        """A folder with the AR half in llama.cpp's names, the NAR half, and the folded decoder alone."""
        folder = self.folder / "c"
        ar = {llama_ar(key): value for key, value in self.model.items() if llama_ar(key)}
        nar = {llama_nar(key): value for key, value in self.model.items() if llama_nar(key)}
        tokens = [*self.token_texts, *(f"<|x_{index}|>" for index in range(184_704 - 151_643))]
        shared: dict[str, object] = {"yue2.source_sha256": "1d55c42c1a98"}
        self.write(
            folder / "yue2-ar.gguf", "qwen3", ar,
            lambda _, tensor: fitting(tensor, kind, "F16") if tensor.dim() == 2 else _F32,
            {**shared, "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "qwen2", "tokenizer.ggml.tokens": tokens},
        )  # fmt: skip
        self.write(
            folder / "yue2-nar.gguf", "yue2-nar", nar,
            lambda name, tensor: "F16" if tensor.dim() == 2 and (name.startswith("blk.") or "pos" in name) else _F32,
            {**shared, "yue2nar.block_count": 3, "yue2nar.attention.layer_norm_rms_epsilon": 1e-6,
             "yue2nar.rope.freq_base": 1e6, "yue2nar.timestep_shift": 1.0},
        )  # fmt: skip
        decoder = {key: value for key, value in folded_weights(self.vae).items() if key.startswith("decoder.")}
        self.write(folder / "yue2-vae.gguf", "yue2-vae", decoder, lambda *_: _F32, {"yue2vae.latent_dim": 64})
        return folder

    # --- layout D -------------------------------------------------------------------------------------------------

    def d_model(self, kinds: Mapping[str, str] | None = None) -> Path:
        """Mixed types as in a Q4_K_M: `kinds` maps a part of a name to a type; flow ends and norms keep BF16."""
        kinds = kinds or {"v_proj": "Q5_0", "down_proj": "Q6_K", "embed": "Q8_0", "lm_head": "Q8_0", "_proj": "Q4_0"}

        def types(name: str, tensor: torch.Tensor) -> str:
            if tensor.dim() != 2:
                return "BF16"
            return next((kind for part, kind in kinds.items() if part in name and "time_" not in name), "BF16")

        folder = self.folder / f"d-{'-'.join(kinds.values())}"
        folder.mkdir(parents=True, exist_ok=True)
        copy(self.model_dir / "qwen.tiktoken", folder / "qwen.tiktoken")
        values: dict[str, object] = {
            "yue2.component": "generation",
            "yue2.tensor_names": "huggingface-native",
            "yue2.config": self.config,
            "general.file_type": 15,
        }
        return self.write(folder / "yue2-3.6B-v1.0-Q4_K_M.gguf", "yue2", self.model, types, values)

    def d_vae(self) -> Path:
        values: dict[str, object] = {"yue2.component": "vae", "yue2.vae.weight_norm_folded": True}
        tensors = folded_weights(self.vae)
        return self.write(self.folder / "d-vae" / "yue2-vae.gguf", "yue2_vae", tensors, lambda *_: "F16", values)


def copy(origin: Path, path: Path) -> None:
    path.write_bytes(origin.read_bytes())


def fitting(tensor: torch.Tensor, kind: str, other: str) -> str:
    """`kind` where its blocks fill the rows, `other` where not, as the converters do."""
    return kind if tensor.shape[-1] % gguf.GGML_QUANT_SIZES[Quantisation[kind]][0] == 0 else other


def encoded(tensor: torch.Tensor, kind: Quantisation) -> np.ndarray:
    values = tensor.float().numpy()
    if kind.name in {"Q4_K", "Q5_K", "Q6_K"}:
        blocks = values.reshape(-1, 256)
        made = {"Q4_K": encode_q4_k, "Q5_K": encode_q5_k, "Q6_K": encode_q6_k}[kind.name](blocks)
        return np.ascontiguousarray(made.reshape(values.shape[0], -1))
    return gguf.quants.quantize(np.ascontiguousarray(values), kind)


# gguf-py writes no K-quants: these are plain encoders, without the search for the best scale that ggml does.


def encode_q6_k(values: np.ndarray) -> np.ndarray:
    groups = values.reshape(-1, 16, 16)
    scales = np.abs(groups).max(-1) / 31 + 1e-12
    d = (scales.max(-1, keepdims=True) / 127).astype(np.float16)
    whole = np.maximum(np.round(scales / d.astype(np.float32)), 1).clip(1, 127)
    codes = (np.round(groups / (whole * d.astype(np.float32))[..., None]).clip(-32, 31) + 32).astype(np.uint8)
    codes = codes.reshape(-1, 2, 4, 32)  # halves of 128, four runs of 32 each
    low = (codes[:, :, :2] & 15) | ((codes[:, :, 2:] & 15) << 4)
    high = sum((codes[:, :, run] >> 4) << (2 * run) for run in range(4))
    parts = (low.reshape(-1, 128), high.reshape(-1, 64), whole.astype(np.int8).view(np.uint8), d.view(np.uint8))
    return np.concatenate(parts, axis=-1)


def _k_groups(values: np.ndarray, steps: int) -> tuple[np.ndarray, ...]:
    groups = values.reshape(-1, 8, 32)
    minimum = np.maximum(-groups.min(-1), 0)
    scale = (groups.max(-1) + minimum) / steps + 1e-12
    d = (scale.max(-1, keepdims=True) / 63).astype(np.float16)
    dmin = (minimum.max(-1, keepdims=True) / 63 + 1e-7).astype(np.float16)
    whole = np.ceil(scale / d.astype(np.float32)).clip(1, 63)
    least = np.round(minimum / dmin.astype(np.float32)).clip(0, 63)
    step, offset = whole * d.astype(np.float32), least * dmin.astype(np.float32)
    codes = np.round((groups + offset[..., None]) / step[..., None]).clip(0, steps).astype(np.uint8)
    whole, least = whole.astype(np.uint8), least.astype(np.uint8)
    packed = np.concatenate(
        (
            whole[:, :4] | ((whole[:, 4:] >> 4) << 6),
            least[:, :4] | ((least[:, 4:] >> 4) << 6),
            (whole[:, 4:] & 15) | ((least[:, 4:] & 15) << 4),
        ),
        axis=-1,
    )
    return codes, np.concatenate((d.view(np.uint8), dmin.view(np.uint8), packed), axis=-1)


def encode_q4_k(values: np.ndarray) -> np.ndarray:
    codes, head = _k_groups(values, 15)
    return np.concatenate((head, (codes[:, ::2] | (codes[:, 1::2] << 4)).reshape(-1, 128)), axis=-1)


def encode_q5_k(values: np.ndarray) -> np.ndarray:
    codes, head = _k_groups(values, 31)
    low, fifth = codes & 15, codes >> 4
    high = sum(fifth[:, group] << group for group in range(8))
    return np.concatenate((head, high, (low[:, ::2] | (low[:, 1::2] << 4)).reshape(-1, 128)), axis=-1)


def numbered(index: int, name: str) -> str:
    return f"_audiocpp.{index}" if len(name) >= 64 else name


def folded_weights(vae: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    folded = {}
    for key, value in vae.items():
        if key.endswith("weight_v"):
            g = vae[f"{key[:-1]}g"]
            folded[key.removesuffix("_v")] = g * value / value.norm(dim=tuple(range(1, value.dim())), keepdim=True)
        elif not key.endswith("weight_g"):
            folded[key] = value
    return folded


def worded(name: str) -> str:
    """Layout A's words for the positions of the decoder and the encoder."""
    side, _, first, *rest = name.split(".")
    if len(rest) == 1:
        return ".".join((side, {"0": "conv1", "7": "snake1", "8": "conv2"}[first], rest[0]))
    block = f"{side}.block.{int(first) - 1}"
    inner = ("snake1", "conv_t1", "res_unit1", "res_unit2", "res_unit3")
    if side == "encoder":
        inner = ("res_unit1", "res_unit2", "res_unit3", "snake1", "conv1")
    part = inner[int(rest[1])]
    if len(rest) == 3:
        return f"{block}.{part}.{rest[2]}"
    return f"{block}.{part}.{('snake1', 'conv1', 'snake2', 'conv2')[int(rest[3])]}.{rest[4]}"


_LAYER = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "pre_mlp_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip


def llama_ar(name: str) -> str:
    ends = {"model.embed_tokens.weight": "token_embd", "lm_head.weight": "output", "model.norm.weight": "output_norm"}
    if name in ends:
        return f"{ends[name]}.weight"
    if not name.startswith("model.layers.") or ".nar_" in name:
        return ""
    number, part = name.removeprefix("model.layers.").removesuffix(".weight").split(".", 1)
    return f"blk.{number}.{_LAYER[part]}.weight"


def llama_nar(name: str) -> str:
    if name == "latent_pos_embed.pe":
        return "nar.latent_pos_embd.weight"
    if name.startswith(("vae2llm", "llm2vae")):
        return f"nar.{name}"
    if name.startswith("time_embedder.mlp."):
        number, leaf = name.removeprefix("time_embedder.mlp.").split(".")
        return f"nar.time_embd.{int(number) // 2}.{leaf}"
    if ".nar_" not in name:
        return ""
    number, part = name.removeprefix("model.layers.").removesuffix(".weight").split(".", 1)
    return f"blk.{number}.nar_{_LAYER[part.removeprefix('nar_')]}.weight"


@pytest.fixture(scope="session")
def maker(test_model: TestModel, tmp_path_factory: pytest.TempPathFactory) -> GgufMaker:
    return GgufMaker(test_model, tmp_path_factory.mktemp("gguf"))


@pytest.fixture(scope="session")
def layout_model(maker: GgufMaker) -> Callable[[str], Path]:
    """What `open_gguf` is given for a layout; made when it is first asked for."""
    makers: dict[str, Callable[[], Path]] = {
        "A-BF16": lambda: maker.a_model("YuE2-3B-BF16.gguf", "BF16"),
        "A-Q8_0": lambda: maker.a_model("YuE2-3B-Q8_0.gguf", "Q8_0"),
        "B-Q4_0": lambda: maker.b_model("Q4_0"),
        "B-packed": lambda: maker.b_model("Q8_0", namespace="model_weights.", embedded=True),
        "C": maker.c_files,
        "D": maker.d_model,
        "D-K": lambda: maker.d_model({"down_proj": "Q4_K", "gate_proj": "Q5_1", "_proj": "Q4_1", "lm_head": "Q8_0"}),
        "D-Q5_K": lambda: maker.d_model({
            "1.mlp.down_proj": "Q6_K",
            "down_proj": "Q5_K",
            "_proj": "Q8_0",
            "lm_head": "Q8_0",
        }),
    }
    return functools.cache(lambda layout: makers[layout]())


@pytest.fixture(scope="session")
def layout_vae(maker: GgufMaker, layout_model: Callable[[str], Path]) -> Callable[[str], Path]:
    """What `open_gguf_vae` is given for a layout."""
    makers: dict[str, Callable[[], Path]] = {
        "A": maker.a_vae,
        "B-raw": lambda: maker.b_vae(folded=False),
        "B-folded": lambda: maker.b_vae(folded=True),
        "C": lambda: layout_model("C"),
        "D": maker.d_vae,
    }
    return functools.cache(lambda layout: makers[layout]())


@pytest.fixture(scope="session")
def opened(layout_model: Callable[[str], Path]) -> Callable[[str], ModelFiles]:
    """A layout's model, opened once."""
    return functools.cache(lambda layout: open_gguf(layout_model(layout)))
