"""Everything that only a graphics card can tell, in under 3 minutes and one table: probes, memory, speed.

python packaging/gpu_check.py                   on the first CUDA device, whole
python packaging/gpu_check.py --cap-gib 6       as if the card had 6 GiB
python packaging/gpu_check.py --dry-run-on-cpu  a tiny model on the processor: that every line of this check runs

Random weights of the released size go through the true pipeline; nothing is downloaded, nothing is kept. The exit
status is 0 when all is well, 1 when a row is off, 3 when there is no card to check.
"""

from __future__ import annotations

import argparse
import io
import logging
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gpu_table import Row, faults, table

from yue2_desktop.engine.cuda.environment import prepare_allocator

NO_CARD = 3


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--cap-gib", type=float, metavar="N", help="cap memory as if the card had N GiB")
    parser.add_argument("--dry-run-on-cpu", action="store_true", help="a tiny model on the processor, without a card")
    asked = parser.parse_args(arguments)
    if asked.cap_gib is not None and not asked.cap_gib > 1:
        parser.error(f"--cap-gib is {asked.cap_gib:g}; a card of 1 GiB or less holds nothing of the model")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)
    logging.basicConfig(level=logging.WARNING, format="  %(message)s")
    prepare_allocator()
    missing = None if asked.dry_run_on_cpu else what_is_missing()
    if missing is not None:
        print(missing)
        return NO_CARD
    start = time.monotonic()
    with TemporaryDirectory(prefix="gpu-check-") as folder:
        headline, rows = _checked(Path(folder), asked.cap_gib, dry=asked.dry_run_on_cpu)
    seconds = time.monotonic() - start
    print(f"\n{headline}\n\n{table(rows)}\n\n{len(rows)} rows, {faults(rows)} faults, {seconds:.0f} s")
    return 1 if faults(rows) else 0


def what_is_missing() -> str | None:
    """Why there is nothing to check, in one sentence; None where there is a card that will do."""
    import torch

    from yue2_desktop.engine.device import BF16_CAPABILITY

    if not torch.cuda.is_available():
        why = "was built without CUDA" if torch.version.cuda is None else "finds no CUDA device"
        return (
            f"There is no graphics card to check: torch {torch.__version__} {why}; "
            "run this on a machine with an NVIDIA card, or with --dry-run-on-cpu."
        )
    if torch.cuda.get_device_capability(0) < BF16_CAPABILITY:
        return f"{torch.cuda.get_device_name(0)} has no bfloat16 arithmetic: a card of the RTX 30 series or later has."
    return None


def _checked(folder: Path, cap_gib: float | None, *, dry: bool) -> tuple[str, list[Row]]:
    """What was checked, in words, and the rows; each is printed as it is found."""
    import gpu_rows
    import gpu_setting
    import torch

    from yue2_desktop.engine.cuda.memory import cap_allocator
    from yue2_desktop.engine.device import configure_torch
    from yue2_desktop.plan.sizes import GIB, gib

    configure_torch(1 if dry else None)
    rows: list[Row] = []
    with torch.inference_mode():
        setting = gpu_setting.dry(folder) if dry else gpu_setting.on_card(folder)
        limit = cap_allocator(setting.bench.device.device, None if cap_gib is None else round(cap_gib * GIB))
        headline = setting.headline
        if cap_gib is not None and limit is not None:
            headline += f"; capped as a card of {cap_gib:g} GiB: {gib(limit)} for tensors"
        print(headline)
        for found in (gpu_rows.probe_rows(setting), gpu_rows.stage_rows(setting, limit)):
            for row in found:
                print(f"{row.what}: {row.found} ({row.state})")
                rows.append(row)
    return headline, rows


if __name__ == "__main__":
    sys.exit(main())
