"""What earlier probes on a card mean for a plan, read without torch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from yue2_desktop.engine.cuda.verdicts import VerdictStore, machine_key, verdict_file, verdict_name
from yue2_desktop.plan.attention import FUSED
from yue2_desktop.plan.facts import GpuFacts, MachineFacts


def with_known_attention(machine: MachineFacts, gpu: GpuFacts | None, file: Path | None = None) -> MachineFacts:
    """The machine with the fused attention kernels that the engine found to work on `gpu` in bfloat16.

    As it is where nothing was probed yet, or the card is a pretended one.
    """
    if machine.torch is None or gpu is None or gpu.name is None or gpu.pretended:
        return machine
    key = machine_key(gpu.name, gpu.driver, machine.torch.version, machine.torch.cuda)
    store = VerdictStore(verdict_file() if file is None else file, key)
    verdicts = {name: store.get(verdict_name(f"attention-{name}", "bfloat16")) for name in FUSED}
    if not any(verdicts.values()):
        return machine
    accepted = tuple(name for name, verdict in verdicts.items() if verdict is not None and verdict.ok)
    return replace(machine, torch=replace(machine.torch, attention=accepted))
