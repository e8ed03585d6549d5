"""The order in which notices wait: nothing grave is covered, nothing is told twice, nothing is lost."""

from __future__ import annotations

import pytest

from yue2_desktop.ui.notice_queue import Notice, NoticeQueue, Tone


def queue_of(*notices: tuple[str, Tone]) -> NoticeQueue:
    queue = NoticeQueue()
    for key, tone in notices:
        queue.tell(Notice(key, key, tone))
    return queue


def seen(queue: NoticeQueue) -> list[str]:
    """All that can be read by stepping on, from the one on show."""
    found = []
    for _ in range(len(queue)):
        assert queue.shown is not None
        found.append(queue.shown.key)
        queue.step()
    return found


def test_nothing_waits_at_first() -> None:
    queue = NoticeQueue()
    queue.step()
    assert (queue.shown, queue.place, len(queue), queue.withdraw("any")) == (None, 0, 0, False)


@pytest.mark.parametrize(
    "order", [("bad", "info", "doubtful"), ("info", "doubtful", "bad"), ("doubtful", "bad", "info")]
)
def test_the_gravest_is_read_first(order: tuple[Tone, ...]) -> None:
    assert seen(queue_of(*((tone, tone) for tone in order))) == ["bad", "doubtful", "info"]


def test_of_equal_ones_the_newest_is_on_show_and_the_other_waits() -> None:
    assert seen(queue_of(("queue", "doubtful"), ("lost", "doubtful"))) == ["lost", "queue"]


def test_one_of_a_key_is_enough() -> None:
    queue = queue_of(("model", "info"), ("lost", "doubtful"), ("model", "info"))
    assert seen(queue) == ["lost", "model"]
    queue.tell(Notice("model", "missed", "bad"))
    assert (len(queue), queue.shown and queue.shown.text) == (2, "missed")


def test_what_is_put_away_gives_way_to_the_next() -> None:
    queue = queue_of(("told", "info"), ("lost", "doubtful"), ("wrong", "bad"))
    queue.step()
    assert (queue.place, queue.shown and queue.shown.key) == (2, "lost")
    queue.withdraw("lost")
    assert (queue.place, queue.shown and queue.shown.key) == (2, "told")
    queue.withdraw("told")  # the last: the first is next
    assert (queue.place, queue.shown and queue.shown.key) == (1, "wrong")


def test_a_calm_one_does_not_take_away_what_is_being_read() -> None:
    queue = queue_of(("first", "bad"), ("second", "bad"))
    queue.step()
    assert queue.shown
    assert queue.shown.key == "first"
    queue.tell(Notice("told", "told"))
    assert (queue.shown.key, queue.place, len(queue)) == ("first", 2, 3)
    queue.withdraw("second")
    assert queue.shown
    assert (queue.shown.key, queue.place) == ("first", 1)
