"""What the editor offers: the vocabulary of styles, templates and example songs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.style.vocabulary import Vocabulary, load_vocabulary
from yue2_desktop.song.templates import Template, load_templates


@dataclass(frozen=True)
class Material:
    """The words to choose from, structures to fill, and whole songs to begin with."""

    vocabulary: Vocabulary
    templates: Sequence[Template]
    examples: Sequence[SongDocument]


def load_material(resources: Path) -> Material:
    """The material in the program's own files; Problem(BAD_FILE) names the file that is damaged."""
    return Material(
        load_vocabulary(resources / "styles.json"),
        load_templates(resources / "templates"),
        load_examples(resources / "examples"),
    )
