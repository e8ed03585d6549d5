"""What gpu_check.py runs on: the card and the released size, or the processor and the tiny test model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from gpu_gauge import CardGauge, NoGauge
from gpu_stages import Bench, Length

from yue2_desktop.engine.ar import ArWeights, Decoding, Step, TokenSequence, eagerly
from yue2_desktop.engine.config import RELEASED_MODEL, RELEASED_VAE, read_model_config, read_vae_config
from yue2_desktop.engine.cuda.attention_choice import probe_attention
from yue2_desktop.engine.cuda.graph_decode import WINDOW_ROWS, DecodeWithFallback, StaticDecode
from yue2_desktop.engine.cuda.paths import CardPath, CardPaths, key_of
from yue2_desktop.engine.cuda.probes import LIGHT, probe_decoding, probe_kernel, probe_streaming
from yue2_desktop.engine.cuda.static_step import masked_products, masked_sdpa, wide_product
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.testmodel import materialise
from yue2_desktop.engine.weights.transfer import HostTransfer
from yue2_desktop.plan.sizes import gib

#: The song of memory-and-speed, section 3: 216 seconds.
_LONG = Length(prefix=4151, frames=5371, sampled=64, audio_frames=400, core=128)
_TINY = Length(prefix=300, frames=24, sampled=12, audio_frames=24, core=16)
_CPU, _DTYPE = torch.device("cpu"), torch.bfloat16
_SMALLER = replace(LIGHT, hidden_size=128, intermediate_size=256, heads=4, kv_heads=2, head_dim=32)


@dataclass(frozen=True)
class Setting:
    """`probes` by name, in order; `capability` is the card's, None without one."""

    headline: str
    bench: Bench
    probes: Mapping[str, Callable[[], Verdict]]
    capability: tuple[int, int] | None


class _Eager(CardPaths):
    """What a card may use but for the recorded step."""

    def decoding(self) -> Decoding:
        return eagerly


class _Rehearsed(CardPaths):
    """The static step without a recording, for the processor."""

    def decoding(self) -> Decoding:
        attend = masked_products(wide_product(self.device, self.dtype))

        def decoding(weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> Step:
            static = StaticDecode(weights, sequences, attend, lambda step: step)
            return DecodeWithFallback(static, eagerly(weights, sequences, cancel))

        return decoding


def on_card(folder: Path) -> Setting:
    """The first CUDA device with random weights of the released size; verdicts are found anew, below `folder`."""
    device = Device(torch.device("cuda", 0), torch.bfloat16)
    store = VerdictStore(folder / "verdicts.json", key_of(device.device))
    graph, eager = (kind(device.device, device.dtype, store) for kind in (CardPaths, _Eager))
    tokenizer = Tokenizer.from_file(materialise(folder).model_dir / "qwen.tiktoken")
    free, total = torch.cuda.mem_get_info(device.device)
    capability = torch.cuda.get_device_capability(device.device)
    return Setting(
        f"{key_of(device.device)}, compute capability {capability[0]}.{capability[1]}, {gib(free)} of "
        f"{gib(total)} free",
        Bench(
            device, RELEASED_MODEL, RELEASED_VAE, tokenizer, _LONG, CardGauge(device.device),
            {"eager": eager, "graph": graph},
        ),
        {path: partial(graph.verdict, path) for path in CardPath},
        capability,
    )  # fmt: skip


def dry(folder: Path) -> Setting:
    """The processor with the test model: what a card would do is rehearsed without one."""
    model = materialise(folder)
    device = Device(_CPU, _DTYPE)
    store = VerdictStore(folder / "verdicts.json", "rehearsal")
    eager, rehearsed = (kind(_CPU, device.dtype, store) for kind in (_Eager, _Rehearsed))
    products = masked_products(wide_product(_CPU, _DTYPE))

    decoding = partial(
        probe_decoding, _CPU, _DTYPE, capture=lambda step: step, config=_SMALLER, prompt=WINDOW_ROWS - 10, faster=False
    )
    kernel = partial(probe_kernel, device=_CPU, config=_SMALLER)
    probes: dict[str, Callable[[], Verdict]] = {
        CardPath.FLASH: partial(probe_attention, "flash", _CPU, _DTYPE),
        CardPath.GRAPH_PRODUCTS: partial(decoding, products),
        CardPath.GRAPH_SDPA: partial(decoding, masked_sdpa),
        CardPath.INT4: partial(kernel, Kernel.INT4, "Q4_0"),
        CardPath.INT4X2: partial(kernel, Kernel.INT4, "Q8_0"),
        CardPath.FP8: partial(kernel, Kernel.FP8, "BF16"),
        CardPath.PINNED: partial(probe_streaming, _CPU, _DTYPE, HostTransfer(), config=_SMALLER),
    }
    return Setting(
        f"A rehearsal on the processor with a tiny model, torch {torch.__version__}: its figures say nothing.",
        Bench(
            device,
            read_model_config(model.model_dir / "config.json"),
            read_vae_config(model.vae_dir / "config.json"),
            Tokenizer.from_file(model.model_dir / "qwen.tiktoken"),
            _TINY,
            NoGauge(),
            {"eager": eager, "graph": rehearsed},
        ),
        probes,
        None,
    )
