"""The processor by name: what verdicts on its products hold for."""

from __future__ import annotations

import os
import platform

import torch

from yue2_desktop.engine.cuda.verdicts import VerdictStore, machine_key, verdict_file


def processor_verdicts() -> VerdictStore:
    """The verdicts of this processor and torch build, kept beside those of cards."""
    processor = f"{platform.machine()} {torch.backends.cpu.get_cpu_capability()} {os.cpu_count()} cores"
    return VerdictStore(verdict_file(), machine_key(processor, None, torch.__version__, None))
