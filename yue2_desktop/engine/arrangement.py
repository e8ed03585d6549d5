"""From a plan to what the pipeline is built of: who reads the weights of each stage, in which product, kept how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import torch

from yue2_desktop.engine.attention_choice import ChosenAttention, processor_attention
from yue2_desktop.engine.cuda.paths import CardPaths, card_paths
from yue2_desktop.engine.decoding_choice import ChosenDecoding, processor_decoding
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.quant.packing import WRITABLE
from yue2_desktop.engine.residency import NarResidency, ResidencyPolicy
from yue2_desktop.engine.weights.block_reader import BlockReader
from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.packed_reader import PackedReader
from yue2_desktop.engine.weights.quantising_source import QuantisingSource
from yue2_desktop.engine.weights.reader import Reader, Readers
from yue2_desktop.engine.weights.source import BlockSource
from yue2_desktop.engine.weights.transfer import Transfer, transfer_to
from yue2_desktop.plan.plans import Plan
from yue2_desktop.plan.weights import Half

_CPU: Final = torch.device("cpu")
#: The planner's names for products; `dequantise` leaves the choice to what keeps each type of a file best.
_KERNELS: Final = {
    "dense": Kernel.DENSE,
    "packed-fp16": Kernel.PACKED_FP16,
    "int4": Kernel.INT4,
    "int4x2": Kernel.INT4,
    "fp8": Kernel.FP8,
    "w8a8": Kernel.W8A8,
    "dequantise": None,
}


@dataclass(frozen=True)
class Arrangement:
    """What a `Pipeline` takes for a plan; `device` is the acoustic stage's, `kernels` says the products by stage."""

    device: Device
    readers: Readers
    policy: ResidencyPolicy
    vae_core: int | None
    kernels: dict[str, str]
    decoding: Callable[[], ChosenDecoding] | None = None
    attention: Callable[[], ChosenAttention] | None = None
    budget: int | None = None


def arrange(plan: Plan, model: ModelFiles, card: torch.device | None, budget: int | None = None) -> Arrangement:
    """Builds the readers of a plan over an opened model; nothing is read yet.

    `card` is the CUDA device that the plan's GPU stages run on, None where there is none, and `budget` the bytes of its
    memory that may be used at most. The acoustic prefill takes
    the model's own numbers whatever the token phases take, as the reference does (memory-and-speed, section 5).
    """
    candidate = plan.candidate
    semantic, acoustic = plan.stage("semantic"), plan.stage("acoustic")
    flow_device = _place(candidate.nar_device, card)
    flow_dtype = torch.float32 if candidate.nar.format.name == "f32" else torch.bfloat16
    transfer = transfer_to(flow_device, pinned=_pins(plan, flow_device, flow_dtype))
    rows = _rows_reader(model, flow_dtype, flow_device, transfer)
    flow, flow_kernel = _flow_reader(candidate.nar, model, rows)
    tokens_device = _place(candidate.ar_device, card)
    tokens_dtype = torch.float32 if candidate.ar.format.name == "f32" else torch.bfloat16
    kernel = _KERNELS[semantic.kernel]
    if kernel is Kernel.DENSE and not isinstance(model.source, BlockSource):
        same = (tokens_device, tokens_dtype) == (flow_device, flow_dtype)
        tokens: Reader = rows if same else WeightReader(model.source, model.config, tokens_dtype, tokens_device)
    else:
        tokens, kernel = _packed_reader(candidate.ar, model, kernel, tokens_dtype, tokens_device, rows)
    keep = ResidencyPolicy(
        keep_all=candidate.both_resident,
        nar=NarResidency.STREAMED if candidate.residency == "streamed" else NarResidency.RESIDENT,
    )
    return Arrangement(
        device=Device(flow_device, flow_dtype),
        readers=Readers(tokens, rows, flow),
        policy=keep,
        vae_core=plan.stage("decode").tile,
        decoding=_decoding(tokens),
        attention=partial(processor_attention, flow.config, flow_dtype) if flow_device.type == "cpu" else None,
        budget=budget,
        kernels={
            "tokens": kernel or "by type",
            "acoustic": flow_kernel,
            "semantic_weights": semantic.weights,
            "acoustic_weights": acoustic.weights,
        },
    )


def _decoding(tokens: Reader) -> Callable[[], ChosenDecoding] | None:
    """Dense weights are decoded as the reference does; packed ones on the processor in the faster way there."""
    if tokens.device.type != "cpu" or not isinstance(tokens, PackedReader):
        return None
    return partial(processor_decoding, tokens.config, tokens.dtype)


def _place(device: str, card: torch.device | None) -> torch.device:
    if device == "cpu":
        return _CPU
    if card is None:
        raise ValueError("the plan is for a card, and none is given")
    return card


def _pins(plan: Plan, device: torch.device, dtype: torch.dtype) -> bool:
    return device.type == "cuda" and card_paths(device, dtype).pins(roomy=plan.host.pinned)


def _rows_reader(model: ModelFiles, dtype: torch.dtype, device: torch.device, transfer: Transfer) -> WeightReader:
    if isinstance(model.source, BlockSource):
        return BlockReader(model.source, model.config, dtype, device, transfer)
    return WeightReader(model.source, model.config, dtype, device, transfer)


def _flow_reader(half: Half, model: ModelFiles, rows: WeightReader) -> tuple[Reader, str]:
    if half.format.name != "int8":
        return rows, "dequantise" if isinstance(rows, BlockReader) and not half.format.exact else "dense"
    reader = PackedReader(model.source, model.config, rows.dtype, rows.device, rows.transfer, kernel=Kernel.W8A8)
    return reader, str(Kernel.W8A8)


def _packed_reader(
    half: Half,
    model: ModelFiles,
    kernel: Kernel | None,
    dtype: torch.dtype,
    device: torch.device,
    rows: WeightReader,
) -> tuple[Reader, Kernel | None]:
    source = model.source
    name = half.format.name
    if name in WRITABLE and not isinstance(source, BlockSource):
        source = QuantisingSource(source, WRITABLE[name])
    paths: CardPaths = card_paths(device, dtype)
    if kernel is not None:
        kernel = paths.kernel(kernel, name.upper())
    if kernel is Kernel.INT4 and isinstance(source, BlockSource) and source is model.source:
        kernel = None  # tensor by tensor: what is dense in the file stays so, as the planner counts it
    # FP8 and W8A8 cover the layers; the head keeps the model's own numbers.
    head = kernel
    if name in {"fp8", "int8"}:
        head = Kernel.PACKED_FP16 if device.type == "cpu" else Kernel.DENSE
    transfer = rows.transfer if device == rows.device else transfer_to(device)
    return (
        PackedReader(
            source, model.config, dtype, device, transfer, kernel=kernel, head_kernel=head, accept=paths.kernel
        ),
        kernel,
    )
