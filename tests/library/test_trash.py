"""A take goes to the bin when asked, in any spelling, or what is left is named (user-reports.md, rows 71, 73, 113)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from yue2_desktop.library import trash as trash_module
from yue2_desktop.library.trash import trash_take
from yue2_desktop.song.errors import Problem, ProblemKind

LONG = "\\\\?\\"


@pytest.fixture
def take(song, tmp_path: Path) -> Path:
    song.create(tmp_path / "Music" / "Песня" / "take 1")
    return tmp_path / "Music" / "Песня" / "take 1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "Music"


@pytest.mark.skipif(os.name == "nt", reason="a test should not fill the bin of its user")
def test_to_the_systems_own_bin(take: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from send2trash import plat_other

    monkeypatch.setattr(plat_other, "HOMETRASH_B", os.fsencode(tmp_path / "bin"))
    monkeypatch.setattr("send2trash.send2trash", plat_other.send2trash)
    trash_take(take, [root])
    assert not take.exists()
    assert (tmp_path / "bin" / "files" / "take 1" / "take.json").is_file()


def test_the_player_lets_go_first(take: Path, root: Path) -> None:
    order: list[str] = []
    trash_take(
        take,
        [root],
        release=lambda: order.append("released"),
        send=lambda path: order.append(path) or shutil.rmtree(path),
    )
    assert order == ["released", str(take)]


@pytest.mark.skipif(os.name == "nt", reason="the texts are of another system")
def test_the_long_spelling_is_undone_for_the_shell(take: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash_module, "plain_spelling", lambda text: text.removeprefix("/long"))
    sent: list[str] = []
    trash_take(Path(f"/long{take}"), [root], send=lambda path: sent.append(path) or shutil.rmtree(path))
    assert sent == [str(take)]


@pytest.mark.skipif(os.name != "nt", reason="only Windows has two spellings")
@pytest.mark.parametrize("spelled", [lambda path: LONG + str(path), lambda path: str(path).upper()])
def test_both_spellings_on_windows(take: Path, root: Path, spelled: Callable[[Path], str]) -> None:
    trash_take(Path(spelled(take)), [root], send=shutil.rmtree)
    assert not take.exists()


def refused(folder: Path, roots: list[Path]) -> str:
    def send(path: str) -> None:
        raise AssertionError("nothing may be sent")

    with pytest.raises(Problem) as caught:
        trash_take(folder, roots, send=send)
    assert caught.value.kind is ProblemKind.BAD_FILE
    return caught.value.sentence


def test_what_is_never_touched(take: Path, root: Path, tmp_path: Path, link: Callable[[Path, Path], None]) -> None:
    assert "does not lie in your folder of takes" in refused(take, [tmp_path / "Musi"])
    assert "does not lie in your folder of takes" in refused(root, [root])
    assert "does not lie in your folder of takes" in refused(take, [])
    assert "is not the folder of a take" in refused(take.parent, [root])
    assert "is not the folder of a take" in refused(root / "gone", [root])
    link(root / "link", take)
    assert "is not the folder of a take" in refused(root / "link", [root])
    assert (take / "take.json").is_file()


def test_a_refusal_names_what_is_left(take: Path, root: Path) -> None:
    (take / "audio.flac").write_bytes(b"x")

    def send(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    with pytest.raises(Problem) as caught:
        trash_take(take, [root], send=send)
    sentence = caught.value.sentence
    assert f"{take} could not be moved to the bin (Permission denied)" in sentence
    assert f"Left is {take / 'audio.flac'}" in sentence
    assert "Nothing was deleted" in sentence
    assert set(caught.value.data["left"]) == {str(path) for path in take.iterdir()}


def test_a_held_file_is_named(take: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if path.name == "config.json":
            raise PermissionError(13, "The process cannot access the file")
        return real(path, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(Problem) as caught:
        trash_take(take, [root], send=lambda path: None)
    assert f"Left is {take / 'config.json'}; another program holds it: close that" in caught.value.sentence


def test_half_a_take_is_told(take: Path, root: Path) -> None:
    def send(path: str) -> None:
        (Path(path) / "take.json").unlink()

    with pytest.raises(Problem, match=r"Left is .*config\.json"):
        trash_take(take, [root], send=send)


def test_a_complaint_after_success_is_no_failure(take: Path, root: Path) -> None:
    def send(path: str) -> None:
        shutil.rmtree(path)
        raise OSError("no entry in the list of the bin")

    trash_take(take, [root], send=send)
    assert not take.exists()


@pytest.mark.parametrize("kind", [2, 4])
def test_a_drive_without_a_bin_is_left_alone(
    take: Path, root: Path, monkeypatch: pytest.MonkeyPatch, kind: int
) -> None:
    monkeypatch.setattr(trash_module, "_drive_type", lambda path: kind)
    monkeypatch.setattr("send2trash.send2trash", shutil.rmtree)
    with pytest.raises(Problem, match="Windows has no bin on this drive and would delete for good"):
        trash_take(take, [root])
    assert (take / "take.json").is_file()
