"""Verdicts on disk: kept for one card, driver and build, and no file can stop the program."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore, judged

KEY = "RTX 3050 Laptop GPU|580.65|torch 2.13.0+cu130"
GOOD = Verdict(True, "agrees to 2.0e-03", 2e-3, 1.7)


@pytest.mark.parametrize(("errors", "ok"), [((0.1, 0.2), True), ((0.3, 0.1), False), ((0.1, float("nan")), False)])
def test_the_worst_error_decides_and_one_that_is_no_number_is_worst(errors: tuple[float, ...], ok: bool) -> None:
    assert judged(errors, 0.2).ok is ok


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "кэш" / "card-paths.json"


def test_a_verdict_is_remembered(path: Path) -> None:
    VerdictStore(path, KEY).put("int4", GOOD)
    assert VerdictStore(path, KEY).get("int4") == GOOD
    assert VerdictStore(path, KEY).get("fp8") is None


@pytest.mark.parametrize("key", [KEY.replace("580.65", "581.00"), KEY.replace("2.13.0", "2.12.1"), "RTX 4060|580.65|x"])
def test_another_driver_build_or_card_is_probed_again(path: Path, key: str) -> None:
    VerdictStore(path, KEY).put("int4", GOOD)
    other = VerdictStore(path, key)
    assert other.get("int4") is None
    other.put("int4", Verdict(False, "no"))
    assert VerdictStore(path, KEY).get("int4") == GOOD


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b'{"version": 99, "machines": {}}',
        b'{"version": 1, "machines": []}',
        b'{"version": 1}',
        json.dumps({"version": 1, "machines": {KEY: []}}).encode(),
        json.dumps({"version": 1, "machines": {KEY: {"int4": {"ok": 1, "reason": "x"}}}}).encode(),
        json.dumps({"version": 1, "machines": {KEY: {"int4": {"ok": True}}}}).encode(),
        json.dumps({"version": 1, "machines": {KEY: {"int4": "yes"}}}).encode(),
    ],
    ids=range(11),
)
def test_a_damaged_file_means_probing_again_and_is_mended(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    store = VerdictStore(path, KEY)
    assert store.get("int4") is None
    store.put("int4", GOOD)
    assert VerdictStore(path, KEY).get("int4") == GOOD


def test_damage_is_said(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        VerdictStore(path, KEY).get("int4")
    assert "card-paths.json" in caplog.text
    assert "probed again" in caplog.text


def test_figures_that_are_no_numbers_do_not_spoil_the_file(path: Path) -> None:
    VerdictStore(path, KEY).put("int4", Verdict(False, "differs", float("nan"), float("inf")))
    assert VerdictStore(path, KEY).get("int4") == Verdict(False, "differs", None, None)


def test_a_probe_that_ends_the_process_is_begun_twice_and_no_more(path: Path) -> None:
    assert VerdictStore(path, KEY).get("graph") is None
    VerdictStore(path, KEY).begin("graph")  # and the process is gone
    assert VerdictStore(path, KEY).get("graph") is None
    VerdictStore(path, KEY).begin("graph")
    verdict = VerdictStore(path, KEY).get("graph")
    assert verdict is not None
    assert not verdict.ok
    assert "ended 2 times" in verdict.reason


def test_a_probe_that_ends_well_the_second_time_counts(path: Path) -> None:
    store = VerdictStore(path, KEY)
    store.begin("graph")
    store.begin("graph")
    store.put("graph", GOOD)
    assert VerdictStore(path, KEY).get("graph") == GOOD


def test_a_folder_that_cannot_be_written_costs_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    store = VerdictStore(blocked / "card-paths.json", KEY)
    with caplog.at_level(logging.WARNING):
        store.put("int4", GOOD)
    assert "could not be kept" in caplog.text
    assert store.get("int4") is None


def test_the_file_is_plain_json_in_utf8(path: Path) -> None:
    VerdictStore(path, KEY).put("int4", Verdict(False, "стало медленнее"))
    assert "стало медленнее" in path.read_text(encoding="utf-8")
    assert [file.name for file in path.parent.iterdir()] == [path.name]
