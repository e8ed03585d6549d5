"""What of the model is in memory at each moment: the parts of the running stage, and nothing else."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence

import torch

from yue2_desktop.engine.model.head import PhaseHead, PhaseVocabulary
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.vae.decoder import Decoder, load_decoder
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.load import WeightReader

OnLayer = Callable[[int, int], None]


class Residency:
    """Loads parts when a stage asks for them and drops those that it does not need (design: the stages)."""

    def __init__(self, reader: WeightReader) -> None:
        self._reader = reader
        self._branch: tuple[Branch, tuple[LayerWeights, ...]] | None = None
        self._head: PhaseHead | None = None
        self._decoder: Decoder | None = None

    def layers(self, branch: Branch, cancel: CancelToken, on_layer: OnLayer) -> Sequence[LayerWeights]:
        """All layers of a branch, resident; the other branch, the heads of no use to it and the decoder go first.

        `on_layer(done, total)` after each layer read. Raises Problem(CANCELLED) between layers.
        """
        if self._branch is not None and self._branch[0] is branch:
            return self._branch[1]
        self.release()
        total = self._reader.config.layers
        loaded = []
        for layer in self.stream(branch):
            cancel.check()
            loaded.append(layer)
            on_layer(len(loaded), total)
        self._branch = (branch, tuple(loaded))
        return self._branch[1]

    def stream(self, branch: Branch) -> Iterator[LayerWeights]:
        """The layers of a branch one after another, each read when it is asked for and kept by nobody here."""
        for index in range(self._reader.config.layers):
            yield self._reader.layer(branch, index)

    def resident(self, branch: Branch) -> bool:
        return self._branch is not None and self._branch[0] is branch

    def head(self, vocabulary: PhaseVocabulary) -> PhaseHead:
        """The output rows of one phase; those of another phase go first."""
        if self._head is None or self._head.vocabulary is not vocabulary:
            self._head = None
            self._head = self._reader.head(vocabulary)
        return self._head

    def decoder(self, files: VaeFiles) -> Decoder:
        """The audio decoder; the transformer goes first."""
        if self._decoder is None:
            self.release()
            self._decoder = load_decoder(files.source, files.config, self._reader.device)
        return self._decoder

    def release(self) -> None:
        """Drops everything, and gives the memory back to the system as far as the allocator can."""
        self._branch = self._head = self._decoder = None
        gc.collect()
        if self._reader.device.type == "cuda":
            torch.cuda.empty_cache()
