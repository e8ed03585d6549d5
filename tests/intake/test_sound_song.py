"""Songs rebuilt from sounds, in every container that is exported."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutagen import File
from mutagen.id3 import TXXX

from yue2_desktop.intake.dropped import DroppedSong
from yue2_desktop.intake.opening import open_dropped
from yue2_desktop.intake.sound_tags import SOUND_SUFFIXES, song_tag
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.provenance import SONG_TAG, Provenance
from yue2_desktop.song.render_order import render_order

SONG = SongDocument(title="Salt ☃", style="folk", lyrics="[Verse]\nдождь 雨\n")
FORMATS = {
    ".flac": ("FLAC", "PCM_24"),
    ".wav": ("WAV", "PCM_16"),
    ".mp3": ("MP3", "MPEG_LAYER_III"),
    ".ogg": ("OGG", "VORBIS"),
    ".oga": ("OGG", "VORBIS"),
    ".opus": ("OGG", "OPUS"),
}


def provenance(**fields: object) -> Provenance:
    order = render_order(SONG, 41)
    made = Provenance(
        request=order.requests[0],
        song=SongOfTake(SONG.id, SONG.title, 2),
        score="X:1\nK:C\n",
        abc_sampling=order.abc.to_json(),
        semantic_sampling=order.semantic.to_json(),
        ode_steps=16,
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def sound(path: Path, tag: str | None) -> Path:
    container, subtype = FORMATS[path.suffix.lower()]
    silence = np.zeros((4800, 2), np.float32)
    data = io.BytesIO()
    soundfile.write(data, silence, 48_000, format=container, subtype=subtype)
    path.write_bytes(data.getvalue())
    if tag is not None:
        tags = File(path)
        assert tags is not None
        if tags.tags is None:
            tags.add_tags()
        if path.suffix.lower() in {".mp3", ".wav"}:
            tags.tags.add(TXXX(encoding=3, desc=SONG_TAG, text=[tag]))
        else:
            tags[SONG_TAG] = tag
        tags.save()
    return path


@pytest.mark.parametrize("suffix", SOUND_SUFFIXES)
def test_the_song_comes_back_from_every_container(tmp_path: Path, suffix: str) -> None:
    path = sound(tmp_path / f"Salt ☃{suffix}", provenance().to_text())
    dropped = open_dropped(path)
    assert isinstance(dropped, DroppedSong)
    document = dropped.document
    assert (document.id, document.title, document.style, document.lyrics) == (
        SONG.id, SONG.title, SONG.style, SONG.lyrics,
    )  # fmt: skip
    assert document.seed.value == 41
    assert document.render.ode_steps == 16
    assert render_order(document, 41).semantic == render_order(SONG, 41).semantic
    assert document.score is not None
    assert (document.score.text, document.score.source) == ("X:1\nK:C\n", path.name)
    assert any("written again from the same seed" in note for note in dropped.notes)


def test_a_supplied_score_needs_no_word(tmp_path: Path) -> None:
    request = replace(provenance().request, abc="X:1\nK:C\n")
    dropped = open_dropped(sound(tmp_path / "a.flac", provenance(request=request).to_text()))
    assert dropped.notes == ()
    assert dropped.is_take


def test_a_take_own_sound_is_its_folder(make_take: Callable[..., Path]) -> None:
    dropped = open_dropped(make_take(SONG) / "audio.flac")
    assert isinstance(dropped, DroppedSong)
    assert dropped.document.lyrics == SONG.lyrics
    assert dropped.document.reusable_plan is not None


@pytest.mark.parametrize("suffix", SOUND_SUFFIXES)
def test_other_sounds_say_nothing(tmp_path: Path, suffix: str) -> None:
    path = sound(tmp_path / f"audio{suffix}", None)
    assert song_tag(path) is None
    with pytest.raises(Problem, match=f"no {SONG_TAG} tag"):
        open_dropped(path)


@pytest.mark.parametrize("tag", ["", "x", "{}", '{"format":"yue2-song","version":9}'])
def test_a_tag_that_cannot_be_read_is_told(tmp_path: Path, tag: str) -> None:
    path = sound(tmp_path / "a.flac", tag)
    with pytest.raises(Problem, match=r"a\.flac"):
        open_dropped(path)


@pytest.mark.parametrize("content", [b"", b"no sound at all", b"fLaC", b"RIFF\x04\0\0\0WAVE", b"OggS" + bytes(40)])
@pytest.mark.parametrize("suffix", [".flac", ".wav", ".mp3", ".ogg", ".opus"])
def test_what_is_no_sound_is_told(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(content)
    with pytest.raises(Problem, match="broken"):
        open_dropped(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    data=st.binary(max_size=200), suffix=st.sampled_from(SOUND_SUFFIXES), start=st.sampled_from([b"fLaC", b"ID3", b""])
)
def test_any_bytes_are_refused_in_words(tmp_path: Path, data: bytes, suffix: str, start: bytes) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(start + data)
    with pytest.raises(Problem):
        open_dropped(path)


def test_an_absent_sound_is_told(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="cannot be read"):
        open_dropped(tmp_path / "absent.mp3")
