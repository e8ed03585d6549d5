"""Writes tests/goldens/memory_peaks.json anew: `python tests/engine/meter/write_peaks.py`.

Do so after a change that is meant to take more (or less) memory, and look at the difference before it is committed:
every line of it is memory of somebody's card.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]


def main() -> int:
    """Measures and writes."""
    from metering.table import GOLDEN, measure

    GOLDEN.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    print(f"written: {GOLDEN}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
