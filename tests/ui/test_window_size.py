"""The first size of the window on the screens of small laptops."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize

from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.window_size import DESIGNED, first_size


@pytest.mark.parametrize(
    ("available", "size"),
    [
        ((2560, 1400), (1280, 832)),
        ((1920, 1040), (1280, 832)),
        ((1366, 728), (1280, 680)),  # the commonest small laptop, with a task bar of 40
        ((1280, 800), (1264, 752)),
        ((1280, 680), (1264, 640)),
        ((960, 540), metrics.SMALLEST),  # 1920x1080 at 200 %: no smaller than what the panels need
    ],
)
def test_the_status_bar_stays_on_the_screen(available: tuple[int, int], size: tuple[int, int]) -> None:
    assert first_size(QSize(*available)) == QSize(*size)


def test_a_large_screen_has_it_as_designed() -> None:
    assert first_size(QSize(10_000, 10_000)) == DESIGNED
