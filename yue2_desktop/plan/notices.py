"""What a user should know of a plan beyond its verdict, one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from yue2_desktop.plan import published
from yue2_desktop.plan.attention import FUSED, choose_attention
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.driver import driver_advice
from yue2_desktop.plan.facts import GpuFacts, MachineFacts
from yue2_desktop.plan.formats import NAR_RANK_LIMIT
from yue2_desktop.plan.plans import Plan, Planning
from yue2_desktop.plan.sizes import MIB, gib

#: Longest sketch, in seconds, that a processor alone is meant for (memory-and-speed.md, sections 5 and 7).
_PROCESSOR_SECONDS: Final = 30.0


def notices_for(answer: Planning, machine: MachineFacts, demand: SongDemand) -> tuple[str, ...]:
    """All notices for `answer`, the most important first."""
    found: list[str] = []
    gpu, plan = answer.gpu, answer.plan
    if gpu is not None:
        found += _of_card(gpu, machine)
    if plan is not None:
        found += _of_plan(plan, demand)
    if demand.bounded:
        found.append("The length of the text in tokens is an upper bound; the plan can only become smaller.")
    return tuple(found)


def _of_card(gpu: GpuFacts, machine: MachineFacts) -> Iterator[str]:
    if gpu.pretended:
        yield f"This plan is for a pretended card, {gpu.label}, which is not in this machine."
    if gpu.capability is None:
        yield f"The compute capability of {gpu.label} is not known, so whether it has native BF16 is not known either."
    users = [user for user in gpu.users or () if user.used_bytes is None or user.used_bytes > 16 * MIB]
    if users:
        names = ", ".join(f"{user.name or 'a process'} {_size(user.used_bytes)}" for user in users[:4])
        yield f"Other programs use {gpu.label}: {names}."
    if machine.torch is not None and machine.torch.attention is not None:
        name = choose_attention(machine.torch.attention)
        if name is not None and name != FUSED[0]:
            version = machine.torch.version
            yield f"Attention runs on the {name} kernel, since {FUSED[0]} does not work with torch {version}."
    advice = None if gpu.vendor != "nvidia" or machine.torch is None else driver_advice(gpu.driver)
    if advice is not None:
        yield advice.sentence


def _of_plan(plan: Plan, demand: SongDemand) -> Iterator[str]:
    yield from plan.host.warnings
    candidate = plan.candidate
    if candidate.ar.to_make:
        name = candidate.ar.format.name
        yield (
            f"AR in {candidate.ar.format.label} is made of the checkpoint each time it is loaded; a file that is made "
            f"once loads faster: yue2-desktop convert --to {name} --nar bf16."
        )
    if demand.guided:
        yield (
            f"Guidance {demand.guidance:g} runs a second branch: the semantic stage takes twice the work and "
            "a second KV cache."
        )
    if demand.ode_method == "ab2":
        yield f"Adams-Bashforth steps: {published.AB2_COST.text} ({published.AB2_COST.source})."
    if candidate.nar.format.rank > NAR_RANK_LIMIT:
        yield f"NAR in {candidate.nar.format.label}: {published.NAR_4BIT.text}; the BF16 checkpoint sounds better."
    if plan.stage("semantic").kernel == "dequantise":
        yield (
            f"{candidate.ar.format.label} has no fast kernel: its weights are unpacked at every token, "
            "several times slower than Q8_0 or Q4_0."
        )
    if candidate.nar_device == "cpu" and demand.seconds > _PROCESSOR_SECONDS:
        yield (
            f"A processor alone is for sketches of up to {_PROCESSOR_SECONDS:.0f} s; "
            f"up to {demand.seconds:.0f} s may take hours, and a card with 4 GB or more is what it needs."
        )


def _size(used: int | None) -> str:
    return "(size unknown)" if used is None else gib(used)
