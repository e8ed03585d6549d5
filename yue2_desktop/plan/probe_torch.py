"""What torch the engine will import, read from its files: torch itself is never imported here."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from yue2_desktop.plan.facts import TorchFacts

_VERSION = re.compile(r"^__version__\s*=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
_CUDA = re.compile(r"^cuda\s*(?::[^=\n]+)?=\s*(?:None|['\"]([^'\"]+)['\"])", re.MULTILINE)


def read_torch(folder: Path | None = None) -> TorchFacts | None:
    """Version and CUDA version of the torch in `folder` (the installed one by default); None if unreadable."""
    place = folder if folder is not None else _installed()
    if place is None:
        return None
    try:
        text = (place / "version.py").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    version, cuda = _VERSION.search(text), _CUDA.search(text)
    if version is None or cuda is None:
        return None
    return TorchFacts(version[1], cuda[1])


def _installed() -> Path | None:
    spec = importlib.util.find_spec("torch")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent
