"""What `yue2-desktop score` writes: pages, exports, imported scores and preview sound, each in one step."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.score.engraving.engrave import Layout
from yue2_desktop.score.engraving.mei import mei
from yue2_desktop.score.engraving.sheet import require_bars, sheet
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.engraving.tint import DARK, LIGHT, Palette
from yue2_desktop.score.normalise import normalise
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.scorefile import read_score
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.textfile import read_utf8
from yue2_desktop.song.wording import path_text

_PAGES = (".pdf", ".svg", ".png")
_EXPORTS = (".mid", ".midi", ".musicxml", ".xml", ".mei", ".abc", *_PAGES)


@dataclass(frozen=True)
class Done:
    """What was written, what is to be said about it, and the text where it goes to standard output."""

    files: tuple[Path, ...]
    sentences: tuple[str, ...]
    text: str | None = None

    def to_json(self) -> dict[str, object]:
        """The same as JSON's values."""
        made: dict[str, object] = {"event": "result", "files": [path_text(one) for one in self.files]}
        made["notes"] = list(self.sentences)
        if self.text is not None:
            made["text"] = self.text
        return made


def show(args: argparse.Namespace) -> Done:
    """Draw a score; raises Problem for options and files that cannot be used."""
    require_new(args.output, overwrite=args.overwrite, endings=_PAGES)
    parsed = _read(args.file)
    try:
        layout = Layout(args.width, args.height, staff=args.zoom)
        layout.options()
    except ValueError as error:
        raise Problem(ProblemKind.BAD_REQUEST, f"The page cannot be laid out so: {error}.") from error
    palette = DARK if args.dark else LIGHT
    pages = sheet(parsed, layout, palette, marked=not args.plain)
    return _written_pages(args.output, parsed, pages, palette, overwrite=args.overwrite, dpi=args.dpi)


def export(args: argparse.Namespace) -> Done:
    """Write a score as the output's ending says."""
    require_new(args.output, overwrite=args.overwrite, endings=_EXPORTS)
    parsed = _read(args.file)
    kind = args.output.suffix.lower()
    if kind in _PAGES:
        pages = sheet(parsed, marked=False)
        return _written_pages(args.output, parsed, pages, LIGHT, overwrite=args.overwrite, title=args.title)
    require_bars(parsed)
    lyrics = read_utf8(args.lyrics_file, "lyrics file") if args.lyrics_file is not None else ""
    write_bytes(args.output, _exported(parsed, kind, args.title, lyrics, args.language))
    return Done((args.output,), (*_errors(parsed), f"Written to {path_text(args.output)}."))


def import_score(args: argparse.Namespace) -> Done:
    """Make a score of a foreign file, and say what was changed."""
    from yue2_desktop.score.importing.files import import_file

    if args.output is not None:
        require_new(args.output, overwrite=args.overwrite, endings=(".abc", ".txt"))
    imported = import_file(args.file, args.part)
    warnings = [one.sentence for one in parse(imported.text).diagnostics]
    sentences = (*imported.changes, *(f"To be looked at: {one}" for one in warnings[:5]))
    if args.output is None:
        return Done((), sentences, imported.text)
    write_bytes(args.output, imported.text.encode("utf-8"))
    return Done((args.output,), (*sentences, f"Written to {path_text(args.output)}."))


def preview(args: argparse.Namespace) -> Done:
    """Play a score into a sound file."""
    import numpy as np

    from yue2_desktop.library.audio_file import require_audio_name, write_audio
    from yue2_desktop.score.preview.synth import Mix
    from yue2_desktop.score.preview.synth import preview as preview_of
    from yue2_desktop.score.preview.tones import RATE

    require_audio_name(args.output)
    require_new(args.output, overwrite=args.overwrite, endings=(".wav", ".flac"))
    parsed = _read(args.file)
    require_bars(parsed)
    try:
        mix = Mix(args.vocal, args.ins, args.chords, args.click)
    except ValueError as error:
        raise Problem(ProblemKind.BAD_REQUEST, "A loudness is a number from 0 (silent) to 1.") from error
    sound = preview_of(parsed.score)
    samples = np.empty((sound.length, 2), dtype=np.float32)
    at = 0
    for block in sound.blocks(0, RATE, mix):  # by the second, since a whole song at once needs twice its memory
        samples[at : at + len(block)] = block
        at += len(block)
    write_audio(args.output, samples)
    return Done((args.output,), (*_errors(parsed), f"Written to {path_text(args.output)}."))


def require_new(output: Path, *, overwrite: bool, endings: Sequence[str]) -> None:
    """Raise a Problem for an output whose ending is another, or that is there already."""
    if output.suffix.lower() not in endings:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{path_text(output)} must end in {', '.join(endings[:-1])} or {endings[-1]}.",
            path=path_text(output),
        )
    if output.exists() and not overwrite:
        raise Problem(
            ProblemKind.OUTPUT_EXISTS,
            f"{path_text(output)} is there already; choose another name or give --overwrite.",
            path=path_text(output),
        )


def _read(path: Path) -> Parsed:
    return parse(normalise(read_score(path)).text)


def _errors(parsed: Parsed) -> tuple[str, ...]:
    count = len(parsed.errors)
    if not count:
        return ()
    errors = f"{count} error{'s' if count > 1 else ''}"
    return (f"The score has {errors}; what was understood is there. 'yue2-desktop score check' shows them.",)


def _exported(parsed: Parsed, kind: str, title: str, lyrics: str, language: str | None) -> bytes:
    if kind in {".mid", ".midi"}:
        from yue2_desktop.score.export.midi import midi_bytes

        return midi_bytes(parsed.score)
    if kind == ".mei":
        return mei(parsed.score, exchange=True).encode("utf-8")
    if kind == ".abc":
        from yue2_desktop.score.export.abc import plain_abc

        return plain_abc(parsed.score, title).encode("utf-8")
    from yue2_desktop.score.export.musicxml import musicxml

    return musicxml(parsed.score, title=title, lyrics=lyrics, language=language).encode("utf-8")


def _written_pages(
    output: Path,
    parsed: Parsed,
    pages: Sequence[Fitted],
    palette: Palette,
    *,
    overwrite: bool,
    title: str = "",
    dpi: float = 150.0,
) -> Done:
    from yue2_desktop.score.export.pdf import pdf_bytes, without_glyph
    from yue2_desktop.score.export.picture import png_files, svg_file

    kind = output.suffix.lower()
    if kind == ".pdf":
        contents = [pdf_bytes(pages, title)]
    elif kind == ".png":
        contents = list(png_files(pages, dpi, palette.paper))
    else:
        contents = [svg_file(page).encode("utf-8") for page in pages]
    names = [output] if len(contents) == 1 else _numbered(output, len(contents))
    for name in names:
        require_new(name, overwrite=overwrite, endings=_PAGES)
    for name, content in zip(names, contents, strict=True):
        write_bytes(name, content)
    sentences = list(_errors(parsed))
    missing = without_glyph(pages) if kind != ".svg" else ""
    if missing:
        sentences.append(f"The font has no signs for these, which are left blank: {missing}")
    where = path_text(names[0]) if len(names) == 1 else f"{path_text(names[0])} to {path_text(names[-1])}"
    return Done(tuple(names), (*sentences, f"Written to {where}."))


def _numbered(output: Path, count: int) -> list[Path]:
    digits = len(str(count))
    return [output.with_name(f"{output.stem}-{at:0{digits}}{output.suffix}") for at in range(1, count + 1)]
