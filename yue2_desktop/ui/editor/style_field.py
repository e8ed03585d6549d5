"""The style of a song: chips in their order, and a line among them in which the next one is typed."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from yue2_desktop.song.style.chips import chips_of, missing_category, style_of, with_piece
from yue2_desktop.song.style.completion import complete
from yue2_desktop.song.style.vocabulary import Vocabulary
from yue2_desktop.ui.editor.category_titles import category_titles, kind_text
from yue2_desktop.ui.editor.chip import ChipButton
from yue2_desktop.ui.editor.flow import FlowLayout
from yue2_desktop.ui.editor.room import Room
from yue2_desktop.ui.editor.style_entry import StyleEntry
from yue2_desktop.ui.editor.suggestion_list import SuggestionList
from yue2_desktop.ui.theme.metrics import GRID

#: A field as the others, though chips are in it.
_LOOK = """
StyleField { background: palette(base); border: 1px solid palette(dark); border-radius: 6px; }
StyleField[focused="true"] { border-color: palette(link); }
"""


class StyleField(QScrollArea):
    """`style_changed` carries the whole style, and whether it came by typing, which makes one undo step with the last.

    What is half typed is part of the style at once, so that nothing is lost and what is seen is what is sung.
    """

    style_changed = Signal(str, bool)
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, vocabulary: Vocabulary, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vocabulary = vocabulary
        self._texts, self._at = list[str](), 0
        self._chips: list[ChipButton] = []
        self._rows = Room.AMPLE.style_rows
        self._holder = QWidget()
        self._flow = FlowLayout(self._holder, gap=GRID // 2)
        self._flow.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        self._first = QWidget(self._holder)  # where the tab order of the chips begins
        self._first.setFixedSize(0, 0)
        self._first.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Qt puts nothing into an order beside what has none
        self._entry = StyleEntry(self._holder)
        self._flow.addWidget(self._entry)
        self._list = SuggestionList(self)
        self.setWidget(self._holder)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # first, since a proxy is given the same
        self.setFocusProxy(self._entry)
        self.setStyleSheet(_LOOK)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Style"))
        for widget in (self.viewport(), self._holder):  # or they would paint over the corners of the border
            widget.setAutoFillBackground(False)
        self._connect()
        self._prompt()

    @property
    def entry(self) -> StyleEntry:
        """The line in which a piece is typed."""
        return self._entry

    @property
    def first(self) -> QWidget:
        """What stands before chips and line in the order of Tab; it takes no focus itself."""
        return self._first

    @property
    def chips(self) -> list[ChipButton]:
        """The chips in their order."""
        return list(self._chips)

    @property
    def suggestions(self) -> SuggestionList:
        """What is offered for what is typed."""
        return self._list

    def pieces(self) -> list[str]:
        """The pieces of the style in order, with the one that is being typed."""
        typed = self._entry.text().strip()
        return [*self._texts[: self._at], *([typed] if typed else []), *self._texts[self._at :]]

    def set_style(self, style: str) -> None:
        """Shows another style; what is being typed stays where it is part of it."""
        found = [chip.text for chip in chips_of(style, self._vocabulary)]
        if found == self.pieces():
            return
        self._entry.clear()
        self._list.hide()
        self._show(found, len(found))

    def pick(self, text: str) -> None:
        """Adds a piece of the vocabulary, where styles have its kind; it takes the place of what is half typed."""
        if self._at < len(self._texts):
            self._finish_with(text)
            return
        style = with_piece(style_of(self._texts), text, self._vocabulary)
        self._entry.clear()
        self._list.hide()
        texts = [chip.text for chip in chips_of(style, self._vocabulary)]
        self._show(texts, len(texts))
        self._tell(typing=False)

    def set_room(self, room: Room) -> None:
        """How much room there is: fewer rows in less, and the others by scrolling."""
        self._rows = room.style_rows
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's own: a click on nothing goes to the line."""
        self._entry.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: with another font comes another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_entry"):
            self._fit()

    def _connect(self) -> None:
        self.verticalScrollBar().rangeChanged.connect(self._keep_in_view)  # rows come when there is time to lay out
        entry = self._entry
        entry.textEdited.connect(self._typed)
        entry.finished.connect(self._finish)
        entry.left_at_start.connect(partial(self._focus_chip, -1))
        entry.left_at_end.connect(partial(self._focus_chip, 0))
        entry.erased_at_start.connect(partial(self._focus_chip, -1))
        entry.stepped.connect(self._step)
        entry.escaped.connect(self._list.hide)
        entry.left.connect(self._settle)
        entry.entered.connect(partial(self._frame, True))
        entry.left.connect(partial(self._frame, False))
        entry.undo_asked.connect(self.undo_asked)
        entry.redo_asked.connect(self.redo_asked)
        self._list.chosen.connect(self.pick)

    def _show(self, texts: list[str], at: int) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._texts, self._at = texts, at
        known = chips_of(style_of(texts), self._vocabulary)
        self._chips = []
        for index, one in enumerate(known):
            chip = ChipButton(one.text, kind_text(one.category, known=one.known), self._holder)
            chip.edit_asked.connect(partial(self._edit, index))
            chip.removed.connect(partial(self._remove, index))
            chip.gone_to.connect(partial(self._go, index))
            chip.moved.connect(partial(self._move, index))
            self._flow.addWidget(chip)
            chip.show()
            self._chips.append(chip)
        order: list[QWidget] = [*self._chips[:at], self._entry, *self._chips[at:]]
        self._flow.arrange(order)
        before = self._first
        for widget in order:
            QWidget.setTabOrder(before, widget)
            before = widget
        self._prompt()
        self._fit()

    def _prompt(self) -> None:
        titles = category_titles()
        missing = missing_category(chips_of(style_of(self._texts), self._vocabulary))
        if not self._texts:
            self._entry.setPlaceholderText(self.tr("Language, genre, mood, voice …"))
        elif missing is not None:
            self._entry.setPlaceholderText(self.tr("{category} …").format(category=titles[missing]))
        else:
            self._entry.setPlaceholderText("")

    def _fit(self) -> None:
        self._flow.invalidate()
        row = self._entry.sizeHint().height() + GRID // 2
        wanted = self._flow.heightForWidth(max(1, self.viewport().width()))
        self.setFixedHeight(min(wanted, self._rows * row + GRID // 2) + 2 * self.frameWidth())
        self._keep_in_view()

    @Slot()
    def _keep_in_view(self) -> None:
        """What has the focus is seen whole; `ensureWidgetVisible` is content with the cursor of a line."""
        one = next((part for part in (self._entry, *self._chips) if part.hasFocus()), None)
        if one is not None:
            bar, around = self.verticalScrollBar(), one.geometry().adjusted(0, -GRID // 2, 0, GRID // 2)
            bar.setValue(min(max(bar.value(), around.bottom() + 1 - self.viewport().height()), around.top()))

    def _tell(self, *, typing: bool) -> None:
        self.style_changed.emit(style_of(self.pieces()), typing)

    @Slot(str)
    def _typed(self, text: str) -> None:
        pieces = [chip.text for chip in chips_of(text, self._vocabulary)]
        ended = bool(text) and text.rstrip()[-1:] in set(",，、;；")
        whole = pieces if ended else pieces[:-1]
        if whole or ended:
            self._entry.setText("" if ended else pieces[-1])
            self._show([*self._texts[: self._at], *whole, *self._texts[self._at :]], self._at + len(whole))
        self._tell(typing=True)
        self._suggest()
        self._fit()

    def _suggest(self) -> None:
        if self._entry.text().strip():
            self._offer()
        else:
            self._list.hide()

    def _offer(self) -> None:
        first = missing_category(chips_of(style_of(self._texts), self._vocabulary))
        self._list.offer(complete(self._entry.text(), self._vocabulary, taken=self._texts, first=first))

    @Slot(int)
    def _step(self, by: int) -> None:
        if not self._list.isVisible():
            self._offer()
        self._list.step(by)

    @Slot()
    def _finish(self) -> None:
        chosen = self._list.current_text() if self._list.isVisible() else ""
        if chosen:
            self.pick(chosen)
        else:
            self._finish_with(self._entry.text().strip())

    def _finish_with(self, text: str) -> None:
        self._list.hide()
        self._entry.clear()
        self._show(
            [*self._texts[: self._at], *([text] if text else []), *self._texts[self._at :]], self._at + bool(text)
        )
        self._tell(typing=True)

    @Slot()
    def _settle(self) -> None:
        """What is typed becomes a chip, and the line goes behind them all."""
        self._list.hide()
        if self._entry.text().strip() or self._at != len(self._texts):
            pieces = self.pieces()
            self._entry.clear()
            self._show(pieces, len(pieces))

    def _frame(self, focused: bool) -> None:
        self.setProperty("focused", focused)
        self.style().unpolish(self)
        self.style().polish(self)

    def _focus_chip(self, offset: int) -> None:
        index = self._at + offset
        if 0 <= index < len(self._chips):
            self._to(self._chips[index])

    def _go(self, index: int, by: int) -> None:
        target = index + by
        if 0 <= target < len(self._chips):
            self._to(self._chips[target])
        elif by > 0:
            self._to(self._entry)

    def _to(self, widget: QWidget) -> None:
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        self._keep_in_view()

    def _edit(self, index: int) -> None:
        text = self._texts[index]
        self._entry.setFocus()
        self._entry.setText(text)
        self._show([*self._texts[:index], *self._texts[index + 1 :]], index)
        self._entry.selectAll()

    def _remove(self, index: int, backwards: bool) -> None:
        had_focus = self._chips[index].hasFocus()
        self._show([*self._texts[:index], *self._texts[index + 1 :]], len(self._texts) - 1)
        if had_focus:
            target = max(0, index - 1) if backwards else index
            self._to(self._chips[target] if target < len(self._chips) else self._entry)
        self._tell(typing=False)

    def _move(self, index: int, by: int) -> None:
        target = index + by
        if 0 <= target < len(self._texts):
            texts = list(self._texts)
            texts.insert(target, texts.pop(index))
            self._show(texts, len(texts))
            self._to(self._chips[target])
            self._tell(typing=False)
