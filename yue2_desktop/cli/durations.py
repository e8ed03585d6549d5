"""Times as people say them."""

from __future__ import annotations


def about(seconds: float) -> str:
    """A remaining time, no more exact than it is known: `a few seconds`, `about 40 s`, `about 3 min`."""
    if seconds < 7.5:
        return "a few seconds"
    if seconds < 57.5:
        return f"about {5 * round(seconds / 5)} s"
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return f"about {minutes} min"
    minutes = 5 * round(seconds / 300)
    hours, rest = divmod(minutes, 60)
    return f"about {hours} h {rest} min" if rest else f"about {hours} h"


def spent(seconds: float) -> str:
    """A time that has passed: `0.4 s`, `12 s`, `3 min 20 s`, `1 h 5 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def clock(seconds: float) -> str:
    """The length of a song as players show it, with tenths while it is short: `3:24`, `0:09.6`."""
    if seconds < 59.95:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
