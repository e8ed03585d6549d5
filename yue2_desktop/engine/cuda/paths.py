"""Which of a card's paths may be used: the verdict of a probe, asked for at first use, remembered, and said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from functools import cache, cached_property
from typing import Final

import torch

from yue2_desktop.engine.ar import ArWeights, Decoding, Step, TokenSequence, eagerly
from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.cuda.attention_choice import AttentionChoice, choose, fused_attention, probe_attention
from yue2_desktop.engine.cuda.graph_decode import DecodeWithFallback, StaticDecode, cuda_capture
from yue2_desktop.engine.cuda.probes import HEAVY, LIGHT, probe_decoding, probe_kernel, probe_streaming
from yue2_desktop.engine.cuda.static_step import MaskedAttention, masked_products, masked_sdpa, wide_product
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore, machine_key, verdict_file, verdict_name
from yue2_desktop.engine.decoding_choice import ChosenDecoding
from yue2_desktop.engine.failures import problem_of
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.int4_codes import plane_count
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.weights.transfer import CudaTransfer
from yue2_desktop.plan.probe_nvml import read_cards
from yue2_desktop.song.errors import ProblemKind

_log = logging.getLogger(__name__)


class CardPath(StrEnum):
    """What is probed, by the names in the log and in the file of verdicts."""

    FLASH = "attention-flash"
    EFFICIENT = "attention-efficient"
    CUDNN = "attention-cudnn"
    GRAPH_PRODUCTS = "graph-products"
    GRAPH_SDPA = "graph-sdpa"
    GRAPH_PRODUCTS_LIGHT = "graph-products-light"
    GRAPH_SDPA_LIGHT = "graph-sdpa-light"
    INT4 = "int4"
    INT4X2 = "int4x2"
    FP8 = "fp8"
    PINNED = "pinned-streams"


#: How torch says that a path is not there, or fails on this card.
_REFUSALS: Final = (RuntimeError, NotImplementedError, TypeError, AttributeError)
Probe = Callable[[torch.device, torch.dtype], Verdict]
#: The types whose blocks the kernels are probed with: one plane, two planes, the checkpoint's own.
_KERNELS: Final = {
    CardPath.INT4: (Kernel.INT4, "Q4_0"),
    CardPath.INT4X2: (Kernel.INT4, "Q8_0"),
    CardPath.FP8: (Kernel.FP8, "BF16"),
}
#: Recorded steps by what their layers weigh, in the order in which they are asked: 16-bit layers, and light ones.
_GRAPHS: Final = {
    False: (CardPath.GRAPH_PRODUCTS, CardPath.GRAPH_SDPA),
    True: (CardPath.GRAPH_PRODUCTS_LIGHT, CardPath.GRAPH_SDPA_LIGHT),
}
#: Layers up to this many bytes are light: between those of 4 bits and of 16 (probes.py).
_LIGHT_BYTES: Final = 56_000_000


class CardPaths:
    """The verdicts on one device in one dtype. Devices other than CUDA use none of the paths."""

    def __init__(
        self,
        device: torch.device,
        dtype: torch.dtype,
        store: VerdictStore,
        probes: Mapping[CardPath, Probe] | None = None,
    ) -> None:
        """`probes` stand in for the true ones."""
        self.device = device
        self.dtype = dtype
        self._store = store
        self._probes = probes if probes is not None else self._true_probes()
        self._known: dict[CardPath, Verdict] = {}

    def verdict(self, path: CardPath) -> Verdict:
        """The verdict on a path, probed now if nobody has. Raises Problem(DEVICE_LOST) if the probe took the card."""
        if self.device.type != "cuda":
            return Verdict(False, "for CUDA devices only")
        if path not in self._known:
            remembered = self._store.get(self._name(path))
            verdict = remembered or self._probed(path)
            _log.log(
                logging.INFO if verdict.ok else logging.WARNING,
                "%s %s%s: %s", path, "accepted" if verdict.ok else "not used", " earlier" if remembered else "",
                verdict.reason,
            )  # fmt: skip
            self._known[path] = verdict
        return self._known[path]

    @cached_property
    def attention(self) -> AttentionChoice:
        """The fused attention kernels to use."""
        choice = choose(lambda name: self.verdict(CardPath(f"attention-{name}")))
        if self.device.type == "cuda":
            _log.info("%s", choice.sentence)
        return choice

    def fused_attention(self) -> AbstractContextManager[None]:
        """Around all that attends on this device: see `fused_attention` of attention_choice.py."""
        return fused_attention(self.device, self.attention)

    def decoding_path(self, *, light: bool) -> CardPath | None:
        """The recorded step that is used with layers of 16 bits, or with `light` ones; None for the eager step."""
        return next((path for path in _GRAPHS[light] if self.verdict(path).ok), None)

    def decoding(self) -> Decoding:
        """How tokens are decoded here. Probes, so it is best called while the card's memory is still free."""
        paths = {light: self.decoding_path(light=light) for light in _GRAPHS}
        if not any(paths.values()):
            return eagerly

        def decoding(weights: ArWeights, sequences: Sequence[TokenSequence], cancel: CancelToken) -> Step:
            eager, path = eagerly(weights, sequences, cancel), paths[is_light(weights)]
            if path is None:
                return eager
            recorded = StaticDecode(weights, sequences, self._attend(path), cuda_capture(self.device))
            return DecodeWithFallback(recorded, eager)

        return decoding

    def chosen_decoding(self) -> ChosenDecoding:
        """`decoding`, which says afterwards what was taken."""
        return ChosenDecoding(self.decoding(), lambda weights: self.decoding_path(light=is_light(weights)) or "eager")

    def kernel(self, wanted: Kernel, type_name: str) -> Kernel:
        """The product for weights of a type: `wanted` where the card was seen to do it, else unpacked as it is used."""
        if self.device.type != "cuda" or wanted not in {Kernel.INT4, Kernel.FP8}:
            return wanted
        int4 = CardPath.INT4 if plane_count(type_name) == 1 else CardPath.INT4X2
        path = CardPath.FP8 if wanted is Kernel.FP8 else int4
        return wanted if self.verdict(path).ok else Kernel.DEQUANTISE

    def pins(self, *, roomy: bool) -> bool:
        """Whether copies to the card go through pinned memory; `roomy` is the plan's word (HostPlan.pinned)."""
        return roomy and self.verdict(CardPath.PINNED).ok

    def _attend(self, path: CardPath) -> MaskedAttention:
        if path in {CardPath.GRAPH_SDPA, CardPath.GRAPH_SDPA_LIGHT}:
            return masked_sdpa
        return masked_products(wide_product(self.device, self.dtype))

    def _name(self, path: CardPath) -> str:
        return verdict_name(path, str(self.dtype).removeprefix("torch."))

    def _probed(self, path: CardPath) -> Verdict:
        store, name = self._store, self._name(path)
        store.begin(name)
        try:
            verdict = self._probes[path](self.device, self.dtype)
        except _REFUSALS as error:
            verdict = Verdict(False, next(iter(str(error).splitlines()), type(error).__name__))
            problem = problem_of(error)
            if problem is not None and problem.kind is ProblemKind.OUT_OF_MEMORY:
                store.forget(name)  # that says nothing of the path: it is asked again at the next start
                return verdict
            if problem is not None and problem.kind is ProblemKind.DEVICE_LOST:
                store.put(name, verdict)
                raise problem from error
        except BaseException:
            store.forget(name)  # interrupted, or a fault of ours: not the path's end of the process
            raise
        store.put(name, verdict)
        torch.cuda.empty_cache()
        return verdict

    def _true_probes(self) -> Mapping[CardPath, Probe]:
        def attention(path: CardPath) -> Probe:
            return lambda device, dtype: probe_attention(path.removeprefix("attention-"), device, dtype)

        def graph(path: CardPath, config: ModelConfig) -> Probe:
            def ask(device: torch.device, dtype: torch.dtype) -> Verdict:
                with self.fused_attention():
                    return probe_decoding(device, dtype, self._attend(path), cuda_capture(device), config=config)

            return ask

        def kernel(path: CardPath) -> Probe:
            return lambda device, _dtype: probe_kernel(*_KERNELS[path], device)

        return {
            **{path: attention(path) for path in (CardPath.FLASH, CardPath.EFFICIENT, CardPath.CUDNN)},
            **{path: graph(path, LIGHT if light else HEAVY) for light, paths in _GRAPHS.items() for path in paths},
            **{path: kernel(path) for path in _KERNELS},
            CardPath.PINNED: lambda device, dtype: probe_streaming(device, dtype, CudaTransfer(device, pinned=True)),
        }


def is_light(weights: ArWeights) -> bool:
    """Whether the layers weigh so little that launching their kernels counts."""
    return weights.layers[0].nbytes <= _LIGHT_BYTES


@cache
def card_paths(device: torch.device, dtype: torch.dtype) -> CardPaths:
    """The paths of a device, one object for the process."""
    return CardPaths(device, dtype, VerdictStore(verdict_file(), key_of(device)))


def key_of(device: torch.device) -> str:
    """The machine's key of a CUDA device; for others, whose verdicts nobody keeps, their type."""
    if device.type != "cuda":
        return device.type
    cards = read_cards().gpus or ()
    driver = next((card.driver for card in cards if card.driver is not None), None)
    return machine_key(torch.cuda.get_device_name(device), driver, torch.__version__, torch.version.cuda)
