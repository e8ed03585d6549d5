"""Going on with a take: what is remembered, what is refused, journals that are torn, damaged or of something else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from yue2_desktop.cli.resume import Invocation, interrupted_take, write_invocation
from yue2_desktop.engine.pipeline import Pipeline
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library.names import INVOCATION, JOURNAL, ODE_STATE, TakeStage
from yue2_desktop.library.ode_state import read_ode_state, write_ode_state
from yue2_desktop.library.record import read_record
from yue2_desktop.song.errors import Problem, ProblemKind

Cli = Callable[..., Any]
Content = Callable[[Path], dict[str, bytes]]


def _cancelled_after(number: int, name: str) -> Callable[..., Any]:
    """A stage that is cancelled after so many tokens or steps were kept."""
    real = getattr(Pipeline, name)

    def stage(self: Pipeline, *args: Any, **kwargs: Any) -> Any:
        index = next(place for place, arg in enumerate(args) if hasattr(arg, "on_progress"))
        watch, count = args[index], 0

        def counted(keep: Callable[..., None] | None) -> Callable[..., None]:
            def kept(*values: Any) -> None:
                nonlocal count
                assert keep is not None
                keep(*values)
                count += 1
                if count == number:
                    raise Problem(ProblemKind.CANCELLED, "Cancelled. What was finished is kept.")

            return kept

        watched = replace(watch, on_token=counted(watch.on_token), on_state=counted(watch.on_state))
        return real(self, *args[:index], watched, *args[index + 1 :], **kwargs)

    return stage


@pytest.fixture
def broken(
    cli: Cli, tiny: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, int], Path]:
    """Makes the tiny take and breaks it off in a stage after so many tokens or steps."""

    def make(stage: str, number: int) -> Path:
        out = tmp_path / f"broken-{stage}"
        with monkeypatch.context() as patch:
            patch.setattr(Pipeline, stage, _cancelled_after(number, stage))
            ended = cli("render", *tiny, "--output", out, "--quiet")
        assert ended.status == 130
        assert ended.err.startswith("Cancelled. What was finished is kept.\nKept in ")
        return out

    return make


@pytest.mark.parametrize(
    ("stage", "number", "kept"),
    [("semantic", 5, "the score, 5 tokens of the singing"), ("acoustic", 1, "the score, the singing, 1 step of the")],
)
def test_the_rest_is_the_same_whatever_was_kept(
    stage: str, number: int, kept: str, cli: Cli, broken: Callable[[str, int], Path], finished: Path, content: Content
) -> None:
    out = broken(stage, number)
    ended = cli("render", "--resume", out, "--json")
    assert ended.status == 0
    assert content(out) == content(finished)
    counts = [event["done"] for event in ended.events if event["event"] == "progress" and event["stage"] == stage]
    assert next(count for count in counts if count >= number) == number
    resumed = {stage.value: read_record(out).stages[stage].note.resumed for stage in TakeStage}
    assert [name for name, value in resumed.items() if value] == ["latents" if stage == "acoustic" else "semantic"]


@pytest.mark.parametrize(("stage", "name"), [("semantic", "semantic.tokens"), ("acoustic", "ode.state")])
def test_a_torn_journal_costs_a_token_or_a_stage(
    stage: str, name: str, cli: Cli, broken: Callable[[str, int], Path], finished: Path, content: Content
) -> None:
    """The machine went down in the middle of a write."""
    out = broken(stage, 1 if stage == "acoustic" else 4)
    journal = out / JOURNAL / name
    journal.write_bytes(journal.read_bytes()[:-3])
    ended = cli("render", "--resume", out, "--json")
    assert ended.status == 0
    assert content(out) == content(finished)
    notes = [event["sentence"] for event in ended.events if event["event"] == "note"]
    assert [note for note in notes if "begun again" in note] == notes
    assert len(notes) == (stage == "acoustic")


def test_a_journal_that_is_none_is_said_and_begun_again(
    cli: Cli, broken: Callable[[str, int], Path], finished: Path, content: Content
) -> None:
    out = broken("plan", 4)
    (out / JOURNAL / "score.tokens").write_bytes(b"no journal at all")
    ended = cli("render", "--resume", out, "--json")
    assert ended.status == 0
    assert content(out) == content(finished)
    assert "is begun again" in next(event["sentence"] for event in ended.events if event["event"] == "note")


def test_a_state_of_other_tokens_is_not_used(
    cli: Cli, broken: Callable[[str, int], Path], finished: Path, content: Content
) -> None:
    out = broken("acoustic", 1)
    path = out / JOURNAL / ODE_STATE
    state = read_ode_state(path)
    assert state is not None
    write_ode_state(path, replace(state, key="of another song"))
    ended = cli("render", "--resume", out, "--json")
    assert ended.status == 0
    assert "belongs to other tokens" in next(e["sentence"] for e in ended.events if e["event"] == "note")
    assert content(out) == content(finished)


def test_a_song_of_several_chunks_goes_on_in_the_middle_of_one(
    cli: Cli,
    tiny: tuple[str, ...],
    finished: Path,
    test_model: TestModel,
    tmp_path: Path,
    content: Content,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """12 frames in chunks of 5, 5 and 2 with two steps each, broken after the first step of the second chunk."""
    model = tmp_path / "model"
    shutil.copytree(test_model.model_dir, model, copy_function=os.link)
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    (model / "config.json").unlink()
    (model / "config.json").write_text(json.dumps({**config, "max_latent_frames": 5}), encoding="utf-8")
    whole, out = tmp_path / "whole", tmp_path / "take"
    again = ("render", "--from-take", finished, "--reuse", "semantic", *tiny[tiny.index("--model") :], "--model", model)
    assert cli(*again, "--output", whole, "--quiet").status == 0
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "acoustic", _cancelled_after(3, "acoustic"))
        assert cli(*again, "--output", out, "--quiet").status == 130
    state = read_ode_state(out / JOURNAL / ODE_STATE)
    assert state is not None
    assert (state.chunk, state.step, len(state.finished), len(state.x)) == (1, 1, 5, 5)
    assert cli("render", "--resume", out, "--quiet").status == 0
    assert content(out) == content(whole)


def test_other_weights_are_refused(
    cli: Cli, broken: Callable[[str, int], Path], test_model: TestModel, tmp_path: Path
) -> None:
    out = broken("semantic", 3)
    model = tmp_path / "model"
    shutil.copytree(test_model.model_dir, model, copy_function=os.link)
    (model / "config.json").unlink()
    config = json.loads((test_model.model_dir / "config.json").read_text(encoding="utf-8"))
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    before = sorted(out.rglob("*"))
    ended = cli("render", "--resume", out, "--model", model)
    assert ended.status == 2
    assert "was begun with another model" in ended.err
    assert sorted(out.rglob("*")) == before
    assert cli("render", "--resume", out, "--quiet").status == 0


def test_an_edited_take_is_refused(cli: Cli, broken: Callable[[str, int], Path]) -> None:
    out = broken("semantic", 3)
    request = (out / "request.json").read_text(encoding="utf-8")
    (out / "request.json").write_text(request.replace("hello", "howdy"), encoding="utf-8")
    ended = cli("render", "--resume", out)
    assert ended.status == 2
    assert "was edited; start a new render" in ended.err
    (out / "request.json").write_text(request, encoding="utf-8")
    (out / "config.json").write_text('{"semantic": {"heat": 1}}', encoding="utf-8")
    ended = cli("render", "--resume", out)
    assert ended.status == 2
    assert "config.json is damaged: semantic.heat is not a setting" in ended.err


def test_a_take_that_was_stopped_as_asked_goes_on_in_its_folder(
    cli: Cli, tiny: tuple[str, ...], models: tuple[str, ...], finished: Path, tmp_path: Path, content: Content
) -> None:
    """Its journal is gone, and with it the folders that it was made with; the decoder comes to it only now."""
    out = tmp_path / "take"
    assert cli("render", *tiny, "--stop-after", "semantic", "--output", out, "--quiet").status == 0
    assert set(read_record(out).weights) == {"mot"}
    ended = cli("render", "--resume", out)
    assert ended.status == 2
    assert "There is no model" in ended.err
    assert cli("render", "--resume", out, *models[:4], "--quiet").status == 0
    assert {name: data for name, data in content(out).items() if name != "config.json"} == {
        name: data for name, data in content(finished).items() if name != "config.json"
    }
    record = read_record(out)
    assert set(record.weights) == {"mot", "vae"}
    assert {file["part"] for file in record.made_with["model_files"]} == {"mot", "vae"}
    assert json.loads((out / "result.json").read_text(encoding="utf-8"))["identity"] == record.identity


def test_a_take_that_only_lacked_its_last_line(
    cli: Cli, finished: Path, models: tuple[str, ...], tmp_path: Path
) -> None:
    """Killed between the audio and result.json."""
    out = tmp_path / "take"
    shutil.copytree(finished, out)
    (out / "result.json").unlink()
    ended = cli("render", "--resume", out, *models[:4], "--json")
    assert ended.status == 0
    assert not [event for event in ended.events if event["event"] == "stage-begin"]
    assert ended.events[-1]["levels"]["peak_dbfs"] == 0.0
    assert (out / "result.json").exists()


def test_a_take_that_another_process_makes_is_left_alone(cli: Cli, broken: Callable[[str, int], Path]) -> None:
    out = broken("semantic", 3)
    path = out / JOURNAL / INVOCATION
    values = json.loads(path.read_text(encoding="utf-8"))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        started = psutil.Process(other.pid).create_time()
        path.write_text(json.dumps({**values, "process": other.pid, "process_started": started}), encoding="utf-8")
        ended = cli("render", "--resume", out)
        assert ended.status == 2
        assert f"is being rendered right now by process {other.pid}" in ended.err
        # Another process that was given the number of the one that died.
        path.write_text(json.dumps({**values, "process": other.pid, "process_started": started - 60}), encoding="utf-8")
        assert interrupted_take(out).invocation is not None
        assert other.stdin is not None
        other.stdin.close()
    assert cli("render", "--resume", out, "--quiet").status == 0


def test_how_a_render_was_started_is_remembered(broken: Callable[[str, int], Path], tmp_path: Path) -> None:
    out = broken("semantic", 3)
    invocation = Invocation(tmp_path / "модель ☃", None, "cuda:1", 3, TakeStage.LATENTS)
    write_invocation(out, invocation)
    assert interrupted_take(out).invocation == invocation
    path = out / JOURNAL / INVOCATION
    path.write_text(path.read_text(encoding="utf-8").replace('"latents"', '"dinner"'), encoding="utf-8")
    with pytest.raises(Problem, match="last must be one of plan, semantic, latents, audio"):
        interrupted_take(out)


def test_a_take_on_a_device_that_is_gone(cli: Cli, broken: Callable[[str, int], Path]) -> None:
    """Begun on a graphics card: what is kept is not gone on with on the CPU, which rounds and draws differently."""
    import torch

    from yue2_desktop.library.json_style import identity_of

    if torch.cuda.is_available():
        pytest.skip("this machine has the device")
    out = broken("semantic", 3)
    config = json.loads((out / "config.json").read_text(encoding="utf-8")) | {"device": "cuda"}
    (out / "config.json").write_text(json.dumps(config), encoding="utf-8")
    record = json.loads((out / "take.json").read_text(encoding="utf-8"))
    request = json.loads((out / "request.json").read_text(encoding="utf-8"))
    record["identity"] = identity_of(request, config, record["weights"])
    (out / "take.json").write_text(json.dumps(record), encoding="utf-8")
    ended = cli("render", "--resume", out)
    assert ended.status == 1
    assert "CUDA" in ended.err
