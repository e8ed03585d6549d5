"""What this machine was seen to do: the probe on request, and each finished render; kept for the times of the next."""

from __future__ import annotations

import logging

import torch

from yue2_desktop.cli.plan_options import calibration_file
from yue2_desktop.cli.planning import Planned
from yue2_desktop.engine.bench.calibrate import probe
from yue2_desktop.engine.device import choose_device
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.library.names import StageState, TakeStage
from yue2_desktop.library.record import StageRecord, TakeRecord
from yue2_desktop.plan.calibration import (
    Calibration,
    DeviceRates,
    RunRate,
    card_key,
    load_calibration,
    processor_key,
    save_calibration,
)
from yue2_desktop.plan.facts import GpuFacts, MachineFacts
from yue2_desktop.plan.plans import StagePlan
from yue2_desktop.plan.predict import run_rate
from yue2_desktop.plan.shape import SCORE_ROWS, SEMANTIC_ROWS
from yue2_desktop.plan.work import Work, decode_work, sound_work, token_work
from yue2_desktop.song.errors import Problem

_log = logging.getLogger(__name__)

_STAGES = {
    "score": TakeStage.PLAN,
    "semantic": TakeStage.SEMANTIC,
    "acoustic": TakeStage.LATENTS,
    "decode": TakeStage.AUDIO,
}


@torch.inference_mode()
def measure(machine: MachineFacts, gpu: GpuFacts | None, device: str) -> None:
    """Probes the processor and the card that a plan would use, and remembers what was found."""
    calibration = load_calibration(calibration_file())
    places = [(processor_key(machine), "cpu")]
    if gpu is not None and not gpu.pretended and torch.cuda.is_available():
        places.append((card_key(gpu, machine.torch), device if device.startswith("cuda") else "cuda"))
    for key, name in places:
        chosen = choose_device(name, "auto")
        rates = calibration.of(key) or DeviceRates()
        found = probe(chosen.device, chosen.dtype, CancelToken())
        calibration = calibration.with_device(key, rates.with_probe(found))
    save_calibration(calibration, calibration_file())


def remember(planned: Planned, record: TakeRecord) -> None:
    """Keeps how long each stage of a finished render took; a calibration that cannot be kept ends no render."""
    try:
        calibration = _with_runs(load_calibration(calibration_file()), planned, record)
        save_calibration(calibration, calibration_file())
    except (Problem, OSError) as error:
        _log.warning("the times of this render are not kept: %s", error)


def _with_runs(calibration: Calibration, planned: Planned, record: TakeRecord) -> Calibration:
    gpu = planned.planning.gpu
    for stage in planned.plan.stages:
        done = record.stages[_STAGES[stage.stage]]
        work = _work(stage, done, planned)
        if work is None or done.note is None:
            continue
        card = stage.device == "cuda" and gpu is not None
        key = card_key(gpu, planned.machine.torch) if card and gpu is not None else processor_key(planned.machine)
        rates = calibration.of(key) or DeviceRates()
        rate = run_rate(done.note.seconds, work)
        size = planned.check.shape.size
        run = RunRate(stage.stage, stage.weights, str(stage.residency), stage.kernel, rate, size)
        calibration = calibration.with_device(key, rates.with_run(run))
    return calibration


def _work(stage: StagePlan, done: StageRecord, planned: Planned) -> Work | None:
    """The work that a stage was; None for one that was not made whole in this run, or by this plan."""
    note = done.note
    if done.state is not StageState.COMPLETE or note is None or not done.size or note.seconds <= 0:
        return None
    if note.resumed or note.reused_from is not None or note.stepped_down is not None:
        return None
    candidate, demand, shape = planned.plan.candidate, planned.check.demand, planned.check.shape
    if stage.stage == "score":
        if not demand.writes_score:
            return None
        return token_work(done.size, candidate, (demand.score_prompt,), SCORE_ROWS, shape)
    if stage.stage == "semantic":
        prompts = (demand.prefix, demand.negative_prefix) if demand.guided else (demand.prefix,)
        return token_work(done.size, candidate, prompts, SEMANTIC_ROWS, shape)
    if stage.stage == "acoustic":
        return sound_work(done.size, candidate, demand, shape)
    return decode_work(max(1, done.size // 1920), shape.vae)
