"""The menus of the score: another key, sections, what is done with the whole score, and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtWidgets import QMenu

from yue2_desktop.score.keys import Key, moved_key
from yue2_desktop.score.model import Section

_CONTEXT: Final = "ScoreMenus"
#: Names of sections that the model knows.
LABELS: Final = ("intro", "verse", "pre-chorus", "chorus", "bridge", "interlude", "outro")
#: Endings of files, and what they are.
EXPORTS: Final = (
    (".mid", QT_TRANSLATE_NOOP(_CONTEXT, "MIDI…")),
    (".musicxml", QT_TRANSLATE_NOOP(_CONTEXT, "MusicXML, with the words…")),
    (".mei", QT_TRANSLATE_NOOP(_CONTEXT, "MEI…")),
    (".abc", QT_TRANSLATE_NOOP(_CONTEXT, "ABC text…")),
    (".pdf", QT_TRANSLATE_NOOP(_CONTEXT, "PDF, to print…")),
    (".svg", QT_TRANSLATE_NOOP(_CONTEXT, "SVG pages…")),
    (".png", QT_TRANSLATE_NOOP(_CONTEXT, "PNG pictures…")),
)


def fill_key_menu(menu: QMenu, key: Key, section: int, move: Callable[[int, int], None]) -> None:
    """Offers every key an octave up and down; `move` gets semitones and the section from which on."""
    menu.clear()
    groups = [(_tr("Up"), range(1, 13), 0), (_tr("Down"), range(-1, -13, -1), 0)]
    if section > 0:
        groups += [
            (_tr("From this section on, up"), range(1, 13), section),
            (_tr("From this section on, down"), range(-1, -13, -1), section),
        ]
    for title, steps, first in groups:
        inside = menu.addMenu(title)
        for semitones in steps:
            text = _tr("{steps} to {key}").format(steps=f"{semitones:+d}", key=shown_key(moved_key(key, semitones)))
            inside.addAction(text).triggered.connect(_call(move, semitones, first))


def fill_section_menu(
    menu: QMenu,
    sections: Sequence[Section],
    now: int,
    *,
    go: Callable[[int], None],
    insert: Callable[[int, str], None],
    duplicate: Callable[[int], None],
    delete: Callable[[int], None],
) -> None:
    """Offers every section to go to, and what is done with the one at `now`."""
    menu.clear()
    for section in sections:
        text = _tr("{name} · bar {bar}").format(name=shown_label(section), bar=section.first_bar + 1)
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(section.index == now)
        action.triggered.connect(_call(go, section.index))
    menu.addSeparator()
    for title, before in ((_tr("Insert before this"), now), (_tr("Insert at the end"), len(sections))):
        inside = menu.addMenu(title)
        for label in LABELS:
            inside.addAction(label).triggered.connect(_call(insert, before, label))
    if sections:
        name = shown_label(sections[now])
        menu.addAction(_tr("Duplicate {name}").format(name=name)).triggered.connect(_call(duplicate, now))
        menu.addAction(_tr("Delete {name}").format(name=name)).triggered.connect(_call(delete, now))


def fill_more_menu(
    menu: QMenu,
    *,
    has_score: bool,
    act: dict[str, Callable[[], None]],
    export: Callable[[str], None],
) -> None:
    """Offers what concerns the whole score; `act` has what is to be called by name."""
    menu.clear()
    for name, text, needs in (
        ("chord", _tr("Chord here…\tEnter"), True),
        ("instrumental", _tr("Make it instrumental"), True),
        ("strip", _tr("Take out the chords"), True),
        ("repair", _tr("Repair all that is safe"), True),
        ("import", _tr("Import a score…"), False),
        ("revert", _tr("Back to what the model wrote"), True),
        ("remove", _tr("Remove the score"), True),
    ):
        if name == "import":
            menu.addSeparator()
            inside = menu.addMenu(_tr("Export"))
            inside.setEnabled(has_score)
            for suffix, kind in EXPORTS:
                inside.addAction(_tr(str(kind))).triggered.connect(_call(export, suffix))
        if name in act:
            action = menu.addAction(text)
            action.setEnabled(has_score or not needs)
            action.triggered.connect(_call(act[name]))


def shown_key(key: Key) -> str:
    """A key in words: `A♭ major`."""
    name = key.tonic.name.replace("b", "♭").replace("#", "♯")
    return (_tr("{tonic} minor") if key.minor else _tr("{tonic} major")).format(tonic=name)


def shown_label(section: Section) -> str:
    """The name of a section as a title, cut where it is long."""
    name = section.label.strip() or _tr("Section {number}").format(number=section.index + 1)
    name = name[:1].upper() + name[1:]
    return name if len(name) <= 28 else f"{name[:27]}…"


def _call(call: Callable[..., None], *arguments: object) -> Callable[[], None]:
    def run() -> None:
        call(*arguments)

    return run


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)
