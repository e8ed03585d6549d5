"""What a repair is, and the places of the text that repairs work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.edit import Edit, Replacement, edit_of
from yue2_desktop.score.parser import Parsed


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit on offer. `safe` says that what was understood sounds as before and that no words or music are lost."""

    name: str
    safe: bool
    edit: Edit

    @property
    def description(self) -> str:
        """What the repair does, for a button."""
        return self.edit.description


Maker = Callable[[Parsed, Diagnostic], Repair | None]


def place_of(parsed: Parsed, diagnostic: Diagnostic) -> tuple[int, int]:
    """Return the character offsets of a breach, within the text."""
    start = min(parsed.offset(diagnostic.line, diagnostic.column), len(parsed.text))
    return start, min(start + diagnostic.end_column - diagnostic.column, len(parsed.text))


def text_of(parsed: Parsed, diagnostic: Diagnostic) -> str:
    """Return the text of a breach."""
    start, end = place_of(parsed, diagnostic)
    return parsed.text[start:end]


def line_place(parsed: Parsed, line: int) -> tuple[int, int]:
    """Return the offsets of a whole line with its end."""
    starts = parsed.line_starts
    return starts[line - 1], starts[line] if line < len(starts) else len(parsed.text)


def line_text(parsed: Parsed, line: int) -> str:
    """Return a line without its end."""
    start, end = line_place(parsed, line)
    return parsed.text[start:end].rstrip("\r\n")


def offer(parsed: Parsed, diagnostic: Diagnostic, description: str, *replacements: Replacement, safe: bool) -> Repair:
    """Return a repair that consists of replacements."""
    return Repair(diagnostic.repair or "", safe, edit_of(description, replacements, parsed.text))


def instead(parsed: Parsed, diagnostic: Diagnostic, text: str, description: str, *, safe: bool) -> Repair:
    """Return the repair that writes `text` where the breach is."""
    start, end = place_of(parsed, diagnostic)
    return offer(parsed, diagnostic, description, Replacement(start, end, text), safe=safe)
