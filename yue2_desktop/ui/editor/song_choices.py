"""What is chosen beside the words: what the model writes before it sings, and which seed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QValidator
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from yue2_desktop.song.request import COTS, SEED_LIMIT
from yue2_desktop.song.seeds import SeedKind, SeedPolicy, fresh_seed
from yue2_desktop.ui.editor.flow import FlowLayout
from yue2_desktop.ui.theme.metrics import CONTROL_HEIGHT, GRID

_SHOWN_DIGITS = "831001000"


class SongChoices(QWidget):
    """`cot_chosen` carries full, melody or off; `seed_chosen` the new policy, and whether it came by typing."""

    cot_chosen = Signal(str)
    seed_chosen = Signal(object, bool)
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._policy = SeedPolicy()
        self._cot = QComboBox(self)
        for cot, text, hint in self._cot_texts():
            self._cot.addItem(text, cot)
            self._cot.setItemData(self._cot.count() - 1, hint, Qt.ItemDataRole.ToolTipRole)
        self._kind = QComboBox(self)
        for kind, text, hint in self._kind_texts():
            self._kind.addItem(text, kind)
            self._kind.setItemData(self._kind.count() - 1, hint, Qt.ItemDataRole.ToolTipRole)
        self._value = SeedLine(self)
        self._fresh = QPushButton(self.tr("Roll"), self)
        self._fresh.setToolTip(self.tr("Another seed, by chance: another take of the same song"))
        self._fresh.setAccessibleDescription(self._fresh.toolTip())
        flow = FlowLayout(self, gap=2 * GRID, row_gap=GRID)
        flow.addWidget(_pair(self.tr("S&core"), self._cot))
        flow.addWidget(_group(_pair(self.tr("See&d"), self._kind), _pair("", self._value, self._fresh)))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._cot.setAccessibleName(self.tr("The score that the model writes before it sings"))
        self._kind.setAccessibleName(self.tr("How the seed is chosen"))
        self._value.setAccessibleName(self.tr("Seed"))
        self._cot.activated.connect(self._choose_cot)
        self._kind.activated.connect(self._choose_kind)
        self._value.textEdited.connect(self._type_seed)
        self._value.left.connect(self._show_seed)
        self._value.undo_asked.connect(self.undo_asked)
        self._value.redo_asked.connect(self.redo_asked)
        self._fresh.clicked.connect(self._roll)
        self._show_seed()

    def set_tight(self, tight: bool) -> None:
        """Whether there is only room for one row: then what has a name in its tooltip stands without it."""
        for extra in (*self.findChildren(QLabel), self._fresh):
            extra.setVisible(not tight)
        self.updateGeometry()

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What can be operated, in the order of reading."""
        return self._cot, self._kind, self._value, self._fresh

    @property
    def seed_line(self) -> SeedLine:
        """The line with the seed's number."""
        return self._value

    def show_cot(self, cot: str) -> None:
        """Shows full, melody or off."""
        self._cot.setCurrentIndex(COTS.index(cot) if cot in COTS else 0)
        self._cot.setToolTip(str(self._cot.currentData(Qt.ItemDataRole.ToolTipRole)))

    def show_seed(self, policy: SeedPolicy) -> None:
        """Shows a policy; a number that is just being typed stays as it is."""
        was, self._policy = self._policy, policy
        if policy != was and not (self._value.hasFocus() and self._value.text() == str(policy.value)):
            self._show_seed()

    def _cot_texts(self) -> tuple[tuple[str, str, str], ...]:
        return (
            ("full", self.tr("With chords"),
             self.tr("The model writes melody and chords before it sings; you can read and change them.")),
            ("melody", self.tr("Melody only"), self.tr("The model writes a melody without chords before it sings.")),
            ("off", self.tr("None"), self.tr("The model sings at once, from the words alone.")),
        )  # fmt: skip

    def _kind_texts(self) -> tuple[tuple[SeedKind, str, str], ...]:
        return (
            (SeedKind.FIXED, self.tr("Keep"),
             self.tr("The same seed and settings give the same take again.")),
            (SeedKind.NEW, self.tr("New"), self.tr("Every render is another take.")),
            (SeedKind.COUNTING, self.tr("Count up"), self.tr("Every render takes the next number.")),
        )  # fmt: skip

    @Slot()
    def _show_seed(self) -> None:
        self._kind.setCurrentIndex(list(SeedKind).index(self._policy.kind))
        self._kind.setToolTip(str(self._kind.currentData(Qt.ItemDataRole.ToolTipRole)))
        self._value.setText(str(self._policy.value))
        is_new = self._policy.kind is SeedKind.NEW
        self._value.setReadOnly(is_new)
        self._value.setToolTip(self.tr("The seed of the last render") if is_new else self.tr("The seed, a number"))

    @Slot(int)
    def _choose_cot(self, index: int) -> None:
        self.cot_chosen.emit(COTS[index])

    @Slot(int)
    def _choose_kind(self, index: int) -> None:
        self.seed_chosen.emit(replace(self._policy, kind=list(SeedKind)[index]), False)

    @Slot(str)
    def _type_seed(self, text: str) -> None:
        if text:
            self.seed_chosen.emit(replace(self._policy, value=int(text)), True)

    @Slot()
    def _roll(self) -> None:
        kind = SeedKind.FIXED if self._policy.kind is SeedKind.NEW else self._policy.kind
        self.seed_chosen.emit(replace(self._policy, kind=kind, value=fresh_seed()), False)


class _SeedRange(QValidator):
    """Lets nothing be typed that is no seed."""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Qt's own."""
        digits = text.strip()
        if not digits:
            return QValidator.State.Intermediate, digits, min(place, len(digits))
        if not (digits.isascii() and digits.isdecimal()) or int(digits) >= SEED_LIMIT:
            return QValidator.State.Invalid, text, place
        return QValidator.State.Acceptable, digits, min(place, len(digits))


class SeedLine(QLineEdit):
    """A seed, of which the song's history has every change."""

    undo_asked = Signal()
    redo_asked = Signal()
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setValidator(_SeedRange(self))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Qt's own: for nine digits, which rolled seeds have at most."""
        width = self.fontMetrics().horizontalAdvance(_SHOWN_DIGITS) + 3 * GRID
        return QSize(width, max(CONTROL_HEIGHT, super().sizeHint().height()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's own: a line that was left empty has the seed again."""
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_asked.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_asked.emit()
        else:
            super().keyPressEvent(event)


def _pair(text: str, *controls: QWidget) -> QWidget:
    pair = QWidget()
    row = QHBoxLayout(pair)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(GRID)
    if text:
        label = QLabel(text)
        label.setBuddy(controls[0])
        row.addWidget(label)
    for control in controls:
        control.setMinimumHeight(CONTROL_HEIGHT)
        row.addWidget(control)
    return pair


def _group(*pairs: QWidget) -> QWidget:
    """Pairs that stay in one line as long as the window has one for them."""
    group = QWidget()
    flow = FlowLayout(group)
    for pair in pairs:
        flow.addWidget(pair)
    return group
