"""Whether a score may be sung: supplied ones with errors are refused, the model's own are judged and told."""

from __future__ import annotations

from dataclasses import dataclass

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.normalise import normalise
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import chords
from yue2_desktop.song.errors import Problem, ProblemKind

_UNFINISHED = "The score is unfinished: the model met its token limit."
_MODEL_S = "The model's score has"
#: So many errors are told in a refusal; `score check` tells them all.
_TOLD = 3


@dataclass(frozen=True, slots=True)
class Admission:
    """A supplied score that may be used: the text for the model, what to tell the user, and what is wrong with it.

    `notes` are whole sentences: what was normalised, errors that were allowed, warnings counted, chords under melody.
    """

    text: str
    notes: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> int:
        """How many errors the score has, all of them allowed."""
        return sum(one.is_error for one in self.diagnostics)


def admit(text: str, cot: str, *, allow_bad: bool = False) -> Admission:
    """Return what a supplied score becomes before it is sung.

    Places in sentences are those of the text after it was normalised, whose lines are those that were given. Raises
    Problem(BAD_SCORE) with the first errors where the reference's checker would refuse the score, unless `allow_bad`;
    and, always, for an empty score and for `cot` off, which uses no score (spec/abc.md, 1.3).
    """
    if cot == "off":
        raise Problem(
            ProblemKind.BAD_SCORE,
            "A score is given but cot is off, which sings without one; use --cot full, or leave the score out.",
        )
    normalised = normalise(text)
    parsed = parse(normalised.text)
    given = text.strip("\ufeff \t\r\n")
    errors = parsed.errors
    if not given or (errors and not allow_bad):
        raise Problem(
            ProblemKind.BAD_SCORE,
            _refusal(errors),
            errors=len(errors),
            line=errors[0].line,
            column=errors[0].column,
            codes=[str(one.code) for one in errors[:_TOLD]],
        )
    notes = list(normalised.notes)
    if errors:
        notes.append(f"The score has {_count(len(errors), 'error')}, which you allowed; first, {_told(errors[0])}")
    warnings = len(parsed.diagnostics) - len(errors)
    if warnings:
        notes.append(f"The score has {_count(warnings, 'warning')}; 'yue2-desktop score check' shows them.")
    symbols = len(chords(parsed.score))
    if cot == "melody" and symbols:
        notes.append(
            f"The score has {_count(symbols, 'chord symbol')}, but cot is melody, which is used to none; "
            "--cot full sings them as chords."
        )
    return Admission(normalised.text, tuple(notes), parsed.diagnostics)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a score that the model wrote is worth: counts, whether the token limit cut it, and where it stops."""

    errors: int
    warnings: int
    unfinished: bool
    line: int | None
    sentences: tuple[str, ...]


def judge_model_score(text: str, truncated: bool) -> Judgement:
    """Judge a score that the model wrote; `truncated` says that it met its token limit before it ended.

    Errors do not stop a render, as in the reference, but are counted and told. A truncated score is unfinished: it
    stops before the costly stages, with its tokens kept, unless the user allows it (user-reports.md, row 96).
    """
    parsed = parse(text)
    errors = parsed.errors
    sentences = []
    line = None
    if truncated:
        line = parsed.unfinished.span.line if parsed.unfinished else len(parsed.line_starts)
        where = parsed.unfinished.sentence if parsed.unfinished else "It stops at the end of a group."
        sentences.append(
            f"{_UNFINISHED} {where} Shorten the lyrics, raise the limit of "
            "the score with --abc-sampling, or give --allow-bad-score to sing it as it is."
        )
    if errors:
        sentences.append(f"{_MODEL_S} {_count(len(errors), 'error')}; first, {_told(errors[0])}")
    return Judgement(len(errors), len(parsed.diagnostics) - len(errors), truncated, line, tuple(sentences))


def is_of_a_judgement(sentence: str) -> bool:
    """Whether a sentence is one of `judge_model_score`, for whoever is told sentences and nothing else."""
    return sentence.startswith((_UNFINISHED, _MODEL_S))


def _refusal(errors: tuple[Diagnostic, ...]) -> str:
    told = " ".join(_told(one) for one in errors[:_TOLD])
    more = len(errors) - _TOLD
    rest = f" And {_count(more, 'more error')}." if more > 0 else ""
    return (
        f"The score has {_count(len(errors), 'error')}: {told}{rest} Mend the score ('yue2-desktop score check' shows "
        "all), or give --allow-bad-score to sing it as it is."
    )


def _told(one: Diagnostic) -> str:
    return f"line {one.line}, column {one.column}: {one.sentence}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
