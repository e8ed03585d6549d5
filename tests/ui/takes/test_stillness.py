"""What lies under the pointer, now and a moment ago."""

from __future__ import annotations

from yue2_desktop.ui.takes.stillness import HOLD_S, Laid, Stillness

BEFORE, AFTER = Laid(("a", "b", "c"), 0, 40), Laid(("b", "c"), 0, 40)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_row_is_found_by_its_height() -> None:
    laid = Laid(("a", "b", "c"), offset=10, height=40)
    assert [laid.at(y) for y in (0, 29, 30, 109, 110, -11)] == ["a", "a", "b", "c", "", ""]
    assert Laid().at(3) == ""


def test_what_has_come_under_the_pointer_is_held_until_it_could_be_seen() -> None:
    clock = Clock()
    still = Stillness(clock)
    assert still.holds(10, BEFORE)
    still.note(BEFORE)
    clock.now += 60.0
    assert not still.holds(10, AFTER), "nobody has seen it, however long the window took to paint it"
    still.painted()
    clock.now += HOLD_S * 0.9
    still.painted()
    assert not still.holds(10, AFTER)
    clock.now += HOLD_S * 0.2
    assert still.holds(10, AFTER)


def test_what_stayed_where_it_was_is_pressed_at_once() -> None:
    still = Stillness(Clock())
    still.note(Laid(("a", "b"), 0, 40))
    still.note(Laid(("x", "y"), 0, 40))  # in between, and never in sight
    assert still.holds(10, Laid(("a", "c"), 0, 40))
    assert not still.holds(50, Laid(("a", "c"), 0, 40))


def test_every_change_counts_and_so_does_what_was_scrolled() -> None:
    clock = Clock()
    still = Stillness(clock)
    still.note(Laid(("a", "b", "c"), 40, 40))
    still.painted()
    clock.now += HOLD_S / 2
    still.note(Laid(("b", "c"), 0, 40))
    still.painted()
    assert still.holds(10, Laid(("b", "x"), 0, 40)), "the second row was at the top, and is the first now"
    assert not still.holds(50, Laid(("b", "x"), 0, 40))
    clock.now += HOLD_S * 0.7
    assert not still.holds(50, Laid(("b", "x"), 0, 40))
    clock.now += HOLD_S * 0.4
    assert still.holds(50, Laid(("b", "x"), 0, 40))
