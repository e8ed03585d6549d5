"""`yue2-desktop bench packed`: a token with packed weights on this processor, by each way of attention."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from yue2_desktop.engine.bench.packed import TokenTimes

#: What is measured without --weights: 4-bit, 8-bit and 16-bit weights, each in its fastest product.
_USUAL: Final = ("q4_0", "w8a8", "packed-fp16")
CHOICES: Final = ("q4_0", "q4_k", "q8_0", "w8a8", "packed-fp16", "bf16")


def run(args: argparse.Namespace) -> int:
    """Measures and prints, a line for each kind of weights and each way of attention; the exit status."""
    import torch

    from yue2_desktop.engine.bench.packed import measure_token
    from yue2_desktop.engine.device import configure_torch

    configure_torch(args.threads)
    with torch.inference_mode():
        for weights in [args.weights] if args.weights else _USUAL:
            for row_sums in (True, False):
                times = measure_token(weights, args.layers, args.context, args.tokens, row_sums=row_sums)
                threads = torch.get_num_threads()
                if args.json:
                    found = {**asdict(times), "floor": times.floor, "over_floor": times.over_floor, "threads": threads}
                    print(json.dumps(found), flush=True)
                else:
                    print(_line(times, threads), flush=True)
    return 0


def _line(times: TokenTimes, threads: int) -> str:
    return (
        f"{times.weights:<12} attention by {times.attention:<8} {times.best * 1e3:7.1f} ms a token (typically "
        f"{times.typical * 1e3:.1f}; linear maps {times.linears * 1e3:.1f})   {times.over_floor:5.2f} x the floor of "
        f"{times.floor * 1e3:.1f} ms at {times.bandwidth / 1e9:.1f} GB/s   {threads} threads"
    )
