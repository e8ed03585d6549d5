"""The model and the decoder of a command: found, opened, and described for take.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from yue2_desktop import __version__
from yue2_desktop.cli.weights_watch import MOT, VAE, WeightsPart
from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.decoding import decode_alone
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles, open_model, open_vae
from yue2_desktop.library.record import MadeWith, ModelFile, model_files

#: spec/yue2.md, section 1.
RELEASED_LICENCE: Final = "CC BY-NC 4.0 (YuE2-3B: not for commercial use)"
UNKNOWN_LICENCE: Final = "unknown (not the released YuE2-3B)"


@dataclass(frozen=True)
class Opened:
    """What a command computes with. `model` is None where only the decoder is needed, `vae` where no audio is made."""

    device: Device
    model: ModelFiles | None
    vae: VaeFiles | None
    pipeline: Pipeline | None

    def computing(self) -> Pipeline:
        """The pipeline; a command that needs it has opened a model."""
        if self.pipeline is None:
            raise RuntimeError("no model is open")
        return self.pipeline

    def decode(self, latents: np.ndarray, core: int | None, watch: Watch) -> np.ndarray:
        """Audio of latents, by the pipeline or, where there is none, by the decoder alone."""
        if self.pipeline is not None:
            return self.pipeline.decode(latents, core, watch)
        if self.vae is None:
            raise RuntimeError("no decoder is open")
        return decode_alone(self.vae, self.device, latents, core, watch.on_progress, watch.cancel)

    def parts(self) -> tuple[WeightsPart, ...]:
        """The files of the weights, by part."""
        parts = []
        if self.model is not None:
            parts.append(WeightsPart(MOT, self.model.files))
        if self.vae is not None:
            parts.append(WeightsPart(VAE, self.vae.files))
        return tuple(parts)

    @property
    def dtype(self) -> str:
        """The number format by name: float32 or bfloat16."""
        return str(self.device.dtype).removeprefix("torch.")

    @property
    def generator(self) -> str:
        """What the token phases draw from; the noise is always drawn on the CPU."""
        return "cuda philox" if self.device.device.type == "cuda" else "cpu mt19937"

    def made_with(self, files: tuple[ModelFile, ...], *, earlier: Mapping[str, object]) -> MadeWith:
        """What makes the take, for take.json; `earlier` is that of the take whose stages it keeps, else empty.

        Weights that this one does not open, and their licence, are taken over from there.
        """
        cuda = self.device.device.type == "cuda"
        opened = {part.name for part in self.parts()}
        if self.model is None:
            licence = str(earlier.get("weights_licence", UNKNOWN_LICENCE))
        else:
            licence = RELEASED_LICENCE if self.model.config == RELEASED_MODEL else UNKNOWN_LICENCE
        return MadeWith(
            app_version=__version__,
            model_files=(*(file for file in model_files(earlier) if file.part not in opened), *files),
            weights_licence=licence,
            device=self.device.label,
            dtype=self.dtype,
            kernels={
                "torch": torch.__version__,
                "cuda": str(torch.version.cuda) if cuda else "none",
                "cpu": torch.backends.cpu.get_cpu_capability(),
                "linear": "torch",
                "attention": "torch scaled_dot_product_attention",
            },
            plan={"mode": self._mode, "threads": torch.get_num_threads()},
        )

    @property
    def _mode(self) -> str:
        """The mode by the name that users see (design: modes)."""
        return "bf16" if self.device.dtype is torch.bfloat16 else self.dtype


def open_all(device: Device, model: Path | None, vae: Path | None) -> Opened:
    """Opens the folders and checks that they are whole; no tensor is read yet. Raises Problem."""
    model_files = None if model is None else open_model(model)
    vae_files = None if vae is None else open_vae(vae)
    pipeline = None if model_files is None else Pipeline(model_files, vae_files, device)
    return Opened(device, model_files, vae_files, pipeline)
