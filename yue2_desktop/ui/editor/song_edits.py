"""The edits of the editor as values: what the song is after each of them."""

from __future__ import annotations

from dataclasses import replace

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.lyrics.fixes import fixed_everywhere
from yue2_desktop.song.templates import Template


def from_example(song: SongDocument, example: SongDocument) -> SongDocument:
    """The song with an example's title, style, words, score and settings; it stays the same song, with its render."""
    return replace(example, id=song.id, render=song.render, kept=song.kept)


def from_template(song: SongDocument, template: Template) -> SongDocument:
    """The song with a template's style, structure and cot; a score that sang other words goes."""
    return replace(song, style=template.style, lyrics=template.lyrics, cot=template.cot, score=None)


def with_fixed_tags(song: SongDocument, *, unusual_too: bool) -> SongDocument:
    """The song with every tag mended by which a section would be lost, and, if asked, the unusual ones."""
    return replace(song, lyrics=fixed_everywhere(song.lyrics, unusual_too=unusual_too))
