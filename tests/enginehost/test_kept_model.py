"""What stays open between two jobs of the engine, and what lets it go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from yue2_desktop.cli import planning
from yue2_desktop.cli.making import open_for
from yue2_desktop.cli.order import Order
from yue2_desktop.cli.screen import Quiet
from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.enginehost import kept_model
from yue2_desktop.enginehost.kept_model import KeptModel
from yue2_desktop.enginehost.orders import order_from_json
from yue2_desktop.plan.facts import CpuFacts, MachineFacts
from yue2_desktop.plan.held import Held
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.runtime.orders import Part, Places, new_order
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.render_order import RenderOrder

Ordered = Callable[..., Order]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, test_model: TestModel) -> None:
    """Reading 151,643 ranks takes most of the time of these tests; the file is the same in all."""
    monkeypatch.setattr(Tokenizer, "from_file", lambda _path: _tokenizer(test_model.model_dir / "qwen.tiktoken"))


@cache
def _tokenizer(path: Path) -> Tokenizer:
    return _READ(path)


_READ = Tokenizer.from_file


@pytest.fixture
def ordered(tiny: RenderOrder, places: Places, test_model: TestModel, tmp_path: Path) -> Ordered:
    """Orders on a model whose files may be changed."""
    model = tmp_path / "model"
    model.mkdir()
    for path in test_model.model_dir.iterdir():
        (model / path.name).hardlink_to(path)

    def order(part: Part = "take", dtype: str = "float32") -> Order:
        where = replace(places, model=model, dtype=dtype)
        return order_from_json(new_order(tiny, tiny.requests[0], tmp_path / "take", where, part=part), Quiet())

    return order


def test_the_same_model_and_plan_stay_open(ordered: Ordered) -> None:
    kept = KeptModel()
    first = kept.opened_for(ordered("score"))
    assert first.vae is None
    second = kept.opened_for(ordered())
    assert second.pipeline is first.pipeline
    # The score needed no decoder, the take does.
    assert second.pipeline is not None
    assert second.pipeline.vae is second.vae is not None
    kept.release()
    third = kept.opened_for(ordered())
    assert third.pipeline is not first.pipeline
    assert third.model is first.model


def test_another_plan_is_built_anew(ordered: Ordered) -> None:
    kept = KeptModel()
    first, second = kept.opened_for(ordered()), kept.opened_for(ordered(dtype="bfloat16"))
    assert first.pipeline is not second.pipeline
    assert (first.dtype, second.dtype) == ("float32", "bfloat16")


def test_files_that_changed_are_opened_again(ordered: Ordered) -> None:
    kept = KeptModel()
    order = ordered()
    first = kept.opened_for(order)
    folder = order.invocation.model
    assert folder is not None
    config = folder / "config.json"
    text = config.read_text(encoding="utf-8")
    config.unlink()
    with pytest.raises(Problem) as raised:
        kept.opened_for(order)
    assert raised.value.kind in {ProblemKind.MODEL_MISSING, ProblemKind.MODEL_DAMAGED}
    config.write_text(text + "\n", encoding="utf-8")
    second = kept.opened_for(order)
    assert second.model is not first.model
    assert second.pipeline is not first.pipeline


def test_what_the_engine_holds_itself_is_no_reason_for_a_smaller_plan(
    ordered: Ordered, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All memory that is not free is this process's own."""
    machine = MachineFacts(
        gpus=(), platform="linux", cpu=CpuFacts("laptop", 4), ram_total=8 * GIB, ram_free=0, disk_free=99 * GIB
    )
    monkeypatch.setattr(planning, "machine_here", lambda folder: machine)
    with pytest.raises(Problem) as refused:
        open_for(ordered())
    assert refused.value.kind is ProblemKind.DOES_NOT_FIT
    monkeypatch.setattr(kept_model, "held_by", lambda pid, card_bytes=None: Held(pid, 6 * GIB))
    kept = KeptModel()
    first = kept.opened_for(ordered())
    assert kept.opened_for(ordered()).pipeline is first.pipeline
    # Another plan has the memory of the one that is let go for it.
    assert kept.opened_for(ordered(dtype="bfloat16")).planned is not None
