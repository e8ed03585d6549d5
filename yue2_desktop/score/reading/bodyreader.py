"""Reads the lines below the header into groups: labels, voice lines, their fields and their music."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from fractions import Fraction

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import Span, Voice
from yue2_desktop.score.keys import KEYS
from yue2_desktop.score.model import Group, Header, Label
from yue2_desktop.score.reading.drafts import Budget
from yue2_desktop.score.reading.groupcheck import check_group, check_label, check_music
from yue2_desktop.score.reading.grouping import OpenGroup, Part, closed_group
from yue2_desktop.score.reading.header import meant_key, meant_meter, read_meter
from yue2_desktop.score.reading.voicereader import VoiceReader
from yue2_desktop.score.rules import Code

_FIELD = re.compile(r"([A-Za-z]):")
_VOICE = re.compile(r"V:\s*([^\s\]]*)")
_VOCALS = frozenset({"vocal", "vocals", "voice", "vox", "melody", "lead", "1", "v1"})
_INS = frozenset({"ins", "inst", "inst.", "instr", "instrument", "instrumental", "2", "v2"})


class Phase(IntEnum):
    """How far the group has been read."""

    BEFORE = 0
    VOCAL = 1
    VOCAL_DONE = 2
    INS = 3
    INS_DONE = 4


class BodyReader:
    """Reads groups line by line; `groups` holds those that are closed, `open` the one being read."""

    def __init__(self, header: Header, findings: Findings, budget: Budget) -> None:
        self.groups: list[Group] = []
        self.phase = Phase.BEFORE
        self.open = OpenGroup()
        self._findings = findings
        self._budget = budget
        self.readers = {
            voice: VoiceReader(voice, header.key, header.meter, header.unit, findings, budget)
            for voice in (Voice.VOCAL, Voice.INS)
        }
        self._bars = 0
        self._start = Fraction(0)
        self._first = 1
        self._follows: Sequence[str] = ()

    def read(self, lines: Sequence[str], first_line: int) -> None:
        """Read the lines, of which the first has the number `first_line`; the last group stays open."""
        self._first = first_line
        self._follows = self._all_follows(lines)
        for at, line in enumerate(lines):
            if self._budget.spent:
                return
            if line:
                self._line(at, line)

    def finish(self) -> None:
        """Close the last group and look for ties that are left over."""
        if self.phase is not Phase.BEFORE:
            self._close()
        for reader in self.readers.values():
            reader.end_of_song()

    def _line(self, at: int, line: str) -> None:
        number = self._first + at
        if line[0] == "%":
            self._label(at, line)
            return
        found = _FIELD.match(line)
        if found is None:
            self._music(at, line)
        elif found[1] == "V":
            self._voice(at, line)
        elif found[1] in {"M", "K"}:
            self._field(at, line, found[1])
        elif found[1] in {"w", "W"}:
            self._say(Code.LYRICS, number, line, "Words do not stand in the score; they are in the request's lyrics.")
        else:
            self._say(Code.FIELD_REFUSED, number, line, f"The field {found[0]} does not belong below the header.")
        if self.open.first_line:
            self.open.last_line = number

    def _say(self, code: Code, number: int, line: str, sentence: str) -> None:
        self._findings.add(code, number, 1, len(line) + 1, sentence)

    def _all_follows(self, lines: Sequence[str]) -> Sequence[str]:
        """Return for each line what the next one that matters begins: "Vocal", "Ins", "music", "" at the end."""
        follows = [""] * len(lines)
        kind = ""
        for at in range(len(lines) - 1, -1, -1):
            follows[at] = kind
            line = lines[at]
            if not line or line[0] == "%":
                continue
            found = _FIELD.match(line)
            if found is None or found[1] in {"M", "K"}:
                kind = "music"
            elif found[1] == "V":
                kind = "Ins" if self._named(line) is Voice.INS else "Vocal"
        return follows

    def _begin(self, number: int) -> None:
        if not self.open.first_line:
            self.open.first_line = number
        self.open.last_line = number

    def _label(self, at: int, line: str) -> None:
        number = self._first + at
        if line.startswith("%%"):
            self._say(Code.DIRECTIVE, number, line, f"The directive {line[:16]} is not in the dialect.")
            return
        text = check_label(line, number, self._findings)
        follows = self._follows[at]
        if self.phase in {Phase.VOCAL, Phase.INS} and follows == "music":
            self._say(Code.LABEL_PLACE, number, line, "A label stands before V: Vocal, not before the music.")
        elif self.phase is Phase.VOCAL_DONE and follows == "Ins":
            self._say(Code.LABEL_PLACE, number, line, "A label stands before V: Vocal, not between the voices.")
        elif self.phase is not Phase.BEFORE:
            self._close()
        self._begin(number)
        self.open.labels.append(Label(text, Span(number, 1, len(line) + 1)))

    def _named(self, line: str) -> Voice | None:
        found = _VOICE.match(line)
        name = found[1].lower() if found else ""
        if name in _VOCALS:
            return Voice.VOCAL
        return Voice.INS if name in _INS else None

    def _voice(self, at: int, line: str) -> None:
        number = self._first + at
        voice = self._named(line)
        if line not in {"V: Vocal", "V: Ins"}:
            self._say(Code.VOICE_LINE, number, line, f"A voice line reads V: Vocal or V: Ins, not {line[:24]}.")
        if voice is None:
            voice = Voice.INS if self.phase is Phase.VOCAL_DONE else Voice.VOCAL
        if voice is Voice.VOCAL:
            if self.phase is not Phase.BEFORE:
                self._close()
            self.phase = Phase.VOCAL
        else:
            if self.phase in {Phase.INS, Phase.INS_DONE}:
                self._close()
            if self.phase is Phase.BEFORE:
                self._say(Code.VOCAL_MISSING, number, line, "V: Ins stands here without V: Vocal before it.")
            elif self.phase is Phase.VOCAL:
                self._say(Code.MUSIC_MISSING, number, line, "V: Vocal has no music line before V: Ins.")
            self.phase = Phase.INS
        self._begin(number)
        part = self.open.part(voice)
        part.voice_line = number
        part.voice_end = len(line) + 1

    def _field(self, at: int, line: str, name: str) -> None:
        number = self._first + at
        span = Span(number, 1, len(line) + 1)
        value = line[2:]
        if self.phase in {Phase.VOCAL, Phase.INS}:
            parts = [self.open.vocal if self.phase is Phase.VOCAL else self.open.ins]
            taken = parts[0].meter_span if name == "M" else parts[0].key_span
            if taken is not None:
                self._say(Code.FIELD_REPEATED, number, line, f"{name}: comes twice for this voice; the first counts.")
                return
            if name == "M" and parts[0].key_span is not None:
                self._say(Code.FIELD_ORDER, number, line, "M: stands before K:.")
        else:
            self._say(Code.FIELD_PLACE, number, line, f"{name}: stands between a voice line and its music.")
            if self.phase is Phase.INS_DONE:
                self._close()
            parts = [self.open.ins] if self.phase is Phase.VOCAL_DONE else [self.open.vocal, self.open.ins]
        self._begin(number)
        if name == "M":
            meter = read_meter(value)
            if meter is None:
                self._say(Code.METER, number, line, f"M:{value[:16]} is not a fraction such as 4/4.")
                meter = meant_meter(value)
            for part in parts:
                part.meter_change, part.meter_span = meter, span
        else:
            key = KEYS.get(value)
            if key is None:
                self._say(Code.KEY, number, line, f"K:{value[:16]} is not one of the thirty keys.")
                key = meant_key(value)
            for part in parts:
                part.key_change, part.key_span = key, span

    def _music(self, at: int, line: str) -> None:
        number = self._first + at
        if self.phase is Phase.VOCAL_DONE:
            if self._follows[at] == "Ins":
                self._say(Code.MUSIC_EXTRA, number, line, "Vocal has a second music line in this group.")
                self._read_music(Voice.VOCAL, line, number)
                return
            self._say(Code.VOICE_MISSING, number, line, "The line V: Ins is missing before this music.")
            self.phase = Phase.INS
        elif self.phase is Phase.INS_DONE:
            self._say(Code.MUSIC_EXTRA, number, line, "Ins has a second music line in this group.")
        elif self.phase is Phase.BEFORE:
            self._say(Code.VOICE_MISSING, number, line, "The line V: Vocal is missing before this music.")
            self.phase = Phase.VOCAL
        self._begin(number)
        if self.phase is Phase.VOCAL:
            self._read_music(Voice.VOCAL, line, number)
            self.phase = Phase.VOCAL_DONE
        else:
            self._read_music(Voice.INS, line, number)
            self.phase = Phase.INS_DONE

    def _read_music(self, voice: Voice, line: str, number: int) -> None:
        part = self.open.part(voice)
        if not part.music_line:
            self._apply_fields(voice, part)
            part.music_line = number
        part.music_end = len(line) + 1
        part.drafts.extend(self.readers[voice].read(line, number, self._bars + len(part.drafts)))

    def _apply_fields(self, voice: Voice, part: Part) -> None:
        """Put a voice's own fields in force; an Ins line that lacks the Vocal's goes along with it."""
        reader = self.readers[voice].bar
        vocal = self.open.vocal
        meter = part.meter_change or (vocal.meter_change if vocal.music_line else None)
        key = part.key_change or (vocal.key_change if vocal.music_line else None)
        part.meter_redundant = part.meter_change == reader.meter
        part.key_redundant = part.key_change == reader.key
        reader.meter = meter or reader.meter
        reader.key = key or reader.key

    def _close(self) -> None:
        """Close the open group: check it as a whole and give its bars their times."""
        group = self.open
        vocal, ins = self.readers[Voice.VOCAL].bar, self.readers[Voice.INS].bar
        for part in (group.vocal, group.ins):
            check_music(part, self._findings)
        check_group(group, self.groups[-1] if self.groups else None, self._findings)
        if not group.ins.music_line:
            ins.meter, ins.key = vocal.meter, vocal.key
        elif not group.vocal.music_line:
            vocal.meter, vocal.key = ins.meter, ins.key
        closed, end = closed_group(group, len(self.groups), self._bars, self._start)
        self.groups.append(closed)
        self._bars += closed.bar_count
        self._start = end
        self.open = OpenGroup()
        self.phase = Phase.BEFORE
