"""Sizes and counts as people read them."""

from __future__ import annotations


def in_bytes(count: int) -> str:
    """`512 bytes`, `47.3 MB`, `7.26 GB`: powers of ten, as file managers and download pages count."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}" if count < 1000 * size else f"{count / size:,.0f} {unit}"
    return f"{count} bytes"


def in_parameters(count: int) -> str:
    """`3.63 billion`, `132.6 million`, `4,096`."""
    if count >= 10**9:
        return f"{count / 10**9:.2f} billion"
    if count >= 10**6:
        return f"{count / 10**6:.1f} million"
    return f"{count:,}"
