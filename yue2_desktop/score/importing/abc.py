"""Ordinary ABC as a score: the first voice of the first tune, its chord symbols kept."""

from __future__ import annotations

import re
from fractions import Fraction

from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.abc_fields import abc_key, abc_length, abc_meter, abc_tempo, usual_length
from yue2_desktop.score.importing.abc_kind import is_tune
from yue2_desktop.score.importing.abc_voice import VoiceReader
from yue2_desktop.score.importing.assemble import assembled
from yue2_desktop.score.importing.compose import compose
from yue2_desktop.score.importing.refusal import refused
from yue2_desktop.score.importing.sketch import Changes, Imported
from yue2_desktop.score.importing.voices import INS_NAME
from yue2_desktop.score.keys import KEYS
from yue2_desktop.song.errors import Problem, ProblemKind

MAX_CHARACTERS = 2**20
_FIELD = re.compile(r"([A-Za-z+]):(.*)")
_INLINE_VOICE = re.compile(r"\[V:\s*([^\]\s]+)[^\]]*\]")
_VOICE = re.compile(r"\s*(\S+)")
_ONLY = "1"


def import_abc(text: str, part: str | None = None) -> Imported:
    """Return the score of an ordinary ABC text: its first tune.

    `part` is the name of the voice to take instead of the first. Raises Problem(BAD_FILE) for a text without music
    or of too much of it, and (BAD_REQUEST) for a voice that it has not.
    """
    if len(text) > MAX_CHARACTERS:
        raise refused("is larger than 1 MiB", "cut it to one tune and import that")
    changes = Changes()
    tune = _Tune(changes)
    lines = _first_tune(text)
    if not is_tune(lines):
        raise refused("is no tune in ABC", "choose another file; words are dropped as .txt")
    for line in lines:
        tune.line(line)
    voices = {name: reader.finish() for name, reader in tune.voices.items()}
    voices = {name: bars for name, bars in voices.items() if bars}
    if not voices:
        raise refused("has no music in ABC", "choose another file")
    if part is not None and part not in voices:
        raise Problem(
            ProblemKind.BAD_REQUEST, f"The tune has no voice '{part}'; it has {', '.join(voices)}.", part=part
        )
    melody = part if part is not None else next(iter(voices))
    ins = next((name for name in voices if name != melody and INS_NAME.match(name)), None)
    left = [name for name in voices if name not in {melody, ins}]
    if left:
        changes.say(f"Left out: voice {', '.join(left[:8])}.")
    bars = voices[melody]
    sketch = assembled(bars, bars, voices[ins] if ins is not None else [], changes)
    return Imported(compose(sketch, changes), changes.sentences())


def _first_tune(text: str) -> list[str]:
    lines: list[str] = []
    started = False
    for line in text.lstrip("\ufeff").splitlines():
        plain = line.strip()
        if plain.startswith("X:"):
            if started and any(one.startswith("K:") for one in lines):
                break
            started = True
        elif not plain and started and any(one.startswith("K:") for one in lines):
            break
        if plain.startswith(("%%", "```")):
            continue
        lines.append(re.sub(r"(?<!\\)%.*", "", plain).rstrip("\\"))
    return [line for line in lines if line]


class _Tune:
    """The header and the voices of a tune while its lines are read."""

    def __init__(self, changes: Changes) -> None:
        self.voices: dict[str, VoiceReader] = {}
        self._changes = changes
        self._meter: Meter | None = None
        self._unit: Fraction | None = None
        self._key = KEYS["C"]
        self._is_mode = False
        self._tempo: str | None = None
        self._labels: list[str] = []
        self._in_header = True
        self._voice = _ONLY

    def line(self, line: str) -> None:
        """Read one line without its comment."""
        found = _FIELD.match(line)
        if found is None:
            self._in_header = False
            self._music(line)
        elif found[1] == "V":
            name = _VOICE.match(found[2])
            if name is not None and not self._in_header:
                self._voice = name[1]
        elif self._in_header:
            self._header(found[1], found[2])
        elif found[1] in "wWsNTCORSZBDFGHAr+":
            if found[1] in "wW":
                self._changes.say("Lines of words left out, since words are in the song's lyrics: {}.")
        elif found[1] == "P":
            self._labels.append(found[2])
        else:
            self._reader().field(found[1], found[2])

    def _header(self, name: str, value: str) -> None:
        if name == "M":
            self._meter = abc_meter(value) or self._meter
        elif name == "L":
            self._unit = abc_length(value) or self._unit
        elif name == "Q":
            self._tempo = value
        elif name == "K":
            read = abc_key(value)
            if read is not None:
                self._key, self._is_mode = read
            self._in_header = False

    def _music(self, line: str) -> None:
        at = 0
        for found in _INLINE_VOICE.finditer(line):
            self._read(line[at : found.start()])
            self._voice = found[1]
            at = found.end()
        self._read(line[at:])

    def _read(self, music: str) -> None:
        if music.strip():
            self._reader().line(music)

    def _reader(self) -> VoiceReader:
        reader = self.voices.get(self._voice)
        if reader is None:
            unit = self._unit or usual_length(self._meter)
            reader = VoiceReader(self._key, self._meter or Meter(4, 4), unit, self._changes)
            if self._is_mode and not self.voices:
                self._changes.say("Modal keys became the major or minor key of the same signature: {}.")
            tempo = abc_tempo(self._tempo, unit) if self._tempo is not None else None
            if tempo:
                reader.field("Q", f"1/4={tempo:.3f}")
            self.voices[self._voice] = reader
        if self._labels and self._voice == next(iter(self.voices)):
            for label in self._labels:
                reader.field("P", label)
            self._labels.clear()
        return reader
