"""The words that describe music, by category, read from `resources/styles.json` and checked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.textfile import read_json
from yue2_desktop.song.wording import path_text, shown

VERSION: Final = 1
#: The categories in the order in which the model's styles name them (spec/yue2.md, section 7).
CATEGORIES: Final = ("language", "genre", "mood", "instruments", "voice", "tempo")
_TERM_CHARS: Final = 60
_SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True)
class Term:
    """A word or phrase of the vocabulary; `also` are other names for it, in other languages too."""

    text: str
    category: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Category:
    """One category: `id` is one of CATEGORIES, `title` its name for people in English."""

    id: str
    title: str
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Vocabulary:
    """All categories in their order."""

    categories: tuple[Category, ...]

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """All terms, by category."""
        return tuple(term for category in self.categories for term in category.terms)

    @cached_property
    def names(self) -> tuple[tuple[str, str, Term], ...]:
        """Every name of every term: as `folded` writes it, as it stands, and the term."""
        return tuple((folded(name), name, term) for term in self.terms for name in (term.text, *term.also))

    @cached_property
    def by_name(self) -> Mapping[str, Term]:
        """Each term under each of its names, as `folded` writes it."""
        return {plain: term for plain, _, term in self.names}

    def find(self, text: str) -> Term | None:
        """The term that `text` is a name of, in any case and width."""
        return self.by_name.get(folded(text))


def folded(text: str) -> str:
    """`text` for comparison: one form of letters and widths, small, single spaces, one kind of apostrophe and dash."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("–", "-").replace("‐", "-")
    return _SPACES.sub(" ", plain).strip()


def load_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary in a JSON file; Problem(BAD_FILE) that names the place of what is wrong in it."""
    root = read_json(path, "vocabulary")
    reader = _Reader(path)
    members = reader.members_of(root, "the file")
    version = members.get("version")
    if version != VERSION:
        raise reader.bad("version", f"must be {VERSION}, but is {shown(version)}")
    categories = tuple(
        reader.category(entry, f"categories[{index}]")
        for index, entry in enumerate(reader.entries_of(members.get("categories"), "categories"))
    )
    ids = tuple(category.id for category in categories)
    if ids != CATEGORIES:
        raise reader.bad("categories", f"must be {', '.join(CATEGORIES)} in this order, but are {', '.join(ids)}")
    return Vocabulary(categories)


class _Reader:
    """Takes the vocabulary apart and remembers which names were seen."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: dict[str, str] = {}

    def bad(self, place: str, what: str) -> Problem:
        text = path_text(self._path)
        return Problem(ProblemKind.BAD_FILE, f"Vocabulary {text}: {place} {what}.", path=text, place=place)

    def members_of(self, value: object, place: str) -> dict[str, object]:
        if not isinstance(value, dict):
            raise self.bad(place, f"must be an object, but is {shown(value)}")
        return value

    def entries_of(self, value: object, place: str) -> list[object]:
        if not isinstance(value, list) or not value:
            raise self.bad(place, f"must be a list with something in it, but is {shown(value)}")
        return value

    def text(self, value: object, place: str) -> str:
        if not isinstance(value, str) or value != _SPACES.sub(" ", value).strip() or not 0 < len(value) <= _TERM_CHARS:
            raise self.bad(place, f"must be text of 1 to {_TERM_CHARS} characters without outer spaces")
        if set(value) & set(",;，、；"):
            raise self.bad(place, f"holds a comma or semicolon, which parts chips: {shown(value)}")
        return value

    def category(self, value: object, place: str) -> Category:
        members = self.members_of(value, place)
        name = self.text(members.get("id"), f"{place}.id")
        terms = tuple(
            self.term(entry, name, f"{place}.terms[{index}]")
            for index, entry in enumerate(self.entries_of(members.get("terms"), f"{place}.terms"))
        )
        return Category(name, self.text(members.get("title"), f"{place}.title"), terms)

    def term(self, value: object, category: str, place: str) -> Term:
        members = self.members_of(value, place)
        text = self.text(members.get("text"), f"{place}.text")
        others = members.get("also", [])
        if not isinstance(others, list):
            raise self.bad(f"{place}.also", f"must be a list, but is {shown(others)}")
        also = tuple(self.text(other, f"{place}.also[{index}]") for index, other in enumerate(others))
        for name in (text, *also):
            first = self._seen.setdefault(folded(name), place)
            if first != place:
                raise self.bad(place, f"has the name {shown(name)}, which {first} has already")
        return Term(text, category, also)
