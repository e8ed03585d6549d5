"""The options that force a plan: declared once for `render` and `fit`, read into the planner's values."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from yue2_desktop import paths
from yue2_desktop.cli.options import whole_number
from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.options import AR_PRECISIONS, Options, options_from
from yue2_desktop.plan.pretend import PRESETS, parse_pretend
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_settings import FINAL_STEPS, MAX_STEPS, MODES, RESIDENCIES

_METHODS: Final = ("midpoint", "ab2")


@dataclass(frozen=True)
class PlanChoices:
    """What the command line forces, and the solver's steps and method."""

    options: Options
    ode_steps: int
    ode_method: str


def add_plan_options(parser: argparse.ArgumentParser) -> None:
    """--mode, --ar-precision, --nar-residency, --ode-steps, --ode-method and --vae-core."""
    group = parser.add_argument_group("sound, memory and time")
    group.add_argument(
        "--mode",
        choices=MODES,
        default="auto",
        help="how the weights are kept: auto (the best sound that fits, the default), bf16 (both halves stay on the "
        "card), offload-ar (each half only while it is needed: the same sound, less memory), fp8, gguf",
    )
    group.add_argument(
        "--ar-precision",
        metavar="TYPE",
        default="auto",
        help=f"weights of the half that writes tokens: {', '.join(AR_PRECISIONS[:5])}, q4_0, ... (default auto)",
    )
    group.add_argument(
        "--nar-residency",
        choices=RESIDENCIES,
        default="auto",
        help="keep the half that makes the sound on the card, or stream it layer by layer (the same sound)",
    )
    group.add_argument(
        "--ode-steps",
        metavar="N",
        help=f"steps of the sound, 1 to {MAX_STEPS} (default {FINAL_STEPS}; 16 is a sketch, 8 a draft)",
    )
    group.add_argument(
        "--ode-method", choices=_METHODS, help="how a step is taken (default midpoint; ab2 takes half the time a step)"
    )
    group.add_argument("--vae-core", metavar="N", help="frames of audio decoded at a time (default auto: what fits)")


def add_pretend_option(parser: argparse.ArgumentParser) -> None:
    """--pretend-gpu."""
    parser.add_argument(
        "--pretend-gpu",
        metavar="CARD",
        help=f'plan for another card: {", ".join(PRESETS)} or "NAME,MEMORY,CAPABILITY", such as '
        '"RTX 3050 Laptop,6144MiB,8.6"',
    )


def plan_choices(args: argparse.Namespace, dtype: str | None = None) -> PlanChoices:
    """The choices as values. Raises Problem(BAD_REQUEST) that names the option and what it takes."""
    options = options_from(
        mode=args.mode,
        ar_precision=args.ar_precision,
        nar_residency=args.nar_residency,
        vae_core="auto" if args.vae_core is None else args.vae_core,
    )
    steps = FINAL_STEPS
    if args.ode_steps is not None:
        steps = whole_number("--ode-steps", args.ode_steps, least=1, most=MAX_STEPS)
    return PlanChoices(replace(options, float32=dtype == "float32"), steps, args.ode_method or "midpoint")


def pretended_card(args: argparse.Namespace) -> GpuFacts | None:
    """The card of --pretend-gpu. Raises Problem(BAD_REQUEST) that shows how one is written, or for another --device."""
    if args.pretend_gpu is None:
        return None
    card = parse_pretend(args.pretend_gpu)
    device = getattr(args, "device", None)
    if device not in {None, "auto", "cuda", "cuda:0"}:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"--pretend-gpu plans for a card that is pretended, and --device {device} for something else. "
            "Leave one of them out.",
        )
    return card


def calibration_file() -> Path:
    """Where this machine's measurements are kept."""
    return paths.cache_folder() / "calibration.json"


def options_for(options: Options, dtype: str, vae_core: int | None) -> Options:
    """The planner's options with what --dtype and --vae-core ask for.

    float32 computes in it throughout; bfloat16 keeps the checkpoint's numbers in both halves; auto leaves it open.
    """
    if vae_core is not None:
        options = replace(options, vae_core=vae_core)
    if dtype == "float32":
        return replace(options, float32=True)
    if dtype == "bfloat16" and options.ar_precision == "auto" and options.mode == "auto":
        return replace(options, ar_precision="bf16")
    return options
