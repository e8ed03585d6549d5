"""The README and the notices: their links lead somewhere, and what they name is what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from yue2_desktop.cli.commands import parser
from yue2_desktop.library import names
from yue2_desktop.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text of one section of the README."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def help_of(*command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        parser().parse_args([*command, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "packaging/THIRD_PARTY_NOTICES.md"])
def test_links_to_files_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


def test_every_command_that_is_named_exists(capsys: pytest.CaptureFixture[str]) -> None:
    named = re.findall(r"^\| `([a-z-]+)` \|", section("The command line"), re.MULTILINE)
    offered = re.findall(r"^    ([a-z-]+)\b", help_of(capsys=capsys), re.MULTILINE)
    assert "render" in named
    assert set(named) <= set(offered)


def test_every_option_of_render_that_is_named_exists(capsys: pytest.CaptureFixture[str]) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", section("The command line") + section("Real songs")))
    offered = set(re.findall(r"--[a-z][a-z-]+", help_of("render", capsys=capsys)))
    assert named <= offered


def test_every_file_of_a_take_is_described() -> None:
    described = set(re.findall(r"`([a-z_]+\.[a-z]+|journal/)`", section("A take on disk")))
    written = {value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)}
    assert described - {"journal/"} <= written
    assert {names.REQUEST, names.SCORE, names.SEMANTIC, names.LATENTS, names.AUDIO_FLAC, names.TAKE} <= described


def test_every_preference_that_is_shown_exists() -> None:
    shown = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert shown
    assert set(tomllib.loads(shown[1])) == set(Settings.__dataclass_fields__) - {"kept"}


def test_every_dependency_has_its_notice() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    needed = [re.match(r"[A-Za-z0-9_.-]+", name) for name in [*project["dependencies"], *extras]]
    notices = (ROOT / "packaging" / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8").lower()
    assert [name[0] for name in needed if name and name[0].lower() not in notices] == []
