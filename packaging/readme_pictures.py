"""The four pictures of the README, out of those of the window: `python packaging/readme_pictures.py`.

`packaging/ui_pictures.py` takes them first. They go into `packaging/pictures`, with a palette, so that they stay small.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from PIL import Image  # comes with reportlab

ROOT: Final = Path(__file__).resolve().parent.parent
#: The picture in the README, and the one that it is made of.
PICTURES: Final = {
    "window.png": "takes-english-light-1x.png",
    "window-rendering.png": "queue-english-dark-1x.png",
    "window-tags.png": "tags-english-light-1x.png",
    "window-score-text.png": "text-english-dark-1x.png",
}
MOST_BYTES: Final = 300_000
_COLOURS: Final = 256


def main() -> int:
    """Makes them; 1 where one is too large."""
    status = 0
    for name, source in PICTURES.items():
        target = ROOT / "packaging" / "pictures" / name
        picture = Image.open(ROOT / "build" / "pictures" / source).convert("RGB")
        # The usual way of choosing colours forgets those that are rare, such as the green of a mark.
        few = picture.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(target, optimize=True)
        size = target.stat().st_size
        print(f"{name}: {size:,} bytes")
        status |= size > MOST_BYTES
    return status


if __name__ == "__main__":
    sys.exit(main())
