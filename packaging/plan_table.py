"""Prints the README's table "which card, which plan, what to expect", and renews the golden table of peaks.

python packaging/plan_table.py                      the table in Markdown
python packaging/plan_table.py --measured FILE      with measurements: JSON, preset ("6GB") to a few words
python packaging/plan_table.py --peaks FILE         writes predicted peaks by preset, seconds and stage
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from yue2_desktop.plan.table import predicted_peaks, readme_table
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.textfile import read_json


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Which card, which plan, what to expect: made from the planner.")
    parser.add_argument("--measured", type=Path, help="JSON file: preset to what was measured, in a few words")
    parser.add_argument("--peaks", type=Path, help="write the golden table of predicted peaks to this file")
    args = parser.parse_args(arguments)
    try:
        measured = _measured(args.measured)
    except Problem as problem:
        print(problem.sentence, file=sys.stderr)
        return 2
    if args.peaks is not None:
        args.peaks.write_text(json.dumps(predicted_peaks(), indent=1) + "\n", encoding="utf-8")
        return 0
    # The words of a measurement may be of any script, the code page of a pipe may not hold them.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(readme_table(measured), end="")
    return 0


def _measured(path: Path | None) -> dict[str, str]:
    found = {} if path is None else read_json(path, "measurements")
    if not isinstance(found, dict):
        return {}
    return {str(preset): str(words) for preset, words in found.items()}


if __name__ == "__main__":
    sys.exit(main())
