"""Section tags in a line of lyrics: the right ones, and what people write instead, with what to write for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from yue2_desktop.song.lyrics.section_names import HIDDEN, SectionName, section_name, seen

_EDGE: Final = f" \t\u00a0\u3000\u2000-\u200a\u202f{HIDDEN}"
_CORE: Final = re.compile(f"[^{_EDGE}](?:.*[^{_EDGE}])?", re.DOTALL)
_GAP: Final = re.compile(f"[{_EDGE}]*")

_SQUARE: Final = re.compile(r"(?P<open>\[+)(?P<inside>[^\[\]]*)(?P<close>\]+)")
#: Brackets that are not the model's; those of the first list are used for nothing but headings.
_HEADING_BRACKETS: Final = ("［］", "【】", "〔〕", "〖〗")
_OTHER_BRACKETS: Final = ("()", "（）", "{}", "｛｝", "<>", "《》", "〈〉", "「」", "『』", "“”", '""')
_OTHER: Final = re.compile(
    "|".join(
        rf"{re.escape(pair[0])}(?P<{name}{n}>[^{re.escape(pair)}]*){re.escape(pair[1])}"
        for name, pairs in (("heading", _HEADING_BRACKETS), ("other", _OTHER_BRACKETS))
        for n, pair in enumerate(pairs)
    )
)
_OPENERS: Final = "[［【({（｛"
_CLOSERS: Final = "]］】)}）｝"
_ORNAMENT: Final = "#*_=~-–—•·>+ \t"
_COLON: Final = re.compile(r"(?P<head>[^:：]{1,40}?)\s*[:：]+\s*(?P<rest>.*)", re.DOTALL)
#: A longer line is none that consists of the name of a section.
_LONGEST_BARE: Final = 32


class TagFault(StrEnum):
    """What is wrong with a tag; `loses_section` tells those by which the model does not see a section."""

    BRACKETS = "brackets"
    UNCLOSED = "unclosed"
    COLON = "colon"
    ORNAMENT = "ornament"
    BARE = "bare"
    SAME_LINE = "same-line"
    CLOSING = "closing"
    LETTERS = "letters"
    OTHER_NAME = "other-name"
    SPACES = "spaces"

    @property
    def loses_section(self) -> bool:
        """Whether it is wrong, rather than unusual."""
        return self not in {TagFault.LETTERS, TagFault.OTHER_NAME, TagFault.SPACES}


@dataclass(frozen=True)
class Tag:
    """A section tag in a line: `start` and `end` as offsets in the line, what it names, and what is wrong with it.

    `name` is None for a section that is not known here, such as `[Whistling]`. `fix` is what to put in place of
    `start`..`end` (it may hold line feeds); None where nothing is wrong.
    """

    start: int
    end: int
    label: str
    name: SectionName | None
    fault: TagFault | None = None
    fix: str | None = None

    @property
    def sentence(self) -> str:
        """What is wrong and what helps; empty where nothing is."""
        return "" if self.fault is None else _SENTENCES[self.fault].format(label=self.label)


_SENTENCES: Final = {
    TagFault.BRACKETS: "Only [{label}] in square brackets is a section; in other ones it may be sung.",
    TagFault.UNCLOSED: "A bracket is missing; write [{label}].",
    TagFault.COLON: "A colon makes no section; write [{label}] on a line of its own.",
    TagFault.ORNAMENT: "This makes no section; write [{label}] on a line of its own.",
    TagFault.BARE: "This line would be sung; if it is a section, write [{label}].",
    TagFault.SAME_LINE: "Put [{label}] on a line of its own, or the words beside it may be lost.",
    TagFault.CLOSING: "Sections end where the next one begins; take this line out.",
    TagFault.LETTERS: "Usually written [{label}].",
    TagFault.OTHER_NAME: "The model's usual word for this section is [{label}].",
    TagFault.SPACES: "There are spaces inside this tag; write [{label}].",
}


def tag_of(line: str) -> Tag | None:
    """The tag that `line` (without its end) begins with, right or wrong; None for words.

    Round, curly and other brackets count only around the name of a section, since backing vocals stand in them.
    """
    core = _CORE.search(line)
    if core is None:
        return None
    for reading in (_square, _bracketed, _ornamented, _with_colon, _unclosed, _bare):
        found = reading(core[0])
        if found is not None:
            return Tag(
                found.start + core.start(), found.end + core.start(), found.label, found.name, found.fault, found.fix
            )
    return None


def inner_tags(line: str, after: int = 0) -> Iterator[Tag]:
    """Tags of known sections in square brackets behind other words of `line`, from the offset `after` on."""
    for found in _SQUARE.finditer(line, after):
        name = section_name(found["inside"])
        before = line[after : found.start()].strip(f" \t{HIDDEN}")
        if name is None or not before:
            continue
        gap = len(line[: found.start()].rstrip(f" \t{HIDDEN}"))
        end = _gap_after(line, found.end())
        fix = f"\n{_text(name)}" + ("\n" if end < len(line) else "")
        yield Tag(gap, end, name.label, name, TagFault.SAME_LINE, fix)


def _square(core: str) -> Tag | None:
    found = _SQUARE.match(core)
    if found is None or not found["inside"].strip():
        return None
    inside = seen(found["inside"]).strip()
    name = section_name(inside)
    alone = found.end() == len(core)
    if alone and inside.startswith("/") and section_name(inside[1:]) is not None:
        return Tag(0, len(core), inside, section_name(inside[1:]), TagFault.CLOSING, "")
    if not alone:
        # Words in brackets before other words are a direction ("[whispered] come home") unless they name a section.
        return None if name is None else _same_line(core, found.end(), name)
    label = inside if name is None else name.label
    if len(found["open"]) != 1 or len(found["close"]) != 1:
        return Tag(0, len(core), label, name, TagFault.BRACKETS, f"[{inside}]" if name is None else _text(name))
    if name is None or name.detail:
        return Tag(0, len(core), label, name)
    fault = _naming_fault(seen(found["inside"]), name)
    return Tag(0, len(core), label, name, fault, None if fault is None else _text(name))


def _naming_fault(inside: str, name: SectionName) -> TagFault | None:
    if inside == name.label or inside.strip().casefold().endswith((" x2", " x3", " x4")):
        return None
    if inside.strip() == name.label:
        return TagFault.SPACES
    return TagFault.LETTERS if inside.strip().casefold() == name.label.casefold() else TagFault.OTHER_NAME


def _bracketed(core: str) -> Tag | None:
    found = _OTHER.match(core)
    if found is None:
        return None
    group = found.lastgroup or ""
    inside = (found[group] or "").strip()
    name = section_name(inside)
    rest = core[found.end() :]
    if not rest.strip(" :："):
        if name is None and (not group.startswith("heading") or not inside or rest):
            return None
        label, fix = (inside, f"[{inside}]") if name is None else (name.label, _text(name))
        return Tag(0, len(core), label, name, TagFault.BRACKETS, fix)
    if name is None or name.ordinary:
        return None
    return _same_line(core, found.end(), name, TagFault.BRACKETS)


def _ornamented(core: str) -> Tag | None:
    inner = core.strip(_ORNAMENT)
    if not inner or inner == core:
        return None
    bare = inner.strip("[](){}").rstrip(" :：").strip(_ORNAMENT)
    name = section_name(bare)
    # One "#" begins a remark and one "-" a spoken line; an ordinary word behind it is no section.
    if name is None or name.detail or (name.ordinary and not core.startswith(("##", "**", "==", "--"))):
        return None
    return Tag(0, len(core), name.label, name, TagFault.ORNAMENT, _text(name))


def _with_colon(core: str) -> Tag | None:
    found = _COLON.fullmatch(core)
    if found is None:
        return None
    name = section_name(found["head"])
    if name is None:
        return None
    if not found["rest"]:
        return Tag(0, len(core), name.label, name, TagFault.COLON, _text(name))
    if name.ordinary:
        return None
    return Tag(0, found.start("rest"), name.label, name, TagFault.COLON, f"{_text(name)}\n")


def _unclosed(core: str) -> Tag | None:
    inside = core[1:] if core[0] in _OPENERS else core[:-1] if core[-1] in _CLOSERS else ""
    name = section_name(inside) if inside and not set(inside) & set(_OPENERS + _CLOSERS) else None
    if name is None or name.ordinary or name.detail:
        return None
    return Tag(0, len(core), name.label, name, TagFault.UNCLOSED, _text(name))


def _bare(core: str) -> Tag | None:
    name = section_name(core.rstrip(" .)-–—")) if len(core) <= _LONGEST_BARE else None
    if name is None or name.ordinary or name.detail:
        return None
    return Tag(0, len(core), name.label, name, TagFault.BARE, _text(name))


def _same_line(core: str, end: int, name: SectionName, fault: TagFault = TagFault.SAME_LINE) -> Tag:
    return Tag(0, _gap_after(core, end), name.label, name, fault, f"{_text(name)}\n")


def _gap_after(line: str, end: int) -> int:
    gap = _GAP.match(line, end)
    return end if gap is None else gap.end()


def _text(name: SectionName) -> str:
    return f"[{name.label}: {name.detail}]" if name.detail else f"[{name.label}]"
