"""What the engine knows crosses the line and the disk as it is, and nothing else is taken for it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from yue2_desktop.plan.facts import CardUser, GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.known import (
    EngineFacts,
    KnownFacts,
    ModelFacts,
    cards_key,
    facts_from_json,
    facts_json,
    files_key,
    model_from_json,
    model_json,
)
from yue2_desktop.plan.shape import ModelShape, VaeShape
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors

CARD = GpuFacts(
    name="RTX 3050 Laptop",
    uuid="GPU-1",
    total_bytes=6 << 30,
    free_bytes=5 << 30,
    capability=(8, 6),
    driver="580.1",
    cuda_index=0,
    users=(CardUser(7, "browser", None),),
)
TORCH = TorchFacts("2.9", "12.6", ("flash",))
MACHINE = MachineFacts(gpus=(CARD,), torch=TORCH, platform="linux", ram_total=16 << 30)
GGUF = GgufFile("a.gguf", TypedTensors((("q4_k", 9), ("q6_k", 3))), None, "q6_k")
MODEL = ModelFacts(
    ModelShape(hidden=128, layers=3, vae=VaeShape(channels=64)),
    Inventory(checkpoint=False, ggufs=(GGUF,), can_convert=False),
)


def through_json(values: object) -> object:
    return json.loads(json.dumps(values))


def test_they_come_through_json_as_they_are() -> None:
    assert facts_from_json(through_json(facts_json(MACHINE))) == EngineFacts((CARD,), TORCH)
    assert facts_from_json(through_json(facts_json(MachineFacts()))) == EngineFacts()
    assert model_from_json(through_json(model_json(MODEL))) == MODEL
    assert model_from_json(through_json(model_json(ModelFacts(ModelShape(), Inventory())))) == ModelFacts(
        ModelShape(), Inventory()
    )


def test_a_later_version_may_say_more() -> None:
    said = facts_json(MACHINE)
    gpus = [{**asdict(CARD), "fans": 2}]
    assert facts_from_json(through_json({**said, "gpus": gpus, "more": 1})) == EngineFacts((CARD,), TORCH)


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {"gpus": 3},
        {"gpus": [3]},
        {"gpus": [{"total_bytes": "much"}]},
        {"gpus": [{"total_bytes": -1}]},
        {"gpus": [{"capability": "8.6"}]},
        {"gpus": [{"capability": ["a", "b"]}]},
        {"gpus": [{"users": [3]}]},
        {"torch": {"cuda": "12"}},
        {"torch": {"version": 2.9, "cuda": None}},
    ],
)
def test_what_are_no_facts(values: object) -> None:
    with pytest.raises(ValueError):
        facts_from_json(values)


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": None},
        {"inventory": None},
        {"shape": {"hidden": "wide", "vae": {}}},
        {"shape": {"hidden": True, "vae": {}}},
        {"shape": {}},
        {"inventory": {"checkpoint": 1}},
        {"inventory": {"ggufs": [{"name": "a", "ar": {"counts": []}, "nar": None}]}},
        {"inventory": {"ggufs": [{"name": "a", "ar": {"counts": [["q4_k", "many"]]}, "nar": None}]}},
        {"inventory": {"ggufs": [{"ar": None, "nar": None}]}},
    ],
)
def test_what_is_no_model(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        model_from_json({**model_json(MODEL), **changes})


def test_what_is_read_here_goes_before_what_the_engine_knew() -> None:
    now = replace(CARD, free_bytes=1 << 30)
    read = MachineFacts(gpus=(now,), torch=TorchFacts("2.9", "12.6"), ram_free=3)
    assert EngineFacts((CARD,), TORCH).on(read) == replace(read, torch=TORCH)
    other = MachineFacts(gpus=(replace(CARD, name="RTX 4090"),))
    assert EngineFacts((CARD,), TORCH).on(other) == other
    unread = MachineFacts(gpus=None, ram_free=3)
    assert EngineFacts((CARD,), TORCH).on(unread) == replace(unread, gpus=(CARD,), torch=TORCH)


def test_they_are_kept_by_card_and_driver(tmp_path: Path) -> None:
    kept = KnownFacts(tmp_path / "cache" / "known.json")
    key = cards_key(MACHINE)
    assert kept.facts(key) is None
    kept.keep(machine=(key, EngineFacts((CARD,), TORCH)), model=("files", MODEL))
    again = KnownFacts(tmp_path / "cache" / "known.json")
    assert again.facts(key) == EngineFacts((replace(CARD, free_bytes=None, users=None),), TORCH)
    assert again.model("files") == MODEL
    newer = replace(MACHINE, gpus=(replace(CARD, driver="590.2"),))
    assert again.facts(cards_key(newer)) is None
    again.keep(machine=None, model=("others", MODEL))
    assert again.facts(key) is not None
    assert again.model("files") == again.model("others") == MODEL


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    kept = KnownFacts(tmp_path / "known.json")
    for number in range(40):
        kept.keep(machine=None, model=(str(number), MODEL))
    assert kept.model("39") == MODEL
    assert kept.model("3") is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 9}', '{"version": 1, "machines": 3}', "[" * 100_000])
def test_a_file_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_text(text, encoding="utf-8")
    kept = KnownFacts(tmp_path / "known.json")
    assert kept.facts("a") is None
    assert kept.model("a") is None
    kept.keep(machine=None, model=("a", MODEL))
    assert kept.model("a") == MODEL


def test_another_file_is_another_model(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}", encoding="utf-8")
    vae = tmp_path / "vae.gguf"
    vae.write_bytes(b"GGUF")
    key = files_key(tmp_path / "model", vae)
    assert files_key(tmp_path / "model", vae) == key
    (tmp_path / "model" / "config.json").write_text("{ }", encoding="utf-8")
    assert files_key(tmp_path / "model", vae) != key
    with pytest.raises(OSError):
        files_key(tmp_path / "nothing")
