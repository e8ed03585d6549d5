"""How a row is painted: a take with its waveform and marks, or a render with its stage and bar."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from yue2_desktop.library.soundings import Sounding
from yue2_desktop.library.take_summary import Badge, TakeSummary
from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.player.waveform import WaveCache
from yue2_desktop.ui.takes import words
from yue2_desktop.ui.takes.job_line import job_line
from yue2_desktop.ui.takes.model import ROW_ROLE
from yue2_desktop.ui.takes.places import ROW_HEIGHT, Places, places
from yue2_desktop.ui.takes.rows import JobRow, TakeRow
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.palette import Palette, mixed
from yue2_desktop.ui.theme.qt_palette import current_palette

Index = QModelIndex | QPersistentModelIndex

_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_BAR: Final = 6
_LEAD_LEAST: Final = 12 * metrics.GRID
_LEAD_SHARE: Final = 0.2
#: With less room than this the marks come first.
_KIND_LEAST: Final = 25 * metrics.GRID


class RowDelegate(QStyledItemDelegate):
    """Paints rows; the values are set by the panel.

    `song` is the one whose rows need no title; `widest_lead` is the longest text that rows begin with.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.soundings: Mapping[str, Sounding] = {}
        self.playing = ""
        self.is_sounding = False
        self.song = ""
        self.widest_lead = ""
        self._waves = WaveCache()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Qt's own: one height for all rows."""
        return QSize(0, max(ROW_HEIGHT, option.fontMetrics.height() + 2 * metrics.GRID))

    def places_of(self, rect: QRect, metric: QFontMetrics) -> Places:
        """Where the parts of `row` are in `rect`; these are as wide in all rows."""
        number = metric.horizontalAdvance("000")
        # Advances are rounded, and a text that is a little wider would be cut.
        widest = max(metric.horizontalAdvance(self.widest_lead), metric.horizontalAdvance("seed 000")) + 2
        lead = min(widest, max(_LEAD_LEAST, int(rect.width() * _LEAD_SHARE)))
        date = metric.horizontalAdvance("30 Nov 2026")
        return places(rect, (number, lead, date))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Qt's own."""
        row = index.data(ROW_ROLE)
        if row is None:
            return
        palette = current_palette()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(number_font(option.font))
        state = option.state
        self._paint_ground(painter, option, palette)
        where = self.places_of(option.rect, painter.fontMetrics())
        ink = palette.on_selected if state & QStyle.StateFlag.State_Selected else palette.text
        quiet = ink if state & QStyle.StateFlag.State_Selected else palette.quiet
        painter.setPen(QColor(ink))
        painter.drawText(where.number, _RIGHT, words.number_words(row))
        painter.setPen(QColor(quiet))
        painter.drawText(where.lead, _LEFT, _cut(painter, words.lead_words(row, self.song), where.lead.width()))
        if isinstance(row, TakeRow):
            self._paint_take(painter, where, row, palette, ink, quiet)
        else:
            self._paint_job(painter, where, row, palette, ink, quiet)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, palette: Palette) -> None:
        flags = QStyle.StateFlag
        ground = QRectF(option.rect).adjusted(metrics.NEAR, 1, -metrics.NEAR, -1)
        if option.state & (flags.State_Selected | flags.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.selected if option.state & flags.State_Selected else palette.hover))
            painter.drawRoundedRect(ground, metrics.RADIUS, metrics.RADIUS)
        if option.state & flags.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(palette.accent_text))
            painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), metrics.RADIUS, metrics.RADIUS)

    def _paint_take(
        self, painter: QPainter, where: Places, row: TakeRow, palette: Palette, ink: str, quiet: str
    ) -> None:
        take = row.take
        plays = self.playing == str(take.folder)
        star, colour = ("star-filled", palette.accent_text) if take.star else ("star", palette.disabled)
        _paint_icon(painter, where.star, star, colour)
        sounding = self.soundings.get(str(take.folder))
        if sounding is not None and where.wave.width():
            size = QSize(where.wave.width(), where.wave.height() - 2 * metrics.GRID)
            colour = palette.accent_text if plays else palette.wave
            ratio = painter.device().devicePixelRatioF()
            picture = self._waves.picture(str(take.folder), sounding, size, ratio, colour)
            painter.drawPixmap(where.wave.topLeft() + QPoint(0, metrics.GRID), picture)
        elif where.wave.width():
            painter.setPen(QColor(palette.line))
            middle = where.wave.center().y()
            painter.drawLine(where.wave.left(), middle, where.wave.right(), middle)
        rest = QRect(where.words)
        rest = _say(painter, rest, "" if take.seconds is None else words.clock(take.seconds), ink, "0:00")
        if not take.badges or rest.width() > _KIND_LEAST:
            rest = _say(painter, rest, words.kind_words(take), quiet)
        rest = _pills(painter, rest, words.by_weight(take.badges), palette)
        painter.setPen(QColor(quiet))
        painter.drawText(rest, _LEFT, _cut(painter, _aside(take), rest.width()))
        painter.drawText(where.date, _RIGHT, words.date_words(take.created, datetime.now(UTC)))
        if row.has_sound:
            _paint_icon(painter, where.play, "pause" if plays and self.is_sounding else "play", ink)
        elif row.button:
            _paint_icon(painter, where.play, "retry", ink)
        _paint_icon(painter, where.more, "more", quiet)

    def _paint_job(self, painter: QPainter, where: Places, row: JobRow, palette: Palette, ink: str, quiet: str) -> None:
        job = row.job
        signs = {
            JobState.RUNNING: ("render", palette.accent_text),
            JobState.FAILED: ("error", palette.bad),
            JobState.PAUSED: ("pause", palette.quiet),
            JobState.CANCELLED: ("cancelled", palette.quiet),
            JobState.INTERRUPTED: ("warning", palette.doubtful),
        }
        _paint_icon(painter, where.star, *signs.get(job.state, ("clock", palette.quiet)))
        left = where.wave.left() if where.wave.width() else where.words.left()
        rest = QRect(left, where.words.top(), where.date.right() - left, where.words.height())
        said = words.line_words(row)
        line = job_line(rest, said, painter.fontMetrics().horizontalAdvance)
        share = words.share_done(row)
        if share is not None and line.bar.width():
            _paint_bar(painter, line.bar, share, palette)
        # What nothing comes of any more steps back behind what waits.
        inks = {JobState.FAILED: palette.bad, JobState.CANCELLED: quiet}
        parts = (
            (line.text, said.text, inks.get(job.state, ink)),
            (line.rate, said.rate, quiet),
            (line.plan, said.plan, quiet),
            (line.time, said.time, palette.doubtful if words.is_still(row) else quiet),
        )
        for place, text, colour in parts:
            if place.width():
                painter.setPen(QColor(colour))
                painter.drawText(place, _LEFT, _cut(painter, text, place.width()))
        if not job.state.is_over and not row.cancelling:
            _paint_icon(painter, where.play, "close", ink)
        elif job.state.is_over:
            _paint_icon(painter, where.play, "retry", ink)
        _paint_icon(painter, where.more, "more", quiet)

    def editorEvent(self, event: QEvent, model: object, option: QStyleOptionViewItem, index: Index) -> bool:
        """Qt's own: the view hears the mouse itself."""
        return False


def _aside(take: TakeSummary) -> str:
    """What is said where there is room: the user's own note, or why it failed."""
    return take.note or take.problem or ""


def _badge_colour(badge: Badge, palette: Palette) -> str:
    if badge in words.BAD_BADGES:
        return palette.bad
    return palette.doubtful if badge in words.DOUBTFUL_BADGES else palette.quiet


def _paint_icon(painter: QPainter, place: QRect, name: str, colour: str) -> None:
    size = metrics.ICON
    spot = QRect(place.center().x() - size // 2 + 1, place.center().y() - size // 2 + 1, size, size)
    icon(name, colour=colour).paint(painter, spot)


def _paint_bar(painter: QPainter, place: QRect, share: float, palette: Palette) -> None:
    bar = QRectF(place.left(), place.center().y() - _BAR / 2 + 1, place.width(), _BAR)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(mixed(palette.line, palette.outline, 0.25)))
    painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
    painter.setBrush(QColor(palette.accent if palette.is_dark else palette.accent_text))
    done = QRectF(bar)
    done.setWidth(max(_BAR, bar.width() * share))
    painter.drawRoundedRect(done, _BAR / 2, _BAR / 2)


def _cut(painter: QPainter, text: str, width: int) -> str:
    line = " ".join(text.split())
    return painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, max(0, width))


def _say(painter: QPainter, rest: QRect, text: str, colour: str, least: str = "") -> QRect:
    """Writes `text` if it has room, and gives what is left of `rest`."""
    metric = painter.fontMetrics()
    width = max(metric.horizontalAdvance(text), metric.horizontalAdvance(least) if least else 0)
    if width == 0 or width > rest.width():
        return rest
    painter.setPen(QColor(colour))
    painter.drawText(rest, _LEFT, text)
    return rest.adjusted(width + metrics.GROUP_GAP, 0, 0, 0)


def _pills(painter: QPainter, rest: QRect, badges: tuple[Badge, ...], palette: Palette) -> QRect:
    """The marks that have room, and how many have none."""
    more_room = painter.fontMetrics().horizontalAdvance("+9") + metrics.GAP
    for place, badge in enumerate(badges):
        last = place == len(badges) - 1
        free = rest if last else rest.adjusted(0, 0, -more_room, 0)
        after = _pill(painter, free, words.badge_word(badge), _badge_colour(badge, palette), palette)
        if after is free:
            return _say(painter, rest, f"+{len(badges) - place}", palette.quiet)
        rest = QRect(after.left(), rest.top(), rest.right() - after.left() + 1, rest.height())
    return rest


def _pill(painter: QPainter, rest: QRect, text: str, colour: str, palette: Palette) -> QRect:
    """A quiet outline with a word in it, if it has room."""
    metric = painter.fontMetrics()
    width = metric.horizontalAdvance(text) + 2 * metrics.GRID
    if width > rest.width():
        return rest
    height = metric.height() + 2
    pill = QRectF(rest.left() + 0.5, rest.center().y() - height / 2 + 1, width, height)
    painter.setPen(QColor(mixed(palette.line, colour, 0.4)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(pill, height / 2, height / 2)
    painter.setPen(QColor(colour))
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
    return rest.adjusted(width + metrics.GAP, 0, 0, 0)
