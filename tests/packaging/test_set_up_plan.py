"""What a set-up has left to do: nothing when nothing changed, everything when the folder cannot be trusted."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def wanted(set_up_plan: ModuleType) -> object:
    return set_up_plan.Wanted("/somewhere/.venv", ("numpy>=1", "torch>=2"), "hash")


@pytest.fixture
def done(set_up_plan: ModuleType) -> object:
    return set_up_plan.State("/somewhere/.venv", ("numpy>=1", "torch>=2"), "hash")


def names(steps: tuple[object, ...]) -> list[str]:
    return [step.name for step in steps]  # type: ignore[attr-defined]


def test_a_second_run_does_nothing(set_up_plan, wanted, done) -> None:
    assert set_up_plan.plan(done, wanted, works=True) == ()


@pytest.mark.parametrize(
    ("change", "steps"),
    [
        ({"project": "older"}, ["PROJECT"]),
        ({"project": ""}, ["PROJECT"]),
        ({"requirements": ("torch>=2",)}, ["DEPENDENCIES"]),
        ({"requirements": ("numpy>=1", "pytest>=8", "torch>=2")}, []),
        ({"requirements": (), "project": ""}, ["DEPENDENCIES", "PROJECT"]),
        ({"location": "", "requirements": (), "project": ""}, ["DEPENDENCIES", "PROJECT"]),
        ({"location": "/moved/.venv"}, ["MAKE", "DEPENDENCIES", "PROJECT"]),
        ({"interrupted": True}, ["MAKE", "DEPENDENCIES", "PROJECT"]),
    ],
)
def test_what_differs_is_done(set_up_plan, wanted, done, change, steps) -> None:
    assert names(set_up_plan.plan(replace(done, **change), wanted, works=True)) == steps


def test_a_folder_whose_python_does_not_start_is_made_anew(set_up_plan, wanted, done) -> None:
    assert names(set_up_plan.plan(done, wanted, works=False)) == ["MAKE", "DEPENDENCIES", "PROJECT"]


def test_tests_need_what_the_program_needs_and_more(set_up_plan) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    to_run = set(set_up_plan.requirements(project, for_tests=False))
    to_test = set(set_up_plan.requirements(project, for_tests=True))
    assert to_run < to_test
    assert any(name.startswith("torch") for name in to_run)
    assert any(name.startswith("hatchling") for name in to_run), "built without isolation, so without a network"
    assert any(name.startswith("pytest") for name in to_test - to_run)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "yue2_desktop/song/request.py",
        "resources/a.txt",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "packaging/THIRD_PARTY_NOTICES.md",
        "CHANGELOG.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["yue2_desktop/song/request.py", "resources/a.txt", "pyproject.toml", "yue2_desktop/new.py"]
)
def test_the_hash_follows_what_is_packaged(set_up_plan, tree: Path, name: str) -> None:
    before = set_up_plan.tree_hash(tree)
    (tree / name).write_text("2", encoding="utf-8")
    assert set_up_plan.tree_hash(tree) != before


@pytest.mark.parametrize("name", ["CHANGELOG.md", "yue2_desktop/__pycache__/request.pyc", "tests/test_a.py"])
def test_the_hash_leaves_out_what_is_not(set_up_plan, tree: Path, name: str) -> None:
    before = set_up_plan.tree_hash(tree)
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text("2", encoding="utf-8")
    assert set_up_plan.tree_hash(tree) == before


def test_a_renamed_file_changes_the_hash(set_up_plan, tree: Path) -> None:
    before = set_up_plan.tree_hash(tree)
    (tree / "resources" / "a.txt").rename(tree / "resources" / "b.txt")
    assert set_up_plan.tree_hash(tree) != before


def test_a_note_is_read_as_written(set_up_plan, tmp_path: Path, done) -> None:
    set_up_plan.write_state(tmp_path, done)
    assert set_up_plan.read_state(tmp_path) == done
    assert [path.name for path in tmp_path.iterdir()] == ["yue2-set-up.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", json.dumps({"location": "/x", "requirements": 3}), "\x00"])
def test_a_note_that_cannot_be_read_says_nothing(set_up_plan, tmp_path: Path, text: str) -> None:
    (tmp_path / "yue2-set-up.json").write_text(text, encoding="utf-8")
    assert set_up_plan.read_state(tmp_path) == set_up_plan.State()
