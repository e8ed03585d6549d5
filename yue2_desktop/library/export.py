"""Exporting the sound of a take: another format, trimmed if wanted, with tags; written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.library.audio_file import Audio, audio_blocks, audio_format
from yue2_desktop.library.describe import is_take
from yue2_desktop.library.dither import Dither16
from yue2_desktop.library.encoding import Block, EncodingError, encode
from yue2_desktop.library.export_formats import ExportFormat, export_format
from yue2_desktop.library.names import AUDIO_NAMES
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.sound_tags import SoundTags, TaggingError, tags_of, write_tags
from yue2_desktop.library.take_provenance import take_provenance
from yue2_desktop.library.trim import faded
from yue2_desktop.song.atomic import atomic_file
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.filenames import safe_file_name
from yue2_desktop.song.wording import path_text

#: The seed of the dither: fixed, so that the same take is exported to the same bytes.
_DITHER_SEED: Final = 20_260_914

#: Told samples done and samples in all, about once a second of sound.
OnSamples = Callable[[int, int], None]


@dataclass(frozen=True)
class ExportOrder:
    """What to export: a key of `export_formats`, the title to write, and what the tags may say.

    `end` cuts the sound after so many samples (see `trim.trim_offer`), None keeps all of it. `lyrics` and `song` put
    the words and what the take was made from (with the words and the score in it) into the tags.
    """

    format: str
    title: str
    end: int | None = None
    lyrics: bool = True
    song: bool = True


@dataclass(frozen=True)
class Exported:
    """The file that was written: its length in seconds, its size in bytes, and a sentence where tags are missing."""

    path: Path
    seconds: float
    bytes: int
    note: str = ""


def take_sound(folder: Path) -> Path:
    """The sound of the take in `folder`; Problem(BAD_FILE) where it has none yet."""
    for name in AUDIO_NAMES:
        if (folder / name).is_file():
            return folder / name
    raise bad_file(folder, "has no sound yet; finish the take, then export it")


def free_target(folder: Path, title: str, suffix: str) -> Path:
    """A file in `folder` named after the title that is not there yet: `title.flac`, `title 2.flac`, ...

    The name has at most 80 characters and is allowed on every system (user-reports.md, rows 64 and 69).
    """
    number = 1
    while (path := folder / safe_file_name(title, suffix if number == 1 else f" {number}{suffix}")).exists():
        number += 1
    return path


def export_take(
    folder: Path,
    target: Path,
    order: ExportOrder,
    *,
    overwrite: bool = False,
    on_samples: OnSamples | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Exported:
    """Writes the sound of the take in `folder` to `target` as `order` says; the take stays as it is.

    Raises Problem: OUTPUT_EXISTS when the file is there and `overwrite` is false; BAD_REQUEST for a name that does
    not end as the format does, a cut outside the sound, or a target among the files of a take; UNSUPPORTED when the
    format cannot be written here; BAD_FILE when the take cannot be read or the file not be written; DISK_FULL;
    CANCELLED soon after `cancelled` says so. In every case `target` is then as it was.
    """
    form = _form(order.format)
    _require_target(target, form, overwrite=overwrite)
    source = take_sound(folder)
    shape = audio_format(source)
    end = shape.samples if order.end is None else order.end
    if not 0 < end <= shape.samples:
        raise _bad(f"The sound has {shape.samples:,} samples, so it cannot be cut after {end:,}.", field="end")
    if form.rates and shape.sample_rate not in form.rates:
        raise _unsupported(
            f"{form.label} cannot hold {shape.sample_rate:,} samples a second, as {path_text(source)} has; "
            "choose FLAC or WAV."
        )
    tags, note = _tags(folder, order)
    blocks = audio_blocks(source, stop=end)
    if end < shape.samples:
        blocks = faded(blocks, end, shape.sample_rate)
    counted = _counted(blocks, end, on_samples, cancelled)
    with atomic_file(target) as file:
        try:
            encode(
                file,
                _dithered(counted) if form.dithered else counted,
                sample_rate=shape.sample_rate,
                channels=shape.channels,
                container=form.container,
                subtype=form.subtype,
                level=form.level,
            )
            write_tags(file, form, tags)
        except (EncodingError, TaggingError) as error:
            raise bad_file(target, f"could not be written as {form.label} ({error}); choose another format") from error
        # Somebody may have put a file there since.
        _require_target(target, form, overwrite=overwrite)
    return Exported(target, end / shape.sample_rate, target.stat().st_size, note)


def _tags(folder: Path, order: ExportOrder) -> tuple[SoundTags, str]:
    """The tags, and what to say where the take's own records are damaged: its sound is worth having all the same."""
    try:
        made = take_provenance(folder)
    except Problem as problem:
        return SoundTags(order.title), f"The tags say only the title: {problem.sentence}"
    return tags_of(made, order.title, lyrics=order.lyrics, song=order.song), ""


def _form(key: str) -> ExportFormat:
    found = export_format(key)
    if found.reason is not None:
        raise _unsupported(f"{found.reason} Choose another format.")
    return found.format


def _require_target(target: Path, form: ExportFormat, *, overwrite: bool) -> None:
    place = path_text(target)
    if target.suffix.lower() != form.suffix:
        raise _bad(
            f"{place} must end in {form.suffix} to be {form.label}; change the name or the format.", field="path"
        )
    if is_take(target.parent):
        raise _bad(
            f"{path_text(target.parent)} is the folder of a take, which keeps its own files; choose another folder.",
            field="path",
        )
    if not overwrite and (target.exists() or target.is_symlink()):
        raise Problem(
            ProblemKind.OUTPUT_EXISTS, f"{place} is there already; choose another name, or replace it.", path=place
        )


def _counted(
    blocks: Iterator[Audio], total: int, on_samples: OnSamples | None, cancelled: Callable[[], bool]
) -> Iterator[Audio]:
    done = 0
    for block in blocks:
        if cancelled():
            raise Problem(ProblemKind.CANCELLED, "The export was cancelled; nothing was written.")
        yield block
        done += len(block)
        if on_samples is not None:
            on_samples(done, total)


def _dithered(blocks: Iterator[Audio]) -> Iterator[Block]:
    dither = Dither16(_DITHER_SEED)
    for block in blocks:
        yield dither.rounded(block)


def _bad(sentence: str, *, field: str) -> Problem:
    return Problem(ProblemKind.BAD_REQUEST, sentence, field=field)


def _unsupported(sentence: str) -> Problem:
    return Problem(ProblemKind.UNSUPPORTED, sentence)
