"""How a take's JSON is written, and the hash that identifies what a render was asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping


def json_bytes(value: object) -> bytes:
    """`value` as the reference writes it: indent 2, letters as they are, a final newline, UTF-8.

    Raises ValueError for NaN and infinities, which are not JSON (spec/yue2.md, section 9).
    """
    return (json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def canonical_bytes(value: object) -> bytes:
    """`value` as canonical JSON: sorted keys, compact separators, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def sha256_of(data: bytes) -> str:
    """The sha256 of `data` in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def identity_of(request: Mapping[str, object], config: Mapping[str, object], weights: Mapping[str, object]) -> str:
    """What identifies a render: sha256 of the canonical JSON of {request, config, weights}."""
    return sha256_of(canonical_bytes({"request": request, "config": config, "weights": weights}))
