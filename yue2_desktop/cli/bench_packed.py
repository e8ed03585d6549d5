"""`yue2-desktop bench packed`: a token and an evaluation of the velocity with packed weights on this processor."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from yue2_desktop.engine.bench.packed import TokenTimes

#: What is measured without --weights: 4-bit, 8-bit and 16-bit weights, each in its fastest product.
_TOKENS: Final = ("q4_0", "w8a8", "packed-fp16")
_EVALUATIONS: Final = ("w8a8", "bf16")
CHOICES: Final = ("q4_0", "q4_k", "q8_0", "w8a8", "packed-fp16", "bf16")


def run(args: argparse.Namespace) -> int:
    """Measures and prints, a line for each kind of weights and each way of attention; the exit status."""
    import torch

    from yue2_desktop.engine.device import configure_torch

    configure_torch(args.threads)
    with torch.inference_mode():
        if args.part in {None, "decode"}:
            _measure_tokens(args)
        if args.part in {None, "velocity"}:
            _measure_evaluations(args)
    return 0


def _measure_tokens(args: argparse.Namespace) -> None:
    import torch

    from yue2_desktop.engine.bench.packed import measure_token

    for weights in [args.weights] if args.weights else _TOKENS:
        for row_sums in (True, False):
            times = measure_token(weights, args.layers, args.context, args.tokens, row_sums=row_sums)
            threads = torch.get_num_threads()
            if args.json:
                found = {**asdict(times), "floor": times.floor, "over_floor": times.over_floor, "threads": threads}
                print(json.dumps(found), flush=True)
            else:
                print(_line(times, threads), flush=True)


def _measure_evaluations(args: argparse.Namespace) -> None:
    import torch

    from yue2_desktop.engine.bench.packed import measure_evaluations

    for weights in [args.weights] if args.weights else _EVALUATIONS:
        found = measure_evaluations(weights, args.layers, args.context, args.frames)
        fused = found[1].best
        threads = torch.get_num_threads()
        for times in found:
            if args.json:
                row = {"weights": weights, "attention": times.attention, "evaluation": times.best}
                row |= {"typical": times.typical, "frames": args.frames, "threads": threads}
                print(json.dumps(row), flush=True)
            else:
                took = f"{times.best:7.2f} s an evaluation (typically {times.typical:.2f})"
                ratio = f"{times.best / fused:5.2f} x the fused kernel's"
                print(
                    f"{weights:<12} attention by {times.attention:<8} {took} of {args.frames} frames   {ratio}   "
                    f"{threads} threads",
                    flush=True,
                )


def _line(times: TokenTimes, threads: int) -> str:
    return (
        f"{times.weights:<12} attention by {times.attention:<8} {times.best * 1e3:7.1f} ms a token (typically "
        f"{times.typical * 1e3:.1f}; linear maps {times.linears * 1e3:.1f})   {times.over_floor:5.2f} x the floor of "
        f"{times.floor * 1e3:.1f} ms at {times.bandwidth / 1e9:.1f} GB/s   {threads} threads"
    )
