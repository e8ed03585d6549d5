"""The plan of a render: the fit check of this song on this machine now, and what the engine is built of for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import torch

from yue2_desktop.cli.plan_options import calibration_file
from yue2_desktop.cli.recipe import Recipe
from yue2_desktop.engine.arrangement import Arrangement, arrange
from yue2_desktop.engine.cuda.known import with_known_attention
from yue2_desktop.engine.inventory import inventory_of
from yue2_desktop.engine.text.prompt import prompt_text
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.plan.calibration import Calibration, load_calibration
from yue2_desktop.plan.check import Check, check_fit, setting_of
from yue2_desktop.plan.facts import GpuFacts, MachineFacts
from yue2_desktop.plan.held import Held
from yue2_desktop.plan.ladder import step_down
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.peaks import Stage
from yue2_desktop.plan.plans import Plan, Planning, Verdict
from yue2_desktop.plan.probe import read_machine
from yue2_desktop.plan.shape import ModelShape, VaeShape
from yue2_desktop.plan.song_demand import song_demand
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import ScorePlan


@dataclass(frozen=True)
class Planned:
    """A plan that is followed: what was checked, the planner's answer, and the engine's parts for it."""

    check: Check
    machine: MachineFacts
    planning: Planning
    plan: Plan
    arrangement: Arrangement
    model: ModelFiles
    card: torch.device | None

    def lower(self, stage: Stage) -> tuple[Planned, str] | None:
        """One step below this plan for a stage that ran out of memory, and the sentence that announces it.

        None where the next step would make another take, or there is none.
        """
        setting = setting_of(self.machine, self.check)
        step = step_down(self.plan, stage, setting)
        if step is None:
            return None
        arrangement = arrange(step.plan, self.model, self.card, self.check.options.budget_bytes)
        return replace(self, plan=step.plan, arrangement=arrangement), step.sentence


def plan_render(
    recipe: Recipe,
    options: Options,
    device: str,
    model: ModelFiles,
    vae: VaeFiles | None,
    folder: Path,
    *,
    written: ScorePlan | None,
    run_anyway: bool,
    held: Held | None = None,
) -> Planned:
    """The plan to follow for `recipe`; `written` is a score that is there already.

    `held` is what this process holds of an earlier render; it counts as free.

    Raises Problem(DOES_NOT_FIT) with the planner's reason unless `run_anyway`, and its other problems as they are.
    """
    machine = machine_here(folder)
    if held is not None:
        machine = held.on(machine)

    def count(text: str) -> int:
        return len(model.tokenizer.encode(text))

    if written is not None:
        abc_tokens: int | None = len(written.abc_ids)
    else:
        abc_tokens = None if recipe.request.abc is None else count(recipe.request.abc)
    demand = song_demand(
        recipe.request,
        recipe.abc,
        recipe.semantic,
        ode_steps=recipe.ode_steps,
        ode_method=recipe.ode_method,
        text_tokens=count(prompt_text(recipe.request)),
        abc_tokens=abc_tokens,
    )
    check = Check(
        demand=demand,
        options=options,
        device=device,
        inventory=inventory_of(model),
        calibration=calibration_here(),
        shape=shape_of(model, vae),
    )
    planning = check_fit(machine, check)
    if planning.problem is not None:
        raise planning.problem
    plan = planning.plan
    if plan is None or (planning.verdict is Verdict.DOES_NOT_FIT and not run_anyway):
        cure = "" if plan is None else " 'yue2-desktop fit' shows it stage by stage; --run-anyway tries all the same."
        raise Problem(ProblemKind.DOES_NOT_FIT, f"{planning.reason}{cure}", mode=options.mode)
    card = _card(planning.gpu, device) if plan.card_bytes else None
    arrangement = arrange(plan, model, card, options.budget_bytes)
    return Planned(check, machine, planning, plan, arrangement, model, card)


def machine_here(folder: Path) -> MachineFacts:
    """This machine now; where NVIDIA's library could not be read, its cards as torch sees them."""
    machine = read_machine(folder).machine
    if machine.gpus is None and torch.cuda.is_available():
        machine = replace(machine, gpus=tuple(_as_torch_sees(index) for index in range(torch.cuda.device_count())))
    return with_known_attention(machine, next(iter(machine.gpus or ()), None))


def calibration_here() -> Calibration:
    """This machine's measurements, none where there are none or the file is damaged."""
    return load_calibration(calibration_file())


def shape_of(model: ModelFiles, vae: VaeFiles | None) -> ModelShape:
    """The dimensions of an opened model as the planner takes them."""
    config = model.config
    decoder = VaeShape()
    if vae is not None:
        decoder = VaeShape(
            channels=vae.config.channels,
            mults=vae.config.c_mults,
            strides=vae.config.strides,
            out_channels=vae.config.audio_channels,
            latent_dim=vae.config.latent_dim,
        )
    return ModelShape(
        hidden=config.hidden_size,
        layers=config.layers,
        heads=config.heads,
        kv_heads=config.kv_heads,
        head_dim=config.head_dim,
        intermediate=config.intermediate_size,
        vocab=config.vocab_size,
        latent_dim=config.latent_dim,
        context=config.context,
        max_latent_frames=config.max_latent_frames,
        vae=decoder,
    )


def _card(gpu: GpuFacts | None, device: str) -> torch.device:
    index = gpu.cuda_index if gpu is not None else None
    if index is None:
        index = int(device.partition(":")[2] or 0)
    return torch.device("cuda", index)


def _as_torch_sees(index: int) -> GpuFacts:
    properties = torch.cuda.get_device_properties(index)
    free, total = torch.cuda.mem_get_info(index)
    return GpuFacts(
        name=properties.name,
        total_bytes=total,
        free_bytes=free,
        capability=torch.cuda.get_device_capability(index),
        cuda_index=index,
    )
