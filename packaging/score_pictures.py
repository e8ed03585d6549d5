"""Makes the pictures of scores that people look at before a release: `python packaging/score_pictures.py`.

They are drawn by Qt as the window draws them, and once through PDF as files are; both go to `build/score-pictures`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from yue2_desktop.score.engraving.engrave import Layout  # noqa: E402 - the checkout's own package, installed or not
from yue2_desktop.score.engraving.sheet import sheet  # noqa: E402
from yue2_desktop.score.engraving.svg_fit import Fitted  # noqa: E402
from yue2_desktop.score.engraving.tint import DARK, LIGHT, Palette  # noqa: E402
from yue2_desktop.score.engraving.truetype import FACES, font_file  # noqa: E402
from yue2_desktop.score.export.picture import png_files  # noqa: E402
from yue2_desktop.score.parser import parse  # noqa: E402

SCORES = ROOT / "tests" / "scores"
OUTPUT = ROOT / "build" / "score-pictures"
#: Name, score, page, palette, dots an inch (96 is 100 %), layout.
PICTURES: tuple[tuple[str, str, int, Palette, float, Layout], ...] = (
    ("05-changes", "05_full_changes", 0, LIGHT, 144, Layout(height=130)),
    ("10-long-page-1", "10_full_long_104bars", 0, LIGHT, 120, Layout()),
    ("10-long-last-page", "10_full_long_104bars", -1, LIGHT, 120, Layout()),
    ("20-errors", "20_bad_barlen", 0, LIGHT, 144, Layout(height=200)),
    ("27-missing-bars", "27_bad_barcount_mismatch", 0, LIGHT, 120, Layout(height=200)),
    ("dark", "03_full_waltz_Gm", 0, DARK, 144, Layout(height=120)),
    ("dark-errors", "20_bad_barlen", 0, DARK, 120, Layout(height=200)),
    ("200-percent", "06_full_tuplets", 0, LIGHT, 192, Layout(height=100)),
    ("07-extremes", "07_full_extremes_Dsm", 0, LIGHT, 144, Layout(height=90)),
    ("narrow", "01_full_twinkle", 0, LIGHT, 144, Layout(width=110, height=200)),
)


def main() -> int:
    """Write all pictures; the exit status."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    draw = _qt()
    for name, score, at, palette, dpi, layout in PICTURES:
        text = (SCORES / f"{score}.abc").read_text(encoding="utf-8")
        page = sheet(parse(text), layout, palette)[at]
        if draw is not None:
            draw(page, dpi, OUTPUT / f"{name}.png")
        (OUTPUT / f"{name}-pdf.png").write_bytes(png_files([page], dpi, palette.paper)[0])
        print(OUTPUT / f"{name}.png")
    return 0


def _qt() -> Any:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from PySide6.QtCore import QByteArray
        from PySide6.QtGui import QFontDatabase, QGuiApplication, QImage, QPainter
        from PySide6.QtSvg import QSvgRenderer
    except ImportError:
        print("PySide6 is not installed: only the pictures through PDF are made.", file=sys.stderr)
        return None
    application = QGuiApplication.instance() or QGuiApplication([])
    for bold, italic in FACES:
        QFontDatabase.addApplicationFont(str(font_file(bold=bold, italic=italic)))

    def draw(page: Fitted, dpi: float, path: Path) -> None:
        assert application is not None
        image = QImage(round(page.width * dpi / 2540), round(page.height * dpi / 2540), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        QSvgRenderer(QByteArray(page.svg.encode("utf-8"))).render(painter)
        painter.end()
        image.save(str(path))

    return draw


if __name__ == "__main__":
    sys.exit(main())
