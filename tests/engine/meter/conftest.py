"""The metering package, which lies beside these tests, and the table of peaks, which is measured once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from metering.table import Peaks

# Test modules are imported from their files, so what they share needs a place on the path.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def peaks() -> Peaks:
    """All peaks of the table, measured now."""
    from metering.table import measure

    return measure()
