"""What of the model is in memory at each moment: the parts of the running stage, and nothing else."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import torch

from yue2_desktop.engine.heap import give_back_freed_memory
from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.unwinding import let_go_of_tensors
from yue2_desktop.engine.vae.decoder import Decoder, load_decoder
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.reader import Reader, Readers
from yue2_desktop.engine.weights.stream import StreamedLayers

OnLayer = Callable[[int, int], None]


class NarResidency(StrEnum):
    """Where the NAR layers are during the ODE."""

    RESIDENT = "resident"
    STREAMED = "streamed"


@dataclass(frozen=True)
class ResidencyPolicy:
    """`keep_all` leaves both halves and the decoder in memory between stages; else each stage has its own parts."""

    keep_all: bool = False
    nar: NarResidency = NarResidency.RESIDENT


class Residency:
    """Loads parts when a stage asks for them and drops those that it does not need (design: the stages)."""

    def __init__(self, readers: Readers, policy: ResidencyPolicy) -> None:
        self._readers = readers
        self._policy = policy
        self._layers: dict[Branch, tuple[LayerWeights, ...]] = {}
        self._heads: dict[str, PhaseHead] = {}
        self._decoder: Decoder | None = None

    @contextmanager
    def stage(self, *, shares: bool = False) -> Iterator[None]:
        """Around a stage. Behind it, however it ends, no weights are left in memory, unless all are kept.

        `shares` leaves them to the stage that follows, if this one ends well. An error that leaves the block holds on
        to no tensor (unwinding.py), so that the memory is free at once.
        """
        try:
            yield
        except BaseException as error:
            let_go_of_tensors(error)
            self._make_room()
            raise
        if not shares:
            self._make_room()

    def token_layers(self, cancel: CancelToken, on_layer: OnLayer) -> Sequence[LayerWeights]:
        """The AR layers for the token phases, resident. `on_layer(done, total)` after each one read.

        Raises Problem(CANCELLED) between layers.
        """
        return self._resident(self._readers.tokens, Branch.AR, cancel, on_layer)

    def _resident(
        self, reader: Reader, branch: Branch, cancel: CancelToken, on_layer: OnLayer
    ) -> Sequence[LayerWeights]:
        if branch not in self._layers:
            self._make_room()
            total = reader.config.layers
            loaded: list[LayerWeights] = []
            for index in range(total):
                cancel.check()
                loaded.append(reader.layer(branch, index))
                on_layer(index + 1, total)
            self._layers[branch] = tuple(loaded)
        return self._layers[branch]

    @contextmanager
    def prefill_layers(self) -> Iterator[Iterable[LayerWeights]]:
        """The AR layers for one pass: those in memory, else streamed through a few buffers."""
        if Branch.AR in self._layers and self._readers.prefill is self._readers.tokens:
            yield self._layers[Branch.AR]
            return
        self._make_room()  # NAR, which an earlier chunk of a long song left there
        with StreamedLayers(self._readers.prefill, Branch.AR) as layers:
            yield layers

    @contextmanager
    def flow_layers(self, cancel: CancelToken, on_layer: OnLayer) -> Iterator[Iterable[LayerWeights]]:
        """The NAR layers for a whole solve: resident or streamed, as the policy says."""
        if self._policy.nar is NarResidency.RESIDENT or Branch.NAR in self._layers:
            yield self._resident(self._readers.flow, Branch.NAR, cancel, on_layer)
            return
        with StreamedLayers(self._readers.flow, Branch.NAR) as layers:
            yield layers

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The output rows of one phase; those of the other phase go first, whatever else is kept."""
        if vocabulary.name not in self._heads:
            self._heads.clear()
            self._heads[vocabulary.name] = self._readers.tokens.head(vocabulary)
        return self._heads[vocabulary.name]

    def decoder(self, files: VaeFiles) -> Decoder:
        """The audio decoder."""
        if self._decoder is None:
            self._make_room()
            self._decoder = load_decoder(files.source, files.config, self._readers.flow.device)
        return self._decoder

    def leave_tokens(self) -> None:
        """The token phases are over for this song: their parts go, unless all are kept."""
        self._make_room()

    def _make_room(self) -> None:
        if not self._policy.keep_all:
            self.release()

    def release(self) -> None:
        """Drops everything, and gives the memory back to the system as far as the allocator can."""
        self._layers.clear()
        self._heads.clear()
        self._decoder = None
        gc.collect()
        give_back_freed_memory()
        if any(reader.device.type == "cuda" for reader in (self._readers.tokens, self._readers.flow)):
            torch.cuda.empty_cache()
