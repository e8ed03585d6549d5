"""What the rows of the list say: stages with counts, lengths, dates, marks; pure functions over values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from yue2_desktop.library.take_summary import Badge, TakeState, TakeSummary
from yue2_desktop.queue.job import JobPart, JobStanding, JobState
from yue2_desktop.song.render_settings import FINAL_STEPS
from yue2_desktop.ui.takes.job_line import JobWords
from yue2_desktop.ui.takes.rates import rate_words
from yue2_desktop.ui.takes.rows import JobRow, Row, TakeRow

_MINUTE: Final = 60
_HOUR: Final = 3600
#: Marks that say that something went wrong, and those that ask for a look; the others are facts.
BAD_BADGES: Final = frozenset({Badge.FAILED, Badge.DAMAGED})
DOUBTFUL_BADGES: Final = frozenset({
    Badge.UNFINISHED, Badge.TRUNCATED, Badge.BAD_SCORE, Badge.CLIPPED, Badge.TAIL_SILENCE, Badge.ODD_LENGTH,
})  # fmt: skip


def clock(seconds: float) -> str:
    """A length or a place as `2:38`."""
    minutes, rest = divmod(max(0, int(seconds + 1e-6)), _MINUTE)
    return f"{minutes}:{rest:02}"


def rest_words(seconds: float | None) -> str:
    """`about 3 min left`; empty where nobody knows."""
    if seconds is None:
        return ""
    if seconds < 10:
        return _tr("a few seconds left")
    if seconds < _MINUTE:
        return _tr("about {} s left").format(round(seconds / 10) * 10)
    if seconds < 90 * _MINUTE:
        return _tr("about {} min left").format(max(1, round(seconds / _MINUTE)))
    return _tr("about {} h left").format(f"{seconds / _HOUR:.1f}")


def still_words(seconds: int | None) -> str:
    """`no progress for 40 s`; empty while something moves."""
    if seconds is None:
        return ""
    if seconds < 2 * _MINUTE:
        return _tr("no progress for {} s").format(seconds)
    if seconds < 2 * _HOUR:
        return _tr("no progress for {} min").format(seconds // _MINUTE)
    return _tr("no progress for {} h").format(seconds // _HOUR)


def time_words(standing: JobStanding | None) -> str:
    """How long the running stage still takes or, where it does not move, for how long that is so."""
    return "" if standing is None else still_words(standing.still_s) or rest_words(standing.remaining_s)


def stage_words(standing: JobStanding | None) -> str:
    """`singing 1,204 of ~4,000 tokens`: what the engine does, and how much of how much."""
    if standing is None:
        return _tr("starting")
    done, total = (_locale().toString(number) for number in (standing.done, standing.total))
    words = {
        "score": _tr("writing the score, {done} of ~{total} tokens"),
        "semantic": _tr("singing {done} of ~{total} tokens"),
        "acoustic": _tr("shaping the sound, step {done} of {total}"),
        "decode": _tr("making the audio, {done} of {total} parts"),
    }.get(standing.stage)
    if standing.total <= 0:
        return _tr("starting")
    if words is None:
        return _tr("{stage}, {done} of {total} {unit}").format(
            stage=standing.stage, done=done, total=total, unit=standing.unit
        )
    return words.format(done=done, total=total)


def job_words(row: JobRow) -> str:
    """How a job stands, in one line."""
    job = row.job
    if row.cancelling:
        return _tr("Cancelling…")
    if job.state is JobState.RUNNING:
        return stage_words(row.standing)
    if job.state is JobState.FAILED:
        return job.problem or _tr("failed")
    if row.is_held:
        return _tr("waits: the queue is paused")
    return {
        JobState.WAITING: _tr("waits for a score") if job.part is JobPart.SCORE else _tr("waits"),
        JobState.PAUSED: _tr("paused"),
        JobState.CANCELLED: _tr("cancelled"),
        JobState.INTERRUPTED: _tr("interrupted; what is finished of it is kept"),
        JobState.DONE: _tr("done"),
    }[job.state]


def line_words(row: JobRow) -> JobWords:
    """What the line of a job says: how it stands and, while something is still to come, how fast, by which plan."""
    runs = row.job.state is JobState.RUNNING and not row.cancelling
    is_over = row.job.state.is_over or row.cancelling
    return JobWords(
        job_words(row),
        rate=rate_words(row.standing, _locale()) if runs else "",
        plan="" if is_over else row.job.plan,
        time=time_words(row.standing) if runs else "",
        has_bar=share_done(row) is not None,
    )


def is_still(row: JobRow) -> bool:
    """Whether the job runs and should have moved by now."""
    standing = row.standing
    return (
        row.job.state is JobState.RUNNING
        and not row.cancelling
        and standing is not None
        and standing.still_s is not None
    )


def share_done(row: JobRow) -> float | None:
    """How much of the running stage is done, 0 to 1; None where no bar is to be drawn."""
    standing = row.standing
    if row.job.state is not JobState.RUNNING or standing is None or standing.total <= 0:
        return None
    return min(1.0, max(0.0, standing.done / standing.total))


def badge_word(badge: Badge) -> str:
    """A mark in a word or two."""
    return {
        Badge.UNFINISHED: _tr("unfinished"),
        Badge.FAILED: _tr("failed"),
        Badge.DAMAGED: _tr("damaged"),
        Badge.DRAFT: _tr("draft"),
        Badge.TRUNCATED: _tr("cut short"),
        Badge.EDITED_SCORE: _tr("own score"),
        Badge.BAD_SCORE: _tr("score has mistakes"),
        Badge.RESUMED: _tr("resumed"),
        Badge.CLIPPED: _tr("clipped"),
        Badge.TAIL_SILENCE: _tr("silent end"),
        Badge.ODD_LENGTH: _tr("odd length"),
    }[badge]


def badge_tip(take: TakeSummary, badge: Badge) -> str:
    """A mark in a sentence."""
    silence = take.loudness.tail_silence_s if take.loudness is not None else 0.0
    cut = take.unsung or _tr("The song ends at its limit of tokens; the last sections may not be sung.")
    if take.score_truncated and not take.song_truncated:
        cut = _tr("The score ends at its limit of tokens; the last sections may be missing.")
    return {
        Badge.UNFINISHED: _tr("It was not finished; what there is of it is kept."),
        Badge.FAILED: take.problem or _tr("It failed."),
        Badge.DAMAGED: " ".join(take.damage),
        Badge.DRAFT: _tr("The sound was refined in {} steps; a final has the same song with a better sound.").format(
            take.ode_steps
        ),
        Badge.TRUNCATED: cut,
        Badge.EDITED_SCORE: _tr("The score was given, not written by the model."),
        Badge.BAD_SCORE: _tr("Its score has one mistake.")
        if take.score_errors == 1
        else _tr("Its score has %n mistakes.", take.score_errors or 0),
        Badge.RESUMED: _tr("It was interrupted and went on later, so the same seed may give another take."),
        Badge.CLIPPED: _tr("Its loudest places are cut off."),
        Badge.TAIL_SILENCE: _tr("It ends with {} s of silence; an export can leave that out.").format(round(silence)),
        Badge.ODD_LENGTH: take.words_doubt,
    }[badge]


def kind_words(take: TakeSummary) -> str:
    """What kind of take it is: `final`, `16 steps`, `score only`."""
    if take.state is TakeState.PARTIAL and take.audio is None:
        return _tr("score only") if take.seconds is None else _tr("no sound yet")
    if take.is_draft or take.audio is None or take.ode_steps is None:
        return ""  # a draft has its badge
    return _tr("final") if take.ode_steps >= FINAL_STEPS else _tr("{} steps").format(take.ode_steps)


def date_words(when: datetime, now: datetime) -> str:
    """`14:05` today, else `3 Nov`, with the year where it is another; in the time of this machine."""
    there, here = when.astimezone(), now.astimezone()
    locale = _locale()
    if there.date() == here.date():
        return locale.toString(QTime(there.hour, there.minute), QLocale.FormatType.ShortFormat)
    return locale.toString(
        QDate(there.year, there.month, there.day), "d MMM" if there.year == here.year else "d MMM yyyy"
    )


def number_words(row: Row) -> str:
    """Which take of its song it is; empty for a score, which is no take, and where nobody knows."""
    if isinstance(row, JobRow):
        return "" if row.job.part is JobPart.SCORE else str(row.job.take)
    song = row.take.song
    return "" if song is None or song.take is None else str(song.take)


def seed_words(row: Row) -> str:
    """The seed as it is shown."""
    seed = row.job.seed if isinstance(row, JobRow) else row.take.seed
    return "" if seed is None else _tr("seed {}").format(seed)


def song_of(row: Row) -> str:
    """The id of the row's song; empty where nobody knows."""
    if isinstance(row, JobRow):
        return row.job.song
    return "" if row.take.song is None else row.take.song.id


def lead_words(row: Row, song: str) -> str:
    """What a row begins with: its seed, or its song's title where that is not the song of the list."""
    if song and song_of(row) == song:
        return seed_words(row)
    return row.job.title if isinstance(row, JobRow) else row.take.title


def by_weight(badges: Iterable[Badge]) -> tuple[Badge, ...]:
    """Marks with what went wrong first, since a narrow row has no room for all."""
    return tuple(sorted(badges, key=lambda badge: (badge not in BAD_BADGES, badge not in DOUBTFUL_BADGES)))


def name_of(row: Row) -> str:
    """The row in a few words, for questions and the player: `Ferry, take 3`."""
    title = row.job.title if isinstance(row, JobRow) else row.take.title
    number = number_words(row)
    if number:
        return _tr("{title}, take {number}").format(title=title, number=number)
    return _tr("{}, score").format(title) if _is_score(row) else title


def _is_score(row: Row) -> bool:
    """Whether it is a score that was asked for alone: of a song, but none of its takes."""
    if isinstance(row, JobRow):
        return row.job.part is JobPart.SCORE
    take = row.take
    return take.audio is None and take.song is not None and take.song.take is None


def spoken(row: Row, now: datetime) -> str:
    """Everything that a row shows, in words, for those who hear it."""
    parts = [name_of(row), seed_words(row)]
    if isinstance(row, JobRow):
        said = line_words(row)
        return ", ".join(part for part in (*parts, said.text, said.rate, said.time, said.plan) if part)
    take = row.take
    parts += [
        _tr("starred") if take.star else "",
        clock(take.seconds) if take.seconds is not None else "",
        kind_words(take),
        *(badge_word(badge) for badge in take.badges),
        date_words(take.created, now),
        take.note,
    ]
    return ", ".join(part for part in parts if part)


def tip(row: Row) -> str:
    """What is worth knowing beyond the row itself, a line each."""
    if isinstance(row, TakeRow):
        take = row.take
        marks = (badge_tip(take, one) for one in take.badges)
        lines = [name_of(row), take.style, take.note, *marks]
        return "\n".join(line for line in lines if line)
    said = line_words(row)
    stands = " · ".join(part for part in (said.text, said.rate, said.time) if part)
    cure = _still_cure() if is_still(row) else ""
    return "\n".join(line for line in (name_of(row), row.job.plan, stands, cure) if line)


def _still_cure() -> str:
    return _tr(
        "The memory may be full, or another program takes the machine. If you cancel, what is finished is kept, and ↻ "
        "goes on from there."
    )


def _locale() -> QLocale:
    """The user's; English where the system says none, for which Qt would write no commas."""
    found = QLocale()
    return QLocale(QLocale.Language.English) if found.language() == QLocale.Language.C else found


def _tr(text: str, number: int = -1) -> str:
    return QCoreApplication.translate("Takes", text, None, number)
