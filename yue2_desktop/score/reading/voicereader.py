"""Reads the music lines of one voice into bars, with the key, meter and tie that go on from line to line."""

from __future__ import annotations

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import Meter, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.reading.barreader import BarReader
from yue2_desktop.score.reading.drafts import MAX_BAR_TOKENS, MAX_LINE_BARS, Budget, Draft
from yue2_desktop.score.reading.tokens import TOKEN, unexpected
from yue2_desktop.score.rules import Code


class VoiceReader:
    """One voice between lines; `bar` has its key and meter in force and the tie that is open."""

    def __init__(self, voice: Voice, key: Key, meter: Meter, unit: int, findings: Findings, budget: Budget) -> None:
        self.bar = BarReader(voice, key, meter, unit, findings, budget)
        self._findings = findings
        self._budget = budget
        self._line = 0
        self._first_bar = 0

    def read(self, text: str, line: int, first_bar: int) -> list[Draft]:
        """Return the bars of one music line; `first_bar` is the index of its first bar in the song."""
        self._line = line
        self._first_bar = first_bar
        drafts: list[Draft] = []
        at, end = 0, len(text)
        bar = self.bar
        bar.begin(line, 1, first_bar)
        match = TOKEN.match
        readers = {
            "note": bar.note,
            "chord": bar.chord_symbol,
            "rest": bar.rest,
            "full": bar.full_rest,
            "key": bar.key_change,
            "tuplet": bar.tuplet_mark,
        }
        while at < end and not self._budget.spent:
            if len(drafts) >= MAX_LINE_BARS:
                sentence = f"{bar.voice} has more than {MAX_LINE_BARS} bars in this line; the rest is not read."
                self._findings.add(Code.TOO_MANY_BARS, line, at + 1, end + 1, sentence)
                return drafts
            found = match(text, at)
            if found is None:
                if text[at] == "%":
                    end = at
                at = self._foreign(text, at, drafts)
                continue
            at = found.end()
            kind = found.lastgroup
            if kind is None or kind == "bar":
                drafts.extend(bar.close(found.start() + 1))
                bar.begin(line, at + 1, first_bar + len(drafts))
                continue
            bar.draft.tokens += 1
            if bar.draft.tokens <= MAX_BAR_TOKENS:
                readers[kind](found)
            else:
                bar.draft.unread = True
        self._finish_line(drafts, end)
        return drafts

    def end_of_song(self) -> None:
        """Say that a tie is left over when the song ends."""
        held = self.bar.held
        if held is not None:
            sentence = f"The song ends while a tie of {self.bar.voice} is open."
            self._findings.add(Code.TIE_END, held.line, held.column, held.end, sentence)

    def _foreign(self, text: str, at: int, drafts: list[Draft]) -> int:
        """Say what stands at `at`, which is no token of the dialect; return where reading goes on."""
        found = unexpected(text, at)
        bar = self.bar
        bar.say(found.code, at, found.end, found.sentence)
        draft = bar.draft
        if found.code is Code.BARLINE:
            if draft.events or draft.rest_run:
                drafts.extend(bar.close(at + 1))
                bar.begin(self._line, found.end + 1, self._first_bar + len(drafts))
            else:
                draft.column = found.end + 1
        elif found.rest is not None:
            draft.tokens += 1
            bar.silence(at, found.end)
            if draft.tokens <= MAX_BAR_TOKENS:
                bar.append_rest(found.rest, at, found.end)
        elif found.hides_length:
            draft.unread = True
        return found.end

    def _finish_line(self, drafts: list[Draft], end: int) -> None:
        """Close a bar that the line leaves open, and say so."""
        draft = self.bar.draft
        if draft.tokens or draft.unread or draft.events:
            draft.closed = False
            number = self._first_bar + len(drafts) + 1
            drafts.extend(self.bar.close(end + 1))
            sentence = f"Bar {number} of {self.bar.voice} is not closed by a bar line."
            self._findings.add(Code.BAR_OPEN, self._line, draft.column, end + 1, sentence)
