"""The wheel: resources and licences are in it, nothing of the checkout is, and it works away from the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder], cwd=ROOT, check=True
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_resources_are_inside_and_nothing_foreign(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    wanted = {
        f"yue2_desktop/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "resources").rglob("*")
        if path.is_file()
    }
    assert wanted <= set(names)
    assert {name.split("/")[0] for name in names} == {"yue2_desktop", "yue2_desktop-0.1.0.dist-info"}
    assert {"yue2_desktop/resources/LICENSE", "yue2_desktop/resources/THIRD_PARTY_NOTICES.md"} <= set(names)


def test_it_finds_its_own_resources_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "мои песни"
    zipfile.ZipFile(wheel).extractall(installed)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from yue2_desktop import paths\n"
        "from yue2_desktop.engine.weights import testmodel\n"
        "sys.stdout.buffer.write(str(paths.resources()).encode())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(installed)], cwd=tmp_path, capture_output=True, check=True
    )
    assert Path(done.stdout.decode()) == installed / "yue2_desktop" / "resources"
