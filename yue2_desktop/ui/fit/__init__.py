"""The fit line: whether the song fits this machine now, with which plan, memory and time."""

from yue2_desktop.ui.fit.line import FitLine

__all__ = ["FitLine"]
