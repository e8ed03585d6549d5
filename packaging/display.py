"""Whether there is a screen to show a window on."""

from __future__ import annotations

from collections.abc import Mapping


def has_display(platform: str, variables: Mapping[str, str]) -> bool:
    """Whether a window can be shown."""
    return platform == "win32" or any(variables.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
