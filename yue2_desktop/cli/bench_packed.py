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

    from yue2_desktop.engine.bench.packed import measure_evaluation

    for weights in [args.weights] if args.weights else _EVALUATIONS:
        found = measure_evaluation(weights, args.layers, args.context, args.frames)
        best, typical = found[0], found[len(found) // 2]
        threads = torch.get_num_threads()
        if args.json:
            row = {"weights": weights, "evaluation": best, "typical": typical, "frames": args.frames}
            print(json.dumps({**row, "threads": threads}), flush=True)
        else:
            took = f"{best:7.2f} s an evaluation (typically {typical:.2f})"
            print(f"{weights:<12} velocity of {args.frames} frames {took}   {threads} threads", flush=True)


def _line(times: TokenTimes, threads: int) -> str:
    return (
        f"{times.weights:<12} attention by {times.attention:<8} {times.best * 1e3:7.1f} ms a token (typically "
        f"{times.typical * 1e3:.1f}; linear maps {times.linears * 1e3:.1f})   {times.over_floor:5.2f} x the floor of "
        f"{times.floor * 1e3:.1f} ms at {times.bandwidth / 1e9:.1f} GB/s   {threads} threads"
    )
