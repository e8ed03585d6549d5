"""Pages as SVG files for other programs, and as PNG pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdfium2

from yue2_desktop.score.engraving.fonts import TEXT_FONT
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.export.pdf import pdf_bytes
from yue2_desktop.song.errors import Problem, ProblemKind

#: More pixels than this a page are no picture any more (A4 at 600 dpi has 35 million).
_MOST_PIXELS = 80_000_000


def svg_file(page: Fitted) -> str:
    """Return a page as an SVG file; where Liberation Serif is not installed, Times of the same widths is taken."""
    families = f'font-family="{TEXT_FONT}, Times New Roman, Times, serif"'
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + page.svg.replace(f'font-family="{TEXT_FONT}"', families) + "\n"


def png_files(pages: Sequence[Fitted], dpi: float = 150.0, paper: str = "#ffffff") -> tuple[bytes, ...]:
    """Return each page as a PNG file on a `paper` colour; raises Problem(BAD_REQUEST) for pictures without measure."""
    for page in pages:
        if not 10 <= dpi <= 2400 or page.width * page.height * (dpi / 2540) ** 2 > _MOST_PIXELS:
            raise Problem(
                ProblemKind.BAD_REQUEST,
                f"A picture of this page at {dpi:g} dpi is too large or too small; give 10 to 600 dpi.",
                dpi=dpi,
            )
    document = pypdfium2.PdfDocument(pdf_bytes(pages))
    try:
        colour = tuple(int(paper[at : at + 2], 16) for at in (1, 3, 5))
        found = []
        for at in range(len(document)):
            bitmap = document[at].render(scale=dpi / 72, fill_color=(*colour, 255))
            buffer = io.BytesIO()
            bitmap.to_pil().save(buffer, format="PNG", optimize=False)
            found.append(buffer.getvalue())
        return tuple(found)
    finally:
        document.close()
