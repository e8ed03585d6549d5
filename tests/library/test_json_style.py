"""How a take's JSON looks, and the identity hash."""

from __future__ import annotations

import hashlib
import json
import math

import pytest

from yue2_desktop.library.json_style import canonical_bytes, identity_of, json_bytes


def test_style_is_the_references() -> None:
    assert json_bytes({"b": "Дождь ☃", "a": [1]}) == '{\n  "b": "Дождь ☃",\n  "a": [\n    1\n  ]\n}\n'.encode()


def test_canonical_json_is_sorted_and_compact() -> None:
    assert canonical_bytes({"b": "雨", "a": {"d": 1.5, "c": None}}) == '{"a":{"c":null,"d":1.5},"b":"雨"}'.encode()


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_no_nan(bad: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_bytes({"x": bad})
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_bytes({"x": bad})


def test_identity_is_the_hash_of_request_config_and_weights() -> None:
    text = '{"config":{"x":2},"request":{"seed":9223372036854775807},"weights":{"m":"ab"}}'
    expected = hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert identity_of({"seed": 2**63 - 1}, {"x": 2}, {"m": "ab"}) == expected


def test_the_largest_seed_is_written_in_full() -> None:
    # user-reports.md, row 116.
    assert json.loads(json_bytes({"seed": 2**63 - 1}))["seed"] == 2**63 - 1
