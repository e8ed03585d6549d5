"""Where the ear is."""

from __future__ import annotations

from yue2_desktop.audio.transport import Loop
from yue2_desktop.ui.player.playhead import Playhead


def test_the_ear_is_behind_by_the_latency_but_never_before_a_jump() -> None:
    head = Playhead()
    head.jump(1000)
    assert head.heard(1100, 200, None) == 1000
    assert head.heard(1500, 200, None) == 1300
    head.jump(400)
    assert head.heard(450, 200, None) == 400


def test_in_a_loop_the_ear_ends_its_turn_after_the_pulling_began_the_next() -> None:
    head, loop = Playhead(), Loop(1000, 2000)
    head.jump(1000)
    assert head.heard(1900, 200, loop) == 1700
    assert head.heard(1050, 200, loop) == 1850
    assert head.heard(1300, 200, loop) == 1100
    assert head.heard(1250, 200, loop) == 1050


def test_a_loop_shorter_than_the_latency_stays_inside() -> None:
    head, loop = Playhead(), Loop(1000, 1100)
    head.jump(1000)
    for position in (1090, 1010, 1099, 1000, 1050):
        assert 1000 <= head.heard(position, 500, loop) < 1100
