"""Reads a text of the dialect in one pass: always a score of what was understood, and everything that is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from yue2_desktop.score.diagnostics import Diagnostic, Findings
from yue2_desktop.score.model import Header, Score
from yue2_desktop.score.reading.bodyreader import BodyReader
from yue2_desktop.score.reading.drafts import Budget
from yue2_desktop.score.reading.ending import Unfinished, find_unfinished
from yue2_desktop.score.reading.header import (
    DEFAULT_KEY,
    DEFAULT_METER,
    DEFAULT_TEMPO,
    DEFAULT_UNIT,
    HeaderReader,
    header_length,
)
from yue2_desktop.score.rules import Code

MAX_BYTES = 65536
HARD_SPACES = "\u00a0\u2007\u202f\u3000\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b"
_HARD_SPACE = re.compile(f"[{HARD_SPACES}]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_OUR_VOICE = re.compile(r"\ufeff?V:\s*(?:Vocal|Ins)\b", re.IGNORECASE)
_ANY_FIELD = re.compile(r"\ufeff?[A-Za-z]:")
#: Fields that the dialect has not, a title, other voices (but not `V: Vocal` cut short), directives.
_FOREIGN_LINE = re.compile(r"\ufeff?(?:[A-JN-PRSUWYZa-z]:|T:.|%%|V:(?!\s*(?:V(?:o(?:c(?:al?)?)?)?|I(?:ns?)?)?$))")


@dataclass(frozen=True)
class Parsed:
    """What reading a text gave: the text, the score, the diagnostics by place, and where an unfinished text stops.

    `line_starts[n - 1]` is the character offset of line n; `is_foreign` says that the text is ordinary ABC, of which
    nothing was read.
    """

    text: str
    score: Score
    diagnostics: tuple[Diagnostic, ...]
    line_starts: tuple[int, ...]
    unfinished: Unfinished | None = None
    is_foreign: bool = False

    @cached_property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics for which the reference's checker would refuse the score."""
        return tuple(one for one in self.diagnostics if one.is_error)

    def offset(self, line: int, column: int) -> int:
        """Return the character offset of a line and column (both from 1)."""
        return self.line_starts[line - 1] + column - 1


def parse(text: str) -> Parsed:
    """Read a text. Never raises; a text that is no score of the dialect gives a score without groups."""
    findings = Findings()
    lines, starts = _split(text)
    if not text.strip("\ufeff \t\r\n"):
        return _nothing(text, starts, findings, Code.EMPTY, "The score is empty.")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        sentence = f"The score has {size:,} bytes; {MAX_BYTES:,} are the most, so it was not read."
        return _nothing(text, starts, findings, Code.TOO_LARGE, sentence)
    if not any(map(_OUR_VOICE.match, lines)):
        if not any(map(_ANY_FIELD.match, lines)):
            return _nothing(text, starts, findings, Code.NOT_A_SCORE, "This is not a score: it has no ABC lines.")
        if any(_FOREIGN_LINE.match(line) or _is_music(line) for line in lines):
            sentence = "This is ordinary ABC, not a YuE2 score; import it to turn its first voice into one."
            return _nothing(text, starts, findings, Code.FOREIGN, sentence)
    final_newline = text.endswith(("\n", "\r"))
    _check_lines(text, lines, final_newline, findings)
    clean = [_clean(line) for line in lines]
    above = header_length(clean)
    header = HeaderReader(findings).read(clean[:above], 1)
    body = BodyReader(header, findings, Budget())
    body.read(clean[above:], above + 1)
    unfinished = find_unfinished(body, header, clean, final_newline)
    phase_open = body.phase
    body.finish()
    if unfinished is not None:
        unfinished.report(findings)
    elif not body.groups and not phase_open:
        findings.add(Code.NO_MUSIC, max(len(lines), 1), 1, 2, "No group of music follows the header.")
    score = Score(header, tuple(body.groups), final_newline)
    return Parsed(text, score, findings.sorted(), starts, unfinished)


def _split(text: str) -> tuple[list[str], tuple[int, ...]]:
    """Return the lines without their ends, and where each starts; a final line end begins no line."""
    if "\r" not in text:
        lines = text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        starts.pop()
    else:
        lines, starts, at = [], [0], 0
        for found in _LINE_END.finditer(text):
            lines.append(text[at : found.start()])
            at = found.end()
            starts.append(at)
        lines.append(text[at:])
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return lines, tuple(starts)


def _nothing(text: str, starts: tuple[int, ...], findings: Findings, code: Code, sentence: str) -> Parsed:
    end = starts[1] if len(starts) > 1 else len(text) + 1
    findings.add(code, 1, 1, min(end, 200), sentence)
    header = Header("", DEFAULT_METER, DEFAULT_UNIT, DEFAULT_TEMPO, DEFAULT_KEY, (), 0)
    return Parsed(text, Score(header, ()), findings.sorted(), starts, is_foreign=code is Code.FOREIGN)


def _is_music(line: str) -> bool:
    """Whether a line is neither label nor field; a single letter may be a field that was cut off."""
    return len(line.strip()) > 1 and not line.startswith(("%", "```", "\ufeff")) and line[1:2] != ":"


def _check_lines(text: str, lines: list[str], final_newline: bool, findings: Findings) -> None:
    if text.startswith("\ufeff"):
        findings.add(Code.BOM, 1, 1, 2, "The text begins with a byte order mark.")
    if "\r" in text:
        row = text.count("\n", 0, text.index("\r")) + 1
        column = len(lines[row - 1]) + 1
        count = text.count("\r")
        sentence = f"Lines end with carriage returns, as Windows writes them ({count} of them)."
        findings.add(Code.LINE_ENDING, row, column, column + 1, sentence)
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            findings.add(Code.FENCE, number, 1, len(line) + 1, "The score is wrapped in a code fence.")
        elif not line.strip():
            findings.add(Code.BLANK_LINE, number, 1, len(line) + 1, "Blank lines are not in the dialect.")
        elif not line.isascii() and (line[0] == "%" or line[1:2] == ":"):
            for found in _HARD_SPACE.finditer(line):
                sentence = "This space is not an ordinary space."
                findings.add(Code.HARD_SPACE, number, found.start() + 1, found.end() + 1, sentence)
    if not final_newline:
        findings.add(
            Code.FINAL_NEWLINE, len(lines), len(lines[-1]) + 1, len(lines[-1]) + 2, "The last line has no end."
        )


def _clean(line: str) -> str:
    """Return a line as the readers take it: fences and blank lines as nothing, hard spaces of fields as spaces."""
    if line.startswith("```") or not line.strip():
        return ""
    if not line.isascii() and (line[0] == "%" or line[1:2] == ":"):
        return _HARD_SPACE.sub(" ", line).rstrip()
    return line
