"""Every layout opens by what is in it and renders: same tensors, same tokens, same sound as its weights allow."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch

from yue2_desktop.engine.decoding import decode_alone
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.model.ar import forward
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.progress import CancelToken, silent
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.gguf_folder import open_gguf_vae, read_gguf_file
from yue2_desktop.engine.weights.layout import Branch, decoder_shapes, model_shapes
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.reader import Reader
from yue2_desktop.engine.weights.source import MemorySource
from yue2_desktop.engine.weights.stored_readers import stored_readers
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged

Layout = Callable[[str], Path]
Opened = Callable[[str], ModelFiles]
CPU = torch.device("cpu")
WATCH = Watch()
LAYOUTS = ["A-BF16", "A-Q8_0", "B-Q4_0", "B-packed", "C", "D", "D-K", "D-Q5_K"]
VAES = ["A", "B-raw", "B-folded", "C", "D"]
#: Largest relative error of a layer's weights that the types of a layout make (memory-and-speed, section 5).
LIMITS = {"A-BF16": 0.0, "A-Q8_0": 7e-3, "B-Q4_0": 0.1, "B-packed": 7e-3, "C": 7e-3, "D": 0.1, "D-K": 0.1}
LIMITS["D-Q5_K"] = 0.05


def _request() -> SongRequest:
    return SongRequest.validated(style="piano", lyrics="[Verse]\nhello\n", seed=3)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_tensor_is_the_checkpoints(layout: str, opened: Opened, model_files: ModelFiles) -> None:
    """Names, shapes, configuration; values as near as the types are, 0 for 16-bit types."""
    model = opened(layout)
    assert model.config == model_files.config
    wanted = model_files.source
    for name in model_shapes(model.config):
        if "embed_tokens" in name or "lm_head" in name:
            rows = [0, 7, 184_620]
            found = torch.cat([model.source.read_rows(name, row, row + 1) for row in rows]).double()
            exact = torch.cat([wanted.read_rows(name, row, row + 1) for row in rows]).double()
        else:
            found, exact = model.source.read(name).double(), wanted.read(name).double()
        assert found.shape == exact.shape
        limit = LIMITS[layout] if found.dim() == 2 else 0.0
        # F16 keeps bf16 values but for those below 2^-17, of which it keeps the first bits.
        assert float((found - exact).norm()) <= (limit + 1e-6) * float(exact.norm()), name


@pytest.mark.parametrize("layout", ["A-Q8_0", "B-Q4_0", "C", "D"])
def test_text_gets_the_same_ids(layout: str, opened: Opened, model_files: ModelFiles) -> None:
    tokenizer = opened(layout).tokenizer
    for text in (
        "[Verse]\nhello, the world\n",
        "Übergröße 123 \t ñandú",
        "日本語の歌 🎵\r\n\n  x",
        "\x00\x7f <|endoftext|>",
    ):
        ids = model_files.tokenizer.encode(text)
        assert tokenizer.encode(text) == ids
        assert tokenizer.decode(ids) == model_files.tokenizer.decode(ids)


def test_a_16_bit_file_renders_the_same_bits(opened: Opened, model_files: ModelFiles, vae_files: VaeFiles) -> None:
    """Layout A in BF16 has the checkpoint's weights (and no position table, which is a formula)."""
    device = Device(CPU, torch.bfloat16)
    made = []
    for model in (model_files, opened("A-BF16")):
        readers = stored_readers(model, torch.bfloat16, CPU)
        pipeline = Pipeline(model, vae_files, device, readers=readers)
        plan = pipeline.plan(_request(), merged(ABC_SAMPLING, {"min_tokens": 4, "max_tokens": 8}), WATCH)
        tokens = pipeline.semantic(plan, merged(SEMANTIC_SAMPLING, {"min_tokens": 6, "max_tokens": 6}), WATCH)
        made.append((plan.abc_ids, tokens.codec, pipeline.acoustic(tokens, 1, WATCH).tobytes()))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("layout", "dtype"), [*((layout, torch.bfloat16) for layout in LAYOUTS[1:]), ("D-Q5_K", torch.float32)]
)
def test_a_song_end_to_end(layout: str, dtype: torch.dtype, opened: Opened, layout_vae: Layout) -> None:
    model = opened(layout)
    vae = open_gguf_vae(layout_vae({"B": "B-folded"}.get(layout[0], layout[0])))
    pipeline = Pipeline(model, vae, Device(CPU, dtype), readers=stored_readers(model, dtype, CPU))
    plan = pipeline.plan(_request(), merged(ABC_SAMPLING, {"min_tokens": 4, "max_tokens": 6}), WATCH)
    tokens = pipeline.semantic(plan, merged(SEMANTIC_SAMPLING, {"min_tokens": 5, "max_tokens": 5}), WATCH)
    latents = pipeline.acoustic(tokens, 1, WATCH)
    audio = pipeline.decode(latents, None, WATCH)
    assert latents.shape == (5, 64)
    assert audio.shape == (5 * 1920 - 64, 2)
    assert np.isfinite(audio).all()
    assert float(np.abs(audio).max()) > 0


@pytest.mark.parametrize("kernel", [None, Kernel.DENSE, Kernel.W8A8, Kernel.PACKED_FP16, Kernel.DEQUANTISE])
@pytest.mark.parametrize("layout", ["B-packed", "B-Q4_0", "D-K", "D-Q5_K"])
def test_logits_are_those_of_the_files_values(
    layout: str, kernel: Kernel | None, opened: Opened, by_gguf_py: Callable[[str], torch.Tensor]
) -> None:
    """A prefill of 20 tokens and two steps against float32 with what gguf-py reads from the file.

    bf16 kernels round activations in each of 21 products; W8A8 to 8 bits. The stack keeps both within 4 %.
    """
    found = _logits(stored_readers(opened(layout), torch.float32, CPU, kernel=kernel).tokens)
    wanted = by_gguf_py(layout)
    error = float((found - wanted).norm() / wanted.norm())
    limit = {Kernel.DENSE: 1e-5, Kernel.DEQUANTISE: 1e-5, Kernel.PACKED_FP16: 2e-3}.get(kernel or Kernel.INT4, 4e-2)
    assert error <= limit


@pytest.fixture(scope="session")
def by_gguf_py(opened: Opened) -> Callable[[str], torch.Tensor]:
    """Logits in float32 with the AR tensors of a file as gguf-py dequantises them."""

    def logits(layout: str) -> torch.Tensor:
        model = opened(layout)
        stored = read_gguf_file(model.files[0])
        data = np.memmap(model.files[0])
        tensors = {}
        for name, own in stored.layout.names.items():
            if ".nar_" in name or "embed" in name or not name.startswith(("model.", "lm_head")):
                continue
            tensor = stored.header.tensors[own]
            kind = gguf.GGMLQuantizationType[tensor.type_name]
            rows = data[tensor.offset : tensor.offset + tensor.nbytes].reshape(tensor.shape[0], -1)
            if name == "lm_head.weight":
                rows = rows[SEMANTIC_VOCABULARY.runs[0][0] :]
            rows = rows.view({"F32": np.float32, "F16": np.float16}.get(tensor.type_name, np.uint8))
            values = torch.from_numpy(np.array(gguf.quants.dequantize(rows, kind), dtype=np.float32))
            if name == "lm_head.weight":
                values = torch.cat([torch.zeros(SEMANTIC_VOCABULARY.runs[0][0], values.shape[1]), values])
            tensors[name] = values if len(tensor.shape) == 2 else values.view(-1)
        return _logits(WeightReader(MemorySource(tensors), model.config, torch.float32, CPU))

    return functools.cache(logits)


def _logits(reader: Reader) -> torch.Tensor:
    config = reader.config
    layers = [reader.layer(Branch.AR, index) for index in range(config.layers)]
    head = reader.head(SEMANTIC_VOCABULARY)
    cache = KVCache(config, 24, torch.float32, CPU)
    table = rope_table(0, 24, config.head_dim, config.rope_theta, torch.float32, CPU)
    x = torch.randn(22, config.hidden_size, generator=torch.Generator().manual_seed(4))
    rows = []
    for part in (x[:20], x[20:21], x[21:22]):
        h = forward(part.clone(), layers, cache, table, config, CancelToken())
        rows.append(head(rms_norm(h[-1:], reader.final_norm(), config.rms_eps)))
    return torch.cat(rows)


@pytest.mark.parametrize("layout", VAES)
def test_every_audio_decoder(layout: str, layout_vae: Layout, vae_files: VaeFiles) -> None:
    """Sound against the published form of the same decoder: exact weights up to folding, or rounded to F16."""
    opened = open_gguf_vae(layout_vae(layout))
    assert opened.config == vae_files.config
    assert set(decoder_shapes(opened.config, folded=layout not in {"A", "B-raw"})) <= opened.source.names()
    latents = np.random.default_rng(0).normal(size=(9, 64)).astype(np.float32)
    wanted, found = (
        decode_alone(files, Device(CPU, torch.float32), latents, None, silent, CancelToken())
        for files in (vae_files, opened)
    )
    assert float(np.abs(wanted).max()) > 0.05
    if layout in {"B-folded", "D"}:
        # F16 rounds weights by 2^-11; 13 convolutions and the periodic activations between them make of it 1 %.
        assert float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted)) <= 2e-2
    else:
        assert float(np.abs(wanted - found).max()) <= 1e-4  # as for the decoder's own tests
