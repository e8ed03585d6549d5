"""The score as ordinary ABC for other programs: as the dialect has it, with a title and the sections as parts."""

from __future__ import annotations

from yue2_desktop.score.engraving.mei_text import drawable
from yue2_desktop.score.model import Score
from yue2_desktop.score.writer import write


def plain_abc(score: Score, title: str = "") -> str:
    """Return ABC 2.1. What the dialect keeps out is allowed there: `T:` has the title, `P:` the section."""
    lines = []
    for line in write(score).splitlines():
        if line == "T:":
            lines.append(f"T:{drawable(title, 200)}")
        elif line.startswith("% "):
            lines.append(f"P:{line[2:]}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
