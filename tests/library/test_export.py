"""Exports: every format comes back with its length and its tags, and nothing is ever overwritten or left half."""

from __future__ import annotations

import errno
import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mutagen
import numpy as np
import pytest
import soundfile

from yue2_desktop.intake.sound_tags import provenance_of
from yue2_desktop.library import export as export_module
from yue2_desktop.library import export_formats as formats_module
from yue2_desktop.library.audio_file import audio_format, read_audio, write_audio
from yue2_desktop.library.export import ExportOrder, export_take, free_target, take_sound
from yue2_desktop.library.export_formats import FORMATS, Availability, ExportFormat, export_format, export_formats
from yue2_desktop.library.names import AUDIO_FLAC
from yue2_desktop.library.take_provenance import take_provenance
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind

RATE = 48_000
SECONDS = 2.5
TITLE = "Песня / ☃ 🤣"


def tone() -> np.ndarray:
    place = np.arange(round(SECONDS * RATE)) / RATE
    return np.stack([0.5 * np.sin(2 * np.pi * f * place) for f in (440, 660)], axis=1).astype(np.float32)


@pytest.fixture(scope="module")
def made(make_song: Callable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished take with two tones, made once."""
    folder = tmp_path_factory.mktemp("made") / "take"
    song = make_song(seed=41)
    replace(song, audio=tone(), config={**song.config, "backend": "yue2-desktop", "ode_method": "midpoint"}).finish(
        folder, song=SongOfTake("a1", "Песня", 2)
    )
    return folder


@pytest.fixture
def take(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "take"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def tag(path: Path, name: str, frame: str) -> str:
    tags = mutagen.File(path).tags
    found = tags[frame].text if frame in tags else tags[name]
    return found if isinstance(found, str) else str(found[0])


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.key)
def test_every_format_comes_back(take: Path, tmp_path: Path, form: ExportFormat) -> None:
    available = export_format(form.key)
    if not available.available:
        pytest.skip(str(available.reason))
    before = contents(take)
    told: list[tuple[int, int]] = []
    target = free_target(tmp_path / "out", TITLE, form.suffix)
    target.parent.mkdir()
    done = export_take(
        take, target, ExportOrder(form.key, TITLE), on_samples=lambda done, total: told.append((done, total))
    )
    assert target.name == f"Песня _ ☃ 🤣{form.suffix}"
    assert (done.path, done.seconds, done.bytes, done.note) == (target, SECONDS, target.stat().st_size, "")
    assert told == [(48_000, 120_000), (96_000, 120_000), (120_000, 120_000)]
    shape = audio_format(target)
    assert (shape.samples, shape.sample_rate, shape.channels) == (120_000, RATE, 2)
    assert mutagen.File(target).info.length == pytest.approx(SECONDS, abs=1e-6)
    sound = read_audio(target)[0]
    # 24 bits are exact to half a step, 16 bits with dither to one and a half; the lossy ones keep a tone's level.
    middle = slice(24_000, 96_000)
    wrong = np.abs(sound[middle] - tone()[middle]).max()
    assert wrong <= (0.05 if form.lossy else 1.6 / 32_768 if form.dithered else 2**-24)
    assert tag(target, "TITLE", "TIT2") == TITLE
    assert tag(target, "LYRICS", "USLT::XXX") == "[Verse]\nДождь 雨"
    assert "seed 41" in tag(target, "COMMENT", "COMM::XXX")
    assert "Licence of the model's weights: CC BY-NC 4.0" in tag(target, "COMMENT", "COMM::XXX")
    assert tag(target, "LICENSE", "TXXX:LICENSE") == "CC BY-NC 4.0"
    assert provenance_of(target) == take_provenance(take)
    assert contents(take) == before
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_24_bit_flac_is_bit_for_bit_the_takes_sound(take: Path, tmp_path: Path) -> None:
    export_take(take, tmp_path / "a.flac", ExportOrder("flac-24", "x"))
    read = [soundfile.read(path, dtype="int32")[0] for path in (tmp_path / "a.flac", take / AUDIO_FLAC)]
    assert np.array_equal(*read)
    assert soundfile.info(tmp_path / "a.flac").subtype == "PCM_24"


def test_16_bits_are_dithered_the_same_each_time(take: Path, tmp_path: Path) -> None:
    for name in ("a.wav", "b.wav"):
        export_take(take, tmp_path / name, ExportOrder("wav-16", "x"))
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()
    plain = np.clip(np.rint(read_audio(take / AUDIO_FLAC)[0] * 32_768), -32_768, 32_767)
    dithered = soundfile.read(tmp_path / "a.wav", dtype="int16")[0]
    assert 0.2 < (plain != dithered).mean() < 0.8


def test_what_the_tags_say_of_the_making(take: Path) -> None:
    made = take_provenance(take)
    assert made.request.seed == 41
    assert made.song == SongOfTake("a1", "Песня", 2)
    assert made.score is not None
    assert made.score.startswith("X:1\nT:Дождь")
    assert (made.ode_steps, made.abc_sampling) == (4, {"temperature": 0.7})
    assert made.weights == {"mot": "ab" * 32, "vae": "cd" * 32, "mot/model.safetensors": "ab" * 32}
    assert made.made_with == {
        "app_version": "0.1.0", "mode": "bf16", "device": "cpu", "dtype": "float32",
        "backend": "yue2-desktop", "ode_method": "midpoint",
    }  # fmt: skip
    assert "CPU of test" not in made.to_text(), "a published song does not name its machine"


def test_tags_may_say_less(take: Path, tmp_path: Path) -> None:
    export_take(take, tmp_path / "a.flac", ExportOrder("flac-16", "x", lyrics=False, song=False))
    tags = mutagen.File(tmp_path / "a.flac").tags
    assert sorted(name.upper() for name, _ in tags) == ["COMMENT", "DATE", "ENCODED-BY", "LICENSE", "TITLE"]
    assert "Дождь" not in str(tags)


def test_an_edited_score_beside_the_take_is_not_what_was_sung(take: Path) -> None:
    (take / "score.abc").write_text("X:1\nK:F\n|F|", encoding="utf-8")
    assert "K:F" not in str(take_provenance(take).score)


def test_a_take_of_the_reference(take: Path, tmp_path: Path) -> None:
    (take / "take.json").unlink()
    export_take(take, tmp_path / "a.flac", ExportOrder("flac-24", "x"))
    made = provenance_of(tmp_path / "a.flac")
    assert made is not None
    assert (made.song, made.licence, len(made.identity)) == (None, "", 64)


def test_a_take_with_damaged_records_keeps_its_sound(take: Path, tmp_path: Path) -> None:
    (take / "config.json").write_text("{", encoding="utf-8")
    done = export_take(take, tmp_path / "a.mp3", ExportOrder("mp3", "Still here"))
    assert "The tags say only the title" in done.note
    assert "config.json" in done.note
    assert str(mutagen.File(tmp_path / "a.mp3").tags["TIT2"]) == "Still here"


def test_a_trimmed_export(take: Path, tmp_path: Path) -> None:
    done = export_take(take, tmp_path / "a.flac", ExportOrder("flac-24", "x", end=60_000))
    sound = read_audio(tmp_path / "a.flac")[0]
    assert (done.seconds, len(sound)) == (1.25, 60_000)
    assert np.array_equal(sound[:57_000], read_audio(take / AUDIO_FLAC)[0][:57_000])
    assert sound[-1].tolist() == [0.0, 0.0]
    assert audio_format(take / AUDIO_FLAC).samples == 120_000


def test_nothing_is_overwritten_unasked(take: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.flac"
    target.write_bytes(b"mine")
    with pytest.raises(Problem, match="is there already") as caught:
        export_take(take, target, ExportOrder("flac-24", "x"))
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS
    assert target.read_bytes() == b"mine"
    export_take(take, target, ExportOrder("flac-24", "x"), overwrite=True)
    assert audio_format(target).samples == 120_000


def test_a_file_that_appears_meanwhile_is_not_overwritten(take: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.flac"

    def appears(done: int, total: int) -> None:
        target.write_bytes(b"new")

    with pytest.raises(Problem, match="is there already"):
        export_take(take, target, ExportOrder("flac-24", "x"), on_samples=appears)
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("name", "order", "kind", "words"),
    [
        ("a.wav", ExportOrder("flac-24", "x"), ProblemKind.BAD_REQUEST, "must end in .flac to be FLAC, 24 bit"),
        ("a.flac", ExportOrder("flac-24", "x", end=0), ProblemKind.BAD_REQUEST, "cannot be cut after 0"),
        ("a.flac", ExportOrder("flac-24", "x", end=120_001), ProblemKind.BAD_REQUEST, "has 120,000 samples"),
        ("take/a.flac", ExportOrder("flac-24", "x"), ProblemKind.BAD_REQUEST, "is the folder of a take"),
        ("no/a.flac", ExportOrder("flac-24", "x"), ProblemKind.BAD_FILE, "could not be written"),
    ],
)
def test_what_cannot_be_asked(
    take: Path, tmp_path: Path, name: str, order: ExportOrder, kind: ProblemKind, words: str
) -> None:
    before = contents(take)
    with pytest.raises(Problem) as caught:
        export_take(take, tmp_path / name, order, overwrite=True)
    assert caught.value.kind is kind
    assert words in caught.value.sentence
    assert contents(take) == before


def test_cancelled_under_way(take: Path, tmp_path: Path) -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) == 2

    with pytest.raises(Problem) as caught:
        export_take(take, tmp_path / "a.flac", ExportOrder("flac-24", "x"), cancelled=cancelled)
    assert caught.value.kind is ProblemKind.CANCELLED
    assert {path.name for path in tmp_path.iterdir()} == {"take"}


@pytest.mark.parametrize("stage", ["sound", "tags"])
@pytest.mark.parametrize("key", ["flac-24", "mp3", "opus", "wav-16"])
def test_a_full_disk(take: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, key: str) -> None:
    real_open, real_tags = Path.open, export_module.write_tags
    full = {"is": False}

    class Disk(io.FileIO):
        def write(self, data) -> int:
            if full["is"] and len(data):
                raise OSError(errno.ENOSPC, "No space left on device")
            full["is"] = full["is"] or stage == "sound"
            return super().write(data)

    def opened(path: Path, mode: str = "r", *args: object, **options: object):
        return Disk(path, "x+") if mode == "x+b" else real_open(path, mode, *args, **options)

    def tags(*args: object) -> None:
        full["is"] = True
        real_tags(*args)

    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(export_module, "write_tags", tags)
    target = tmp_path / f"a{export_format(key).format.suffix}"
    with pytest.raises(Problem) as caught:
        export_take(take, target, ExportOrder(key, "x"))
    assert caught.value.kind is ProblemKind.DISK_FULL
    assert {path.name for path in tmp_path.iterdir()} == {"take"}


def test_a_take_without_sound(song, tmp_path: Path) -> None:
    song.create(tmp_path / "take")
    with pytest.raises(Problem, match="has no sound yet"):
        take_sound(tmp_path / "take")


def test_a_format_that_this_system_lacks(take: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:
        if options["container"] == "MP3":
            raise formats_module.EncodingError("Format not recognised.")

    monkeypatch.setattr(formats_module, "encode", refuse)
    formats_module.export_formats.cache_clear()
    try:
        states = {found.format.key: found for found in export_formats()}
        assert [key for key, found in states.items() if not found.available] == ["mp3"]
        reason = states["mp3"].reason
        assert reason is not None
        assert "cannot write MP3 (Format not recognised)" in reason
        with pytest.raises(Problem, match="Choose another format") as caught:
            export_take(take, tmp_path / "a.mp3", ExportOrder("mp3", "x"))
        assert caught.value.kind is ProblemKind.UNSUPPORTED
    finally:
        formats_module.export_formats.cache_clear()


def test_no_other_program_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    formats_module.export_formats.cache_clear()
    assert {"flac-24", "wav-16", "ogg"} <= {found.format.key for found in export_formats() if found.available}
    assert all(isinstance(found, Availability) for found in export_formats())


def test_an_unknown_format() -> None:
    with pytest.raises(KeyError):
        export_format("aiff")


def test_opus_of_another_rate_is_refused(take: Path, tmp_path: Path) -> None:
    write_audio(take / AUDIO_FLAC, tone(), sample_rate=44_100)
    with pytest.raises(Problem, match=r"Opus cannot hold 44,100 samples a second.*choose FLAC or WAV"):
        export_take(take, tmp_path / "a.opus", ExportOrder("opus", "x"))


def test_long_titles_and_names_that_are_taken(tmp_path: Path) -> None:
    first = free_target(tmp_path, "雨" * 200, ".flac")
    first.write_bytes(b"")
    second = free_target(tmp_path, "雨" * 200, ".flac")
    assert len(first.name) <= 80
    assert len(second.name) <= 80
    assert len(first.name.encode("utf-8")) <= 255
    assert second.name.endswith("雨 2.flac")
    assert free_target(tmp_path, "NUL", ".wav").name == "_NUL.wav"
