"""Repairs of whole lines: what surrounds the score, its header, its labels and voice lines."""

from __future__ import annotations

import re
from dataclasses import replace

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.edit import Replacement
from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.reading.header import meant_key, meant_meter
from yue2_desktop.score.repairs.offer import Maker, Repair, instead, line_place, line_text, offer, place_of, text_of
from yue2_desktop.score.rules import Code
from yue2_desktop.score.writer import write_header

_UNITS = (16, 32, 8)


def _byte_order_mark(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return instead(parsed, one, "", "Remove the byte order mark.", safe=True)


def _line_endings(parsed: Parsed, one: Diagnostic) -> Repair | None:
    ends = [Replacement(found.start(), found.end(), "\n") for found in re.finditer(r"\r\n?", parsed.text)]
    return offer(parsed, one, "End all lines with a line feed.", *ends, safe=True)


def _final_newline(parsed: Parsed, one: Diagnostic) -> Repair | None:
    end = len(parsed.text)
    return offer(parsed, one, "End the last line.", Replacement(end, end, "\n"), safe=True)


def _without_lines(parsed: Parsed, one: Diagnostic, description: str, *, safe: bool) -> Repair:
    start, end = line_place(parsed, one.line)
    return offer(parsed, one, description, Replacement(start, end, ""), safe=safe)


def _code_fences(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return _without_lines(parsed, one, "Remove the code fence.", safe=True)


def _blank_lines(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return _without_lines(parsed, one, "Remove the blank line.", safe=True)


def _directives(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return _without_lines(parsed, one, "Remove the directive.", safe=True)


def _drop_lines(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return _without_lines(parsed, one, f"Remove the line {line_text(parsed, one.line)[:24]!r}.", safe=False)


def _hard_spaces(parsed: Parsed, one: Diagnostic) -> Repair | None:
    line = line_text(parsed, one.line)
    is_music = not line.startswith("%") and line[1:2] != ":"
    if is_music:
        return instead(parsed, one, "", "Remove the space.", safe=True)
    return instead(parsed, one, " ", "Make it an ordinary space.", safe=True)


def _title(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return instead(parsed, one, "T:", "Empty the title line.", safe=True)


def _meter(parsed: Parsed, one: Diagnostic) -> Repair | None:
    meant = meant_meter(text_of(parsed, one)[2:])
    if meant is None:
        return None
    return instead(parsed, one, f"M:{meant.text}", f"Write the meter as {meant.text}.", safe=True)


def _key(parsed: Parsed, one: Diagnostic) -> Repair | None:
    written = text_of(parsed, one)
    inline = written.startswith("[")
    key = meant_key(written.strip("[]")[2:])
    if key is None:
        return None
    text = f"[K:{key.name}]" if inline else f"K:{key.name}"
    return instead(parsed, one, text, f"Write the key as {key.name}.", safe=True)


def _header(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Write the header anew, with what was assumed; a missing `L:` is chosen so that the bars are full."""
    header = parsed.score.header
    start, end = 0, 0
    if header.spans:
        start = line_place(parsed, min(span.line for _, span in header.spans))[0]
        end = line_place(parsed, header.last_line)[1]
    texts = [write_header(header) + "\n"]
    if header.span_of("L") is None:
        texts = [write_header(replace(header, unit=unit)) + "\n" for unit in _UNITS]
    best = min(texts, key=lambda text: _wrong_bars(parsed.text[:start] + text + parsed.text[end:]))
    return offer(parsed, one, "Write the eight header lines.", Replacement(start, end, best), safe=True)


def _wrong_bars(text: str) -> int:
    return sum(1 for one in parse(text).diagnostics if one.code is Code.BAR_LENGTH)


def _labels(parsed: Parsed, one: Diagnostic) -> Repair | None:
    name = line_text(parsed, one.line).strip("% \t")
    if not name:
        return _without_lines(parsed, one, "Remove the empty label.", safe=False)
    return instead(parsed, one, f"% {name}", f"Write the label as '% {name[:24]}'.", safe=True)


def _voice_lines(parsed: Parsed, one: Diagnostic) -> Repair | None:
    for group in parsed.score.groups:
        for voice in VOICES:
            if group.line_of(voice).voice_line == one.line:
                start = line_place(parsed, one.line)[0]
                end = place_of(parsed, one)[1]
                line = Replacement(start, end, f"V: {voice}")
                return offer(parsed, one, f"Write the line as V: {voice}.", line, safe=True)
    return None


#: The repairs of this module by name.
LINE_REPAIRS: dict[str, Maker] = {
    "byte-order-mark": _byte_order_mark,
    "line-endings": _line_endings,
    "final-newline": _final_newline,
    "code-fences": _code_fences,
    "blank-lines": _blank_lines,
    "directives": _directives,
    "drop-lines": _drop_lines,
    "hard-spaces": _hard_spaces,
    "title": _title,
    "meter": _meter,
    "key": _key,
    "header": _header,
    "labels": _labels,
    "voice-lines": _voice_lines,
}
