"""Why a plan was chosen or refused, in one sentence made from the plan's own numbers."""

from __future__ import annotations

from yue2_desktop.plan import published
from yue2_desktop.plan.assess import Assessment, Setting
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.formats import FP8_CAPABILITY
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.plans import Plan
from yue2_desktop.plan.shape import ModelShape
from yue2_desktop.plan.sizes import gib
from yue2_desktop.plan.weights import CONVERTIBLE, Inventory
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.render_settings import Mode


def chosen_reason(chosen: Assessment, better: Assessment | None, setting: Setting) -> str:
    """What the plan is, what it needs of what is free, and what stood in the way of a `better` one."""
    plan = chosen.plan
    if plan.card_bytes and setting.free_bytes is not None:
        need = f"needs {gib(plan.card_bytes)} of the {gib(setting.free_bytes)} free on the card"
    elif plan.card_bytes:
        need = f"needs {gib(plan.card_bytes)} free on the card"
    else:
        need = f"takes {gib(plan.host.ram_bytes)} of main memory ({published.CPU_SKETCH.text})"
    return _sentence(f"{plan.candidate.label}: {need}" + ("" if better is None else f"; {passed_clause(better)}"))


def mode_clause(mode: Mode, plan: Plan) -> str:
    """The mode that leads to a plan, and what the plan is."""
    return f"mode {mode} ({plan.candidate.label})"


def short_reason(least: Assessment, nearest: str | None, longest: int, setting: Setting) -> str:
    """Why nothing that was asked for can run, and what would: another mode, a shorter song, or more memory.

    `least` is what comes closest, `nearest` the `mode_clause` of the best plan that fits where nothing is forced,
    `longest` the frames of the longest song that fits as asked (0 where none does).
    """
    if least.disk_only:  # no plan is any better, so none is named
        return _sentence(f"Too little room on the disk: {least.obstacle}")
    asked = asked_for(setting.options)
    what = f"{asked} does not fit" if asked else "Nothing fits"
    cures = []
    if nearest is not None:
        cures.append(f"{nearest} does")
    if longest:
        cures.append(f"a song of up to {longest // FRAMES_PER_SECOND} s would")
    tightest, free = least.plan.tightest, setting.free_bytes
    if not cures and tightest is not None and free is not None and tightest.needed_bytes > free:
        cures.append(f"it needs a card with {gib(tightest.needed_bytes)} free")
    return _sentence(f"{what}: {obstacle_clause(least)}" + (f"; {', or '.join(cures)}" if cures else ""))


def obstacle_clause(found: Assessment) -> str:
    """The plan and what stands in its way."""
    return f"{found.plan.candidate.label}: {found.obstacle}"


def passed_clause(found: Assessment) -> str:
    """The plan that would have been better, and why it was passed over."""
    return f"{found.plan.candidate.label} was passed over, since {found.obstacle}"


def fp8_reason(gpu: GpuFacts) -> str:
    """Why FP8 is never chosen unasked (user-reports.md, row 7)."""
    if gpu.capability is not None and gpu.capability < FP8_CAPABILITY:
        return f"FP8 needs compute capability 8.9 and {gpu.label} has {gpu.capability[0]}.{gpu.capability[1]}."
    return f"FP8 is only taken when asked for: {published.FP8_COST.text}; it makes a different take."


def unable_reason(setting: Setting, inventory: Inventory, nearest: str | None) -> str:
    """Why no plan at all answers the forced choices; `nearest` as for `short_reason`."""
    options = setting.options
    on_processor = setting.gpu is None or options.device == "cpu"
    if options.device == "cuda" and setting.gpu is None:
        why = "there is no graphics card"
    elif options.mode == "bf16" and options.nar_residency == "streamed":
        why = "bf16 keeps both halves on the card, and a streamed NAR belongs to offload-ar"
    elif on_processor and "fp8" in {options.mode, options.ar_precision}:
        why = "FP8 needs a graphics card of compute capability 8.9"
    elif on_processor and options.nar_residency == "streamed":
        why = "only a graphics card is streamed to, and the processor has all of main memory"
    elif options.ar_precision == "int8" and not on_processor:
        why = "W8A8 is a kernel of the processor, which --device cpu takes"
    elif options.ar_precision == "f32" and not options.float32:
        why = "float32 is asked for with --dtype float32"
    elif options.mode == "auto" and options.ar_precision not in {"auto", *_made(inventory)}:
        why = f"no model file with AR {options.ar_precision} is here"
    elif not inventory.checkpoint:
        why = "it needs the BF16 checkpoint (7.3 GB), which is not here"
    else:
        why = "these choices exclude each other"
    cure = "" if nearest is None else f"; {nearest} can"
    return _sentence(f"{asked_for(options) or 'this'} cannot run: {why}{cure}")


def _made(inventory: Inventory) -> set[str]:
    """The precisions of AR that the files at hand have, or that are made of the checkpoint while it is read."""
    return {"bf16", "f32", "int8", "fp8", *CONVERTIBLE, *(part.format.name for part in inventory.quantised_ar())}


def missing_reason() -> str:
    """There are no weights at all."""
    return "There are no model weights to render with; fetch or import the model first."


def overflow_reason(demand: SongDemand, too_many: int, shape: ModelShape) -> str:
    """Words, score and ceiling exceed the model's context; names the longest song that fits."""
    prefix = demand.prefix - (demand.abc_ceiling if demand.writes_score else 0)
    longest = max(0, shape.context - prefix) // FRAMES_PER_SECOND
    cure = f"the longest song that fits is {longest} s" if longest else "shorten the lyrics or the score"
    return f"Words, score and song are {too_many:,} tokens more than the {shape.context:,} of the model; {cure}."


def guess_reason(reason: str, gpu: GpuFacts | None) -> str:
    """`reason`, with what could not be read before it."""
    what = "whether there is a graphics card" if gpu is None else f"how much memory of {gpu.label} is free"
    return f"It could not be read {what}, so this is a guess. {reason}"


def asked_for(options: Options) -> str:
    """The forced choices in words, empty where nothing is forced."""
    asked = [f"mode {options.mode}"] if options.mode != "auto" else []
    asked += [f"AR {options.ar_precision}"] if options.ar_precision != "auto" else []
    asked += [f"NAR {options.nar_residency}"] if options.nar_residency != "auto" else []
    asked += ["float32"] if options.float32 else []
    return ", ".join(asked)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
