"""Items in lines, as words in a paragraph."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.editor.flow import FlowLayout


class Block(QWidget):
    """Wants 100 by 20 pixels, or as wide as it is told."""

    def __init__(self, width: int = 100) -> None:
        super().__init__()
        self._width = width
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._width, 20)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(10, 20)


@pytest.fixture
def row(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    FlowLayout(widget, gap=10, row_gap=4)
    return widget


def filled(row: QWidget, width: int, *blocks: QWidget) -> list[tuple[int, int, int, int]]:
    for block in blocks:
        row.layout().addWidget(block)
    row.resize(width, 200)
    row.layout().setGeometry(row.rect())
    return [block.geometry().getRect() for block in blocks]


def test_a_line_breaks_where_the_width_ends(row: QWidget) -> None:
    assert filled(row, 215, Block(), Block(), Block()) == [(0, 0, 100, 20), (110, 0, 100, 20), (0, 24, 100, 20)]
    assert row.heightForWidth(215) == 44
    assert row.heightForWidth(320) == 20
    assert row.sizeHint() == QSize(320, 20)


def test_what_is_wider_than_the_line_is_made_as_narrow(row: QWidget) -> None:
    assert filled(row, 150, Block(400)) == [(0, 0, 150, 20)]


def test_an_expanding_item_takes_the_rest_of_its_line(row: QWidget) -> None:
    wide = Block()
    wide.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    assert filled(row, 300, wide, Block()) == [(0, 0, 190, 20), (200, 0, 100, 20)]


def test_right_to_left_begins_on_the_right(row: QWidget) -> None:
    row.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert filled(row, 300, Block(), Block(50)) == [(200, 0, 100, 20), (140, 0, 50, 20)]


def test_a_group_breaks_inside_only_where_it_is_wider_than_the_line(row: QWidget) -> None:
    group = QWidget()
    inner = FlowLayout(group, gap=10, row_gap=4)
    for _ in range(2):
        inner.addWidget(Block())
    assert filled(row, 300, Block(), group) == [(0, 0, 100, 20), (0, 24, 210, 20)]
    filled(row, 150)
    assert group.geometry().getRect() == (0, 24, 150, 44)


def test_hidden_items_take_no_room(row: QWidget) -> None:
    hidden = Block()
    filled(row, 300, hidden, Block())
    hidden.hide()
    row.layout().activate()
    assert row.layout().itemAt(1).geometry().getRect() == (0, 0, 100, 20)
