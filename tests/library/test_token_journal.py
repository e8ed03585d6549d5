"""The token journal: every whole record survives a kill at any byte, with the generator's state after it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from yue2_desktop.library.token_journal import TokenJournal, read_tokens
from yue2_desktop.song.errors import Problem, ProblemKind

BATCHES = [((151_642, 0, 7), b"state one"), ((5,), b""), ((2**31 - 1, 9), bytes(range(256)) * 20)]


def written(path: Path, batches: list[tuple[tuple[int, ...], bytes]] = BATCHES) -> list[int]:
    """Writes the batches; the file's size after the key and after each of them."""
    with TokenJournal.create(path, "Ключ") as journal:
        sizes = [path.stat().st_size]
        for ids, state in batches:
            journal.append(ids, state)
            sizes.append(path.stat().st_size)
    return sizes


def test_what_was_appended_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "journal" / "score.tokens"
    sizes = written(path)
    found = read_tokens(path)
    assert found is not None
    assert found.key == "Ключ"
    assert found.ids == (151_642, 0, 7, 5, 2**31 - 1, 9)
    assert found.state == BATCHES[-1][1]
    assert (found.torn, found.end) == (False, sizes[-1])


def test_a_record_is_readable_before_the_journal_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    with TokenJournal.create(path, "k") as journal:
        journal.append([1, 2], b"s")
        found = read_tokens(path)
        assert found is not None
        assert found.ids == (1, 2)


def test_a_file_cut_at_any_byte_keeps_the_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    sizes = written(path, BATCHES[:2])
    data = path.read_bytes()
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        found = read_tokens(path)
        if size < sizes[0]:
            assert found is None
            continue
        assert found is not None
        whole = sum(end <= size for end in sizes) - 1
        assert found.ids == tuple(token for ids, _ in BATCHES[:whole] for token in ids)
        assert found.state == (BATCHES[whole - 1][1] if whole else b"")
        assert found.torn == (size not in sizes)


@pytest.mark.parametrize("tail", [bytes(4096), b"\xff" * 64, b"\x05\0\0\0abcdefghi" * 9])
def test_what_a_power_cut_leaves_behind_the_records_is_left_out(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "a.tokens"
    sizes = written(path)
    with path.open("ab") as file:
        file.write(tail)
    found = read_tokens(path)
    assert found is not None
    assert len(found.ids) == 6
    assert (found.torn, found.end) == (True, sizes[-1])


def test_a_flipped_bit_ends_the_sound_part(tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    sizes = written(path)
    data = bytearray(path.read_bytes())
    data[sizes[1] + 12] ^= 4
    path.write_bytes(bytes(data))
    found = read_tokens(path)
    assert found is not None
    assert (found.ids, found.state, found.torn) == ((151_642, 0, 7), b"state one", True)


def test_going_on_cuts_the_torn_record_off(tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    sizes = written(path)
    os.truncate(path, sizes[-1] - 1)
    journal, found = TokenJournal.resume(path, "Ключ")
    assert found.ids == (151_642, 0, 7, 5)
    assert found.state == b""
    assert found.torn
    with journal:
        journal.append([77], b"after")
    again = read_tokens(path)
    assert again is not None
    assert (again.ids, again.state, again.torn) == ((151_642, 0, 7, 5, 77), b"after", False)


def test_going_on_needs_the_same_render(tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    with pytest.raises(Problem, match="is missing, so there is nothing to go on from"):
        TokenJournal.resume(path, "k")
    written(path)
    before = path.read_bytes()
    with pytest.raises(Problem, match="belongs to another request, model or setting") as caught:
        TokenJournal.resume(path, "k")
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert path.read_bytes() == before


def test_a_new_journal_takes_the_place_of_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    written(path)
    TokenJournal.create(path, "new").close()
    found = read_tokens(path)
    assert found is not None
    assert (found.key, found.ids) == ("new", ())


def test_files_that_are_no_journal(link: Callable, tmp_path: Path) -> None:
    path = tmp_path / "a.tokens"
    assert read_tokens(path) is None
    path.write_bytes(b"rubbish that is long enough")
    with pytest.raises(Problem, match="is not a token journal"):
        read_tokens(path)
    path.unlink()
    link(path, tmp_path / "nowhere")
    with pytest.raises(Problem, match="is a link"):
        read_tokens(path)


@pytest.mark.parametrize("ids", [[-1], [2**31]])
def test_ids_that_do_not_fit(tmp_path: Path, ids: list[int]) -> None:
    with TokenJournal.create(tmp_path / "a", "k") as journal, pytest.raises(ValueError, match="token ids must lie"):
        journal.append(ids, b"")
    with pytest.raises(ValueError, match="needs a key"):
        TokenJournal.create(tmp_path / "a", "")


def test_a_record_that_no_reader_would_take_is_not_written(tmp_path: Path) -> None:
    with TokenJournal.create(tmp_path / "a", "k") as journal, pytest.raises(ValueError, match="holds at most"):
        journal.append([1], bytes(1 << 20))
    found = read_tokens(tmp_path / "a")
    assert found is not None
    assert not found.torn


def test_a_full_disk_closes_the_journal_and_keeps_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tokens"
    now = [0.0]
    journal = TokenJournal.create(path, "k", clock=lambda: now[0])
    journal.append([1, 2], b"s")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    now[0] = 10.0
    with pytest.raises(Problem) as caught:
        journal.append([3], b"t")
    assert caught.value.kind is ProblemKind.DISK_FULL
    journal.close()
    with pytest.raises(ValueError, match="closed file"):
        journal.append([4], b"u")
    found = read_tokens(path)
    assert found is not None
    assert found.ids[:2] == (1, 2)


def test_records_are_flushed_at_least_every_two_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    flushed: list[float] = []
    monkeypatch.setattr(os, "fsync", lambda _descriptor: flushed.append(now[0]))
    journal = TokenJournal.create(tmp_path / "a", "k", clock=lambda: now[0])
    for step in range(12):
        now[0] = step * 0.5
        journal.append([step], b"")
    assert flushed == [2.0, 4.0]
    journal.close()
    assert flushed == [2.0, 4.0, 5.5]


def test_a_killed_process_leaves_every_token(tmp_path: Path) -> None:
    path = tmp_path / "Песня" / "a.tokens"
    path.parent.mkdir()
    script = (
        "import sys, pathlib\n"
        "from yue2_desktop.library.token_journal import TokenJournal\n"
        "journal = TokenJournal.create(pathlib.Path(sys.argv[1]), 'k')\n"
        "for token in range(1000):\n"
        "    journal.append([token], b'%d' % token)\n"
        "    if token == 300:\n"
        "        print('at 300', flush=True)\n"
        "        sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"at 300"
        process.kill()
    found = read_tokens(path)
    assert found is not None
    assert found.ids == tuple(range(301))
    assert found.state == b"300"
