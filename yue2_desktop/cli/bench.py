"""`yue2-desktop bench`: how fast the engine is on this machine, as ratios within one run."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from yue2_desktop.cli import bench_packed

if TYPE_CHECKING:
    from yue2_desktop.engine.bench.parts import Measurement

_PARTS = ("decode", "velocity", "audio")
_DTYPES = ("bfloat16", "float32")


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench",
        help="measure speed and memory on random weights of the real size",
        description=(
            "Measures one token, one velocity evaluation and one second of audio on random weights of the released "
            "size, on the CPU. Each figure stands beside a plain path of the same model and beside the floor that "
            "memory bandwidth sets, all measured in the same run. Nothing is downloaded or written."
        ),
    )
    parser.add_argument(
        "what", nargs="?", choices=("model", "packed", "score"), default="model",
        help="what to time: model (default), packed weights on the processor, or the score",
    )  # fmt: skip
    parser.add_argument("--layers", type=int, default=28, metavar="N", help="layers of the model, 1-28 (default 28)")
    parser.add_argument("--frames", type=int, default=500, metavar="N", help="frames, 25 a second (default 500)")
    parser.add_argument("--context", type=int, default=1000, metavar="N", help="tokens before them (default 1000)")
    parser.add_argument("--tokens", type=int, default=8, metavar="N", help="tokens a measurement (default 8)")
    parser.add_argument("--audio-frames", type=int, default=64, metavar="N", help="frames to decode (default 64)")
    parser.add_argument("--vae-core", type=int, default=64, metavar="N", help="frames a tile (default 64)")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all cores)")
    parser.add_argument("--weights", choices=bench_packed.CHOICES, help="measure only these packed weights")
    parser.add_argument("--part", choices=_PARTS, help="measure only this")
    parser.add_argument("--dtype", choices=_DTYPES, help="only this number format (default: both)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs each measurement in a process of its own, so that each has its own peak of memory."""
    if args.what == "score":
        return _score(as_json=args.json)
    if args.what == "packed":
        return bench_packed.run(args)
    if args.part is not None and args.dtype is not None:
        print(json.dumps(_measure(args)), flush=True)
        return 0
    rows = []
    for part in [args.part] if args.part else _PARTS:
        for dtype in [args.dtype] if args.dtype else _DTYPES:
            if part == "audio" and dtype != "float32":
                continue  # the decoder is always fp32
            row = _child(args, part, dtype)
            rows.append(row)
            if args.json:
                print(json.dumps(row), flush=True)
            else:
                print(_line(row), flush=True)
    if not args.json:
        _print_ratios(rows)
    return 0


def _score(*, as_json: bool) -> int:
    from yue2_desktop.score.bench import measure

    for one in measure():
        if as_json:
            print(json.dumps(asdict(one)), flush=True)
        else:
            print(f"{one.name:<28} {one.milliseconds:8.1f} ms   best {one.best:8.1f} ms   limit {one.limit:6.0f} ms")
    return 0


def _child(args: argparse.Namespace, part: str, dtype: str) -> dict[str, Any]:
    command = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "yue2_desktop"]
    command += ["bench", "--part", part, "--dtype", dtype]
    for name in ("layers", "frames", "context", "tokens", "audio_frames", "vae_core"):
        command += [f"--{name.replace('_', '-')}", str(getattr(args, name))]
    if args.threads is not None:
        command += ["--threads", str(args.threads)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")  # noqa: S603 - ourselves
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def _measure(args: argparse.Namespace) -> dict[str, Any]:
    import torch

    from yue2_desktop.engine.bench.parts import measure_audio, measure_decode, measure_velocity
    from yue2_desktop.engine.device import configure_torch

    configure_torch(args.threads)
    dtype = getattr(torch, args.dtype)
    with torch.inference_mode():
        made: Measurement
        if args.part == "decode":
            made = measure_decode(args.layers, dtype, args.context, args.tokens)
        elif args.part == "velocity":
            made = measure_velocity(args.layers, dtype, args.context, args.frames)
        else:
            made = measure_audio(args.audio_frames, args.vae_core)
    return {
        **asdict(made),
        "dtype": args.dtype,
        "speedup_over_plain": made.speedup,
        "times_bandwidth_floor": made.over_floor,
        "layers": args.layers,
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
    }


def _line(row: dict[str, Any]) -> str:
    mib = 1 << 20
    over = (row["peak_bytes"] - row["expected_bytes"]) / mib
    rate = f" ({1 / row['seconds']:.1f} tokens/s)" if row["name"] == "token" else ""
    return (
        f"{row['name']:<20} {row['dtype']:<9} {row['seconds'] * 1e3:9.1f} ms{rate}   "
        f"{row['speedup_over_plain']:5.2f}x the plain path   {row['times_bandwidth_floor']:6.2f} x the floor of "
        f"{row['floor_seconds'] * 1e3:.1f} ms at {row['bandwidth'] / 1e9:.1f} GB/s   "
        f"peak {row['peak_bytes'] / mib:,.0f} MiB ({over:+,.0f} on what must be there)   {row['threads']} threads"
    )


def _print_ratios(rows: list[dict[str, Any]]) -> None:
    for name in dict.fromkeys(row["name"] for row in rows):
        times = {row["dtype"]: row["seconds"] for row in rows if row["name"] == name}
        if len(times) == 2:
            ratio = times["float32"] / times["bfloat16"]
            print(f"{name}: bfloat16 is {ratio:.2f} times as fast as float32")
    print(
        "Velocity and audio are bound by arithmetic, not by bandwidth: their floor says only how far. "
        "All figures are of this machine, now, on random weights."
    )
