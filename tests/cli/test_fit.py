"""`yue2-desktop fit` from the command line: text, JSON, exit codes, and nothing written or computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yue2_desktop.__main__ import main
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.plan.facts import CpuFacts, MachineFacts
from yue2_desktop.plan.probe import Probed
from yue2_desktop.plan.sizes import GIB

SONG = ("--style", "pop, female voice", "--lyrics", "[Verse]\nWalking down the street at night\n")
LAPTOP = ("--pretend-gpu", "RTX 3050 Laptop,6144MiB,8.6")


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same machine wherever the tests run: no card, 9 GiB of memory free."""
    facts = MachineFacts(
        gpus=(), platform="linux", cpu=CpuFacts(avx2=True, vnni=True), ram_total=16 * GIB, ram_free=9 * GIB,
        disk_free=99 * GIB,
    )  # fmt: skip
    monkeypatch.setattr("yue2_desktop.cli.fit.read_machine", lambda _: Probed(facts, ()))


def _fit(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["fit", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_pretended_card_is_marked_and_fits(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _fit(capsys, *SONG, *LAPTOP)
    assert (status, err) == (0, "")
    assert out.startswith("PRETENDED CARD, not in this machine: RTX 3050 Laptop, 6.0 GiB, 5.2 GiB free")
    assert "Verdict: fits\nBF16 with halves parked: needs" in out
    assert "These words fill up to about" in out


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _fit(capsys, *SONG, *LAPTOP, "--json")
    report = json.loads(out)
    assert (status, err) == (0, "")
    assert (report["verdict"], report["mode"]) == ("fits", "offload-ar")
    assert [stage["stage"] for stage in report["stages"]] == ["score", "semantic", "acoustic", "decode"]


def test_what_does_not_fit_ends_with_3_and_the_mode_that_does(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _fit(capsys, *SONG, *LAPTOP, "--mode", "bf16")
    assert status == 3
    assert "Verdict: does not fit" in out
    assert "mode offload-ar (BF16 with halves parked) does" in out
    assert err == "This song does not fit as asked; nothing was started.\n"
    status, out, err = _fit(capsys, *SONG, *LAPTOP, "--mode", "bf16", "--json")
    assert (status, json.loads(out)["verdict"]) == (3, "does-not-fit")


def test_tokens_are_counted_where_the_model_is(capsys: pytest.CaptureFixture[str], test_model: TestModel) -> None:
    folders = ("--model", str(test_model.model_dir), "--vae", str(test_model.vae_dir))
    _, bounded, _ = _fit(capsys, *SONG, *LAPTOP)
    _, counted, _ = _fit(capsys, *SONG, *folders, "--device", "cpu")
    assert "upper bound" in bounded
    assert "upper bound" not in counted


def test_a_short_song_needs_less(capsys: pytest.CaptureFixture[str]) -> None:
    peaks = []
    for frames in ("750", "9000"):
        _, out, _ = _fit(capsys, *SONG, *LAPTOP, "--json", "--max-frames", frames)
        peaks.append(max(stage["peak_bytes"] for stage in json.loads(out)["stages"]))
    assert peaks[0] < peaks[1] - 512 * 1024**2


def test_the_command_line_of_render_is_understood(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output = tmp_path / "take"
    more = ("--output", str(output), "--stop-after", "plan", "--allow-bad-score", "--quiet", "--seed", "5")
    status, _, err = _fit(capsys, *SONG, *LAPTOP, *more, "--ode-steps", "8", "--vae-core", "256")
    assert (status, err) == (0, "")
    assert not output.exists(), "a check writes nothing"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("--pretend-gpu", "7"), "The pretended card '7' is none of 4GB"),
        (("--ode-steps", "65"), "--ode-steps must be between 1 and 64"),
        (("--vae-core", "none"), "--vae-core cannot be 'none'; use auto or a whole number of frames"),
        (("--ar-precision", "int3"), "--ar-precision cannot be 'int3'"),
        (("--device", "cuda:9"), "There is no card cuda:9; the cards are: none"),
        (("--max-frames", "0"), "--max-frames must be 1 or more"),
    ],
)
def test_mistakes_are_named(capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...], words: str) -> None:
    status, out, err = _fit(capsys, *SONG, *wrong)
    assert (status, out) == (2, "")
    assert err.startswith(words)


def test_a_damaged_configuration_is_named(
    capsys: pytest.CaptureFixture[str], test_model: TestModel, tmp_path: Path
) -> None:
    for name in ("model.safetensors", "qwen.tiktoken"):
        (tmp_path / name).hardlink_to(test_model.model_dir / name)
    for text, sentence in (
        ('{"model_type": "yue2", "hidden_size": 0}', "'hidden_size' must be a positive whole number"),
        ("[]", "a JSON object is expected"),
    ):
        (tmp_path / "config.json").write_text(text, encoding="utf-8")
        status, _, err = _fit(capsys, *SONG, "--model", str(tmp_path))
        assert status == 2
        assert sentence in err


def test_a_model_that_is_not_whole_yet_is_planned_as_the_released_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    status, out, _ = _fit(capsys, *SONG, "--model", str(tmp_path), "--pretend-gpu", "8GB")
    assert status == 0
    assert "BF16 with halves parked" in out


@pytest.mark.parametrize("device", ["cpu", "cuda:3"])
def test_a_pretended_card_beside_another_device_is_refused(capsys: pytest.CaptureFixture[str], device: str) -> None:
    status, out, err = _fit(capsys, *SONG, *LAPTOP, "--device", device)
    assert (status, out) == (2, "")
    assert f"--device {device} for something else" in err
    assert _fit(capsys, *SONG, *LAPTOP, "--device", "cuda")[0] == 0
