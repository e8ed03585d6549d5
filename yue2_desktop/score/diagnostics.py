"""Diagnostics: what is wrong with a score, where, and which repair mends it."""

from __future__ import annotations

from dataclasses import dataclass

from yue2_desktop.score.rules import RULES, Code, Severity

#: So many faults of one text are listed.
MAX_FAULTS = 1000


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One breach of one rule: severity, place (columns from 1, end exclusive), sentence, name of the repair."""

    code: Code
    severity: Severity
    line: int
    column: int
    end_column: int
    sentence: str
    repair: str | None

    @property
    def is_error(self) -> bool:
        """Whether the reference's checker would refuse the score for this."""
        return self.severity is Severity.ERROR


class Findings:
    """Collects diagnostics while a text is read; the list is sorted by place when it is taken."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def add(self, code: Code, line: int, column: int, end: int, sentence: str) -> None:
        """Add a breach at a place; an empty place is widened to one column, so that it can be seen."""
        rule = RULES[code]
        end = max(end, column + 1)
        self._found.append(Diagnostic(code, rule.severity, line, column, end, sentence, rule.repair))

    def drop(self, codes: frozenset[Code], line: int, column: int) -> None:
        """Remove the breaches of some rules from a place on: they follow from another that says it better."""
        place = (line, column)
        self._found = [one for one in self._found if one.code not in codes or (one.line, one.column) < place]

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics by line and column, those of one place in the order in which they were found.

        Of more than `MAX_FAULTS` the first are returned, and one that says so.
        """
        found = sorted(self._found, key=lambda one: (one.line, one.column))
        if len(found) > MAX_FAULTS:
            left = len(found) - MAX_FAULTS
            last = found[MAX_FAULTS]
            sentence = f"There are {left:,} faults more from here on, which are not listed."
            rule = RULES[Code.TOO_MANY_FAULTS]
            found[MAX_FAULTS:] = [
                Diagnostic(rule.code, rule.severity, last.line, last.column, last.end_column, sentence, rule.repair)
            ]
        return tuple(found)
