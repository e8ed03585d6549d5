"""How fast a render goes, in words: things a second, or seconds a thing where one takes longer than that."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from yue2_desktop.queue.job import JobStanding

_MINUTE: Final = 60
#: From here on a decimal is noise.
_ROUND: Final = 100


def rate_words(standing: JobStanding | None, locale: QLocale) -> str:
    """`17.2 tokens/s`, `1.9 s/step`; empty where the rate is not known, or is none that anything could go at."""
    rate = None if standing is None else standing.rate
    if standing is None or rate is None or not math.isfinite(rate) or rate <= 0 or standing.total <= 0:
        return ""
    if rate >= 1:
        words = {
            "tokens": _tr("{} tokens/s"),
            "steps": _tr("{} steps/s"),
            "tiles": _tr("{} parts/s"),
        }.get(standing.unit, f"{{}} {standing.unit}/s")
        return words.format(_figure(rate, locale))
    each = 1 / rate
    if not math.isfinite(each):
        return ""
    if each < _ROUND:
        words = {
            "tokens": _tr("{} s/token"),
            "steps": _tr("{} s/step"),
            "tiles": _tr("{} s/part"),
        }.get(standing.unit, _tr("{} s each"))
        return words.format(_figure(each, locale))
    words = {
        "tokens": _tr("{} min/token"),
        "steps": _tr("{} min/step"),
        "tiles": _tr("{} min/part"),
    }.get(standing.unit, _tr("{} min each"))
    return words.format(_figure(each / _MINUTE, locale))


def _figure(value: float, locale: QLocale) -> str:
    return locale.toString(value, "f", 1 if value < _ROUND else 0)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Takes", text)
