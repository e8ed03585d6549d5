"""Repairs: for each breach the edit that mends it, offered and never made silently, and all safe ones as one edit."""

from __future__ import annotations

from collections.abc import Iterator

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.edit import Edit, Replacement, edit_between
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.repairs.groups import GROUP_REPAIRS, REGROUPINGS, regrouped
from yue2_desktop.score.repairs.lines import LINE_REPAIRS
from yue2_desktop.score.repairs.music import MUSIC_REPAIRS
from yue2_desktop.score.repairs.offer import Maker, Repair
from yue2_desktop.score.repairs.tokens import TOKEN_REPAIRS
from yue2_desktop.score.rules import Code
from yue2_desktop.song.errors import Problem

#: Every repair by the name that a rule gives it.
REPAIRS: dict[str, Maker] = {**LINE_REPAIRS, **TOKEN_REPAIRS, **MUSIC_REPAIRS, **GROUP_REPAIRS}
#: Repairs can make room for others; more rounds than this are never needed, and never made.
_MOST_ROUNDS = 12
#: Of a text with thousands of faults so many are mended in one round.
_MOST_A_ROUND = 500
_MOST_TRIES = 4
#: These repairs mend all breaches of their kind at once.
_WHOLE = frozenset({"header", "line-endings", "final-newline", "byte-order-mark"})


def repair_for(parsed: Parsed, diagnostic: Diagnostic) -> Repair | None:
    """Return the repair of one breach, or None where the program knows none that would be right."""
    maker = REPAIRS.get(diagnostic.repair or "")
    if maker is None:
        return None
    try:
        repair = maker(parsed, diagnostic)
    except Problem:
        # The edit was refused: other faults stand in its way, so that there is nothing to offer yet.
        return None
    return repair if repair is not None and not repair.edit.is_empty else None


def repairs(parsed: Parsed) -> Iterator[tuple[Diagnostic, Repair]]:
    """Go through the breaches for which there is a repair."""
    for diagnostic in parsed.diagnostics:
        repair = repair_for(parsed, diagnostic)
        if repair is not None:
            yield diagnostic, repair


def repair_all_safe(parsed: Parsed) -> Edit:
    """Return all repairs that keep what sounds and lose nothing, as one edit; empty where there are none."""
    if any(one.code is Code.TOO_MANY_FAULTS for one in parsed.diagnostics):
        return Edit("There are too many faults to repair them at once.", ())
    seen, count = {parsed.text}, 0
    now = parsed
    for _ in range(_MOST_ROUNDS):
        round_edit = _one_round(now)
        text = round_edit.apply(now.text)
        after = parse(text)
        if text in seen or len(after.errors) > len(now.errors):
            break
        seen.add(text)
        count += len(round_edit.replacements)
        now = after
    return edit_between(f"Repair all that is safe: {count} places.", parsed.text, now.text)


def _one_round(parsed: Parsed) -> Edit:
    """Return the safe repairs that do not touch one another; groups are written anew when nothing else is left."""
    chosen: list[Replacement] = []
    taken: list[tuple[int, int]] = []
    made: set[str] = set()
    for diagnostic in parsed.diagnostics[:_MOST_A_ROUND]:
        if diagnostic.repair in REGROUPINGS or diagnostic.repair in made:
            continue
        if diagnostic.repair in _WHOLE:
            made.add(diagnostic.repair)
        repair = repair_for(parsed, diagnostic)
        if repair is None or not repair.safe:
            continue
        places = [(one.start, one.end) for one in repair.edit.replacements]
        if any(start <= end_ and start_ <= end for start, end in places for start_, end_ in taken):
            continue
        taken.extend(places)
        chosen.extend(repair.edit.replacements)
    if chosen:
        return Edit("", tuple(sorted(chosen, key=lambda one: one.start)))
    breaches = [one for one in parsed.diagnostics if one.repair in REGROUPINGS]
    for some in (breaches, *([one] for one in breaches[:_MOST_TRIES])):
        try:
            edit = regrouped(parsed, some, safe_only=True)
        except Problem:
            # A fault that cannot be mended stands in one of the groups; the others are tried by themselves.
            continue
        if not edit.is_empty:
            return edit
    return Edit("", ())
