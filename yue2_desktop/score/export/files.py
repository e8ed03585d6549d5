"""Writes a score to a file as its ending says: MIDI, MusicXML, MEI, ABC, or pages as PDF, SVG and PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from yue2_desktop.score.engraving.mei import mei
from yue2_desktop.score.engraving.sheet import require_bars, sheet
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.parser import Parsed
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

#: The endings that a score can be written with.
SUFFIXES: Final = (".mid", ".musicxml", ".mei", ".abc", ".pdf", ".svg", ".png")
_PAGES: Final = frozenset({".pdf", ".svg", ".png"})


def export_file(parsed: Parsed, path: Path, *, title: str = "", lyrics: str = "") -> tuple[Path, ...]:
    """Write the score to `path`; several pages as SVG or PNG get a number before the ending. Returns what was written.

    A file of that name is replaced; numbered ones beside it are not. Raises Problem(BAD_SCORE) for a text without
    bars, BAD_REQUEST for another ending, OUTPUT_EXISTS for numbered pages, and those of writing.
    """
    require_bars(parsed)
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{path_text(path)} must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}.",
            path=path_text(path),
        )
    contents = _pages(parsed, kind, title) if kind in _PAGES else (_document(parsed, kind, title, lyrics),)
    names = (path,) if len(contents) == 1 else _numbered(path, len(contents))
    for name in names if len(names) > 1 else ():
        if name.exists():
            raise Problem(
                ProblemKind.OUTPUT_EXISTS,
                f"{path_text(name)} is there already; choose another name.",
                path=path_text(name),
            )
    for name, content in zip(names, contents, strict=True):
        write_bytes(name, content)
    return names


def _document(parsed: Parsed, kind: str, title: str, lyrics: str) -> bytes:
    if kind == ".mid":
        from yue2_desktop.score.export.midi import midi_bytes

        return midi_bytes(parsed.score)
    if kind == ".mei":
        return mei(parsed.score, exchange=True).encode("utf-8")
    if kind == ".abc":
        return parsed.text.encode("utf-8")
    from yue2_desktop.score.export.musicxml import musicxml

    return musicxml(parsed.score, title=title, lyrics=lyrics).encode("utf-8")


def _pages(parsed: Parsed, kind: str, title: str) -> Sequence[bytes]:
    from yue2_desktop.score.export.pdf import pdf_bytes
    from yue2_desktop.score.export.picture import png_files, svg_file

    pages: tuple[Fitted, ...] = sheet(parsed, marked=False)
    if kind == ".pdf":
        return (pdf_bytes(pages, title),)
    if kind == ".png":
        return png_files(pages)
    return tuple(svg_file(page).encode("utf-8") for page in pages)


def _numbered(path: Path, count: int) -> tuple[Path, ...]:
    digits = len(str(count))
    return tuple(path.with_name(f"{path.stem}-{at:0{digits}}{path.suffix}") for at in range(1, count + 1))
