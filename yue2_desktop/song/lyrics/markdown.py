"""Lyrics written as Markdown: headings become sections, marks of emphasis go, a front matter gives title and style."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.lyrics.section_names import section_name
from yue2_desktop.song.lyrics.tags import tag_of

_FRONT: Final = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_ENTRY: Final = re.compile(r"(?P<key>[A-Za-z_ -]+):\s*(?P<value>.*?)\s*$")
_HEADING: Final = re.compile(r"\s{0,3}(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*\s*$")
_RULE: Final = re.compile(r"\s{0,3}(?:[-*_]\s*){3,}$|\s{0,3}={2,}\s*$|\s*```")
_QUOTE: Final = re.compile(r"^\s{0,3}(?:>\s?|[-*+]\s+)")
_EMPHASIS: Final = re.compile(r"(\*\*\*|\*\*|\*|___|__|~~|`)(?=\S)(.+?)(?<=\S)\1")
_UNDERSCORE: Final = re.compile(r"(?<!\w)_(?=\S)(.+?)(?<=\S)_(?!\w)")
_LINK: Final = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_ESCAPE: Final = re.compile(r"\\([\\`*_{}\[\]()#+.!>~|-])")


@dataclass(frozen=True)
class MarkdownLyrics:
    """The words with section tags; title and style where the file gives them, else empty."""

    text: str
    title: str
    style: str


def read_markdown(text: str) -> MarkdownLyrics:
    """The lyrics in a Markdown text.

    A heading that names a section in any language becomes its tag; the first other heading is the title if there is
    no front matter that gives one, and further ones stay as remarks (`# ...`), which are not sung.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    entries: dict[str, str] = {}
    front = _FRONT.match(text)
    if front is not None:
        entries = dict(_entries(front[1]))
        text = text[front.end() :]
    title = entries.get("title", "")
    lines: list[str] = []
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        if heading is not None:
            name = _plain(heading["text"])
            if section_name(name.strip("[]:： ")) is not None:
                lines.append(f"[{_label(name)}]")
            elif not title and heading["marks"] == "#":
                title = name
            else:
                lines.append(f"# {name}")
        elif not _RULE.match(line):
            lines.append(_words(line))
    return MarkdownLyrics("\n".join(lines).strip("\n") + "\n", title, entries.get("style") or entries.get("tags", ""))


def _entries(front: str) -> list[tuple[str, str]]:
    found = [_ENTRY.match(line) for line in front.split("\n")]
    return [(entry["key"].strip().casefold(), entry["value"].strip("'\"[]")) for entry in found if entry]


def _words(line: str) -> str:
    plain = _plain(_QUOTE.sub("", line, count=1))
    tag = tag_of(plain)
    # "**Chorus**" alone is how sections are set in bold.
    bold = line.strip().startswith(("**", "__")) and tag is not None and tag.fix is not None
    return tag.fix.rstrip("\n") if bold and tag is not None and tag.fix is not None and tag.end == len(plain) else plain


def _plain(text: str) -> str:
    text = text.rstrip().removesuffix("\\")
    text = _LINK.sub(r"\1", text)
    while (shorter := _UNDERSCORE.sub(r"\1", _EMPHASIS.sub(r"\2", text))) != text:
        text = shorter
    return _ESCAPE.sub(r"\1", text).strip()


def _label(text: str) -> str:
    name = section_name(text.strip("[]:： "))
    if name is None:
        return text
    return f"{name.label}: {name.detail}" if name.detail else name.label
