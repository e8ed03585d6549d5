"""What torch's allocator must find in the environment before torch is imported; torch is never imported here."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import Final

#: The names that torch reads, in its order. The second is the newer one, but torch 2.9 ignores it for CUDA; the first
#: works in every version.
_NAMES: Final = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
#: Segments that grow: freed memory of one size serves another size (user-reports.md, row 19).
_GROWING: Final = "expandable_segments:True"

_log = logging.getLogger(__name__)


def allocator_settings(platform: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables to set on `platform` (as `sys.platform`), none where the user has set one.

    Windows has no growing segments; there, caches are emptied between the stages and that must do.
    """
    if platform == "win32" or any(name in environment for name in _NAMES):
        return {}
    return {_NAMES[0]: _GROWING}


def prepare_allocator(environment: MutableMapping[str, str] | None = None, *, platform: str = sys.platform) -> bool:
    """Puts `allocator_settings` into the environment (this process's by default); True if they can still take effect.

    For a child process pass its environment. False, and a line in the log, when torch is in this process already.
    """
    own = environment is None
    target = os.environ if environment is None else environment
    if own and "torch" in sys.modules:
        _log.warning("torch was imported before the settings of its allocator: they have no effect")
        return False
    target.update(allocator_settings(platform, target))
    return True
