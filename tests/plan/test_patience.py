"""How long a stage may stand still."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.patience import patience


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [(None, 600.0), (0.0, 600.0), (100.0, 60.0), (1.0, 60.0), (0.1, 200.0)],
)
def test_patience_is_many_times_what_is_usual(rate: float | None, seconds: float) -> None:
    assert patience(rate) == seconds


def test_who_only_states_what_is_so_may_be_sooner() -> None:
    assert patience(20.0, least_s=30.0) == 30.0
    assert patience(0.1, least_s=30.0) == 200.0
