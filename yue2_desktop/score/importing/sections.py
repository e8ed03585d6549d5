"""Names of sections: what other programs and languages call them, in the words that the model knows."""

from __future__ import annotations

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.reading.groupcheck import check_label
from yue2_desktop.song.lyrics.section_names import section_name


def section_label(text: str) -> str | None:
    """Return the label of a section (`2. Strophe` is `verse 2`), None for a name that says nothing to the model."""
    named = section_name(text.strip(" .:-–—"))
    if named is None:
        return None
    for label in (f"{named.tag} {named.number}".strip().lower(), named.tag.lower()):
        findings = Findings()
        check_label(f"% {label}", 1, findings)
        if not findings.sorted():
            return label
    return None
