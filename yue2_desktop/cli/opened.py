"""The model and the decoder of a command: found, opened, and described for take.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from yue2_desktop import __version__
from yue2_desktop.cli.planning import Planned
from yue2_desktop.cli.weights_watch import MOT, VAE, WeightsPart
from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.decoding import decode_alone
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.open import open_model_at, open_vae_at
from yue2_desktop.library.record import MadeWith, ModelFile, model_files
from yue2_desktop.plan.peaks import Stage as PlanStage

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
    planned: Planned | None = None

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
    def plan_label(self) -> str:
        """The plan that is followed, in the planner's words; decoding alone has none."""
        return "" if self.planned is None else self.planned.plan.candidate.label

    @property
    def generator(self) -> str:
        """What the token phases draw from; the noise is always drawn on the CPU."""
        tokens = self.device.device if self.planned is None else self.planned.arrangement.readers.tokens.device
        return "cuda philox" if tokens.type == "cuda" else "cpu mt19937"

    @property
    def decoded_by(self) -> str | None:
        """How the tokens that were made last were decoded."""
        return None if self.pipeline is None else self.pipeline.decoded_by

    @property
    def attended_by(self) -> str | None:
        """How the frames that were made last attended."""
        return None if self.pipeline is None else self.pipeline.attended_by

    def lower(self, stage: PlanStage) -> tuple[Opened, str] | None:
        """The same files by the next smaller plan for a stage that ran out of memory, and the sentence for it."""
        step = None if self.planned is None else self.planned.lower(stage)
        if step is None or self.model is None:
            return None
        if self.pipeline is not None:
            self.pipeline.release()
        return opened_by(step[0], self.model, self.vae), step[1]

    @property
    def weights_config(self) -> dict[str, str]:
        """In which precision each half computes, and where: part of what a take is."""
        if self.planned is None:
            return {}
        candidate = self.planned.plan.candidate
        return {
            "ar_weights": candidate.ar.format.name,
            "nar_weights": candidate.nar.format.name,
            "ar_device": candidate.ar_device,
        }

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
                **({"linear": "dense"} if self.planned is None else self.planned.arrangement.kernels),
            },
            plan=self._plan(),
        )

    def _plan(self) -> dict[str, object]:
        """What was asked for, chosen and predicted, for take.json, by the names of the command line's options."""
        threads = torch.get_num_threads()
        if self.planned is None:
            return {"mode": self.dtype, "threads": threads}
        plan, asked, demand = self.planned.plan, self.planned.check.options, self.planned.check.demand
        return {
            "mode": plan.mode,
            "asked": {
                "mode": asked.mode,
                "ar_precision": asked.ar_precision,
                "nar_residency": asked.nar_residency,
                "vae_core": "auto" if asked.vae_core is None else asked.vae_core,
            },
            "ar_precision": plan.candidate.ar.format.name,
            "nar_residency": plan.stage("acoustic").residency,
            "vae_core": self.planned.arrangement.vae_core,
            "ode_steps": demand.ode_steps,
            "ode_method": demand.ode_method,
            "reason": self.planned.planning.reason,
            "threads": threads,
            "stages": [
                {
                    "stage": stage.stage,
                    "weights": stage.weights,
                    "residency": str(stage.residency),
                    "kernel": stage.kernel,
                    "predicted_peak_bytes": stage.peak_bytes,
                }
                for stage in plan.stages
            ],
        }


@dataclass(frozen=True)
class OpenedFiles:
    """The model and the decoder of a command, found whole; no tensor is read yet."""

    model: ModelFiles | None
    vae: VaeFiles | None


def open_files(model: Path | None, vae: Path | None) -> OpenedFiles:
    """Opens what is named: a folder of the release, a GGUF or a folder of them. Raises Problem."""
    return OpenedFiles(None if model is None else open_model_at(model), None if vae is None else open_vae_at(vae))


def opened_by(planned: Planned, model: ModelFiles, vae: VaeFiles | None) -> Opened:
    """What a plan computes with."""
    built = planned.arrangement
    pipeline = Pipeline(
        model,
        vae,
        built.device,
        built.policy,
        built.readers,
        decoding=built.decoding,
        attention=built.attention,
        budget=built.budget,
    )
    return Opened(built.device, model, vae, pipeline, planned)


def open_all(device: Device, model: Path | None, vae: Path | None) -> Opened:
    """Opens model and decoder for plain dense computing on one device, without a plan. Raises Problem."""
    files = open_files(model, vae)
    pipeline = None if files.model is None else Pipeline(files.model, files.vae, device)
    return Opened(device, files.model, files.vae, pipeline)
