"""The text below the notation, which folds away, with one row on what is wrong with it and on the notation's size."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from yue2_desktop.score.parser import Parsed
from yue2_desktop.ui.notice_bar import NoticeBar
from yue2_desktop.ui.score.abc_edit import AbcEdit
from yue2_desktop.ui.score.abc_menu import RepairOf
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon


class TextPane(QWidget):
    """A row with the fold, faults and zoom; a calm line; the text."""

    zoom_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fold = QToolButton()
        self.fold.setText(self.tr("ABC text"))
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setCheckable(True)
        self.fold.setProperty("fold", True)
        self.fold.setAccessibleName(self.tr("Show the text of the score"))
        self.fold.setToolTip(self.tr("Show or hide the text of the score"))
        self.faults = QLabel()
        self.faults.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.repair = QPushButton(self.tr("Repair what is safe"))
        self.repair.setProperty("kind", "link")
        self.repair.setAccessibleName(self.tr("Repair all that is safe"))
        self.repair.setToolTip(self.tr("Mends what can be mended without changing what sounds"))
        self.smaller, self.larger = QToolButton(), QToolButton()
        self.zoom = QLabel("100 %")
        self.zoom.setFont(number_font(self.zoom.font()))
        self.zoom.setProperty("role", "quiet")
        for button, name in ((self.smaller, self.tr("Smaller notation")), (self.larger, self.tr("Larger notation"))):
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.setIconSize(QSize(metrics.ICON, metrics.ICON))
        self.notice = NoticeBar(self)
        self.edit = AbcEdit(self)
        self.edit.setMinimumHeight(12 * metrics.GRID)
        self.edit.hide()
        for one in (self.fold, self.smaller, self.larger):
            one.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            one.setMinimumSize(metrics.COMPACT_HEIGHT, metrics.COMPACT_HEIGHT)
        row = QHBoxLayout()
        row.setSpacing(metrics.NEAR)
        row.addWidget(self.fold)
        row.addSpacing(metrics.GAP)
        row.addWidget(self.faults, 1)
        row.addWidget(self.repair)
        for part in (self.smaller, self.zoom, self.larger):
            row.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.NEAR)
        column.addLayout(row)
        column.addWidget(self.notice)
        column.addWidget(self.edit, 1)
        order = (self.fold, self.repair, self.smaller, self.larger, self.notice.button, self.edit)
        for before, behind in pairwise(order):
            QWidget.setTabOrder(before, behind)
        self.fold.toggled.connect(self._unfold)
        self.smaller.clicked.connect(self._zoom_out)
        self.larger.clicked.connect(self._zoom_in)
        self.fold.setStyleSheet("QToolButton:checked { background: transparent; color: palette(text); }")
        self._colour()
        self._fit()
        self.show_parsed(None, _nothing)

    @property
    def is_open(self) -> bool:
        """Whether the text is shown."""
        return self.fold.isChecked()

    def open(self, *, is_open: bool = True) -> None:
        """Shows or hides the text."""
        self.fold.setChecked(is_open)

    def show_parsed(self, parsed: Parsed | None, repair_of: RepairOf) -> None:
        """What is wrong with the text."""
        diagnostics = parsed.diagnostics if parsed is not None else ()
        errors = sum(1 for one in diagnostics if one.is_error)
        self.edit.show_diagnostics(diagnostics, repair_of)
        said = []
        if errors:
            said.append(self.tr("1 fault") if errors == 1 else self.tr("{count} faults").format(count=errors))
        if doubtful := len(diagnostics) - errors:
            said.append(
                self.tr("1 doubtful place") if doubtful == 1 else self.tr("{} doubtful places").format(doubtful)
            )
        self.faults.setText(", ".join(said))
        self.faults.setProperty("role", "bad" if errors else "doubtful")
        self.faults.style().unpolish(self.faults)
        self.faults.style().polish(self.faults)
        self.faults.setToolTip("\n".join(one.sentence for one in diagnostics[:8]))
        self.repair.setVisible(any(one.repair for one in diagnostics))

    def show_zoom(self, zoom: float) -> None:
        """The size of the notation."""
        self.zoom.setText(self.tr("{percent} %").format(percent=round(100 * zoom)))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: icons in the colours of now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "edit"):
            self._colour()

    def _colour(self) -> None:
        self.fold.setIcon(icon("chevron-down" if self.is_open else "chevron-right"))
        self.smaller.setIcon(icon("zoom-out"))
        self.larger.setIcon(icon("zoom-in"))

    def _fit(self) -> None:
        # Folded, the pane is as high as its row: the splitter goes by the policy.
        policy = QSizePolicy.Policy.Preferred if self.is_open else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
        self.updateGeometry()

    @Slot(bool)
    def _unfold(self, is_open: bool) -> None:
        self.edit.setVisible(is_open)
        self._colour()
        self._fit()

    @Slot()
    def _zoom_out(self) -> None:
        self.zoom_asked.emit(-1)

    @Slot()
    def _zoom_in(self) -> None:
        self.zoom_asked.emit(1)


def _nothing(_diagnostic: object) -> None:
    return None
