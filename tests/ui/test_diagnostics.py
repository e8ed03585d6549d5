"""What is copied for a report holds nothing of the song and no user's name."""

from __future__ import annotations

from pathlib import Path

from tests.ui.desks import machine, song
from yue2_desktop.settings import Settings
from yue2_desktop.ui.diagnostics import diagnostics, redacted


def test_the_report_says_what_helps() -> None:
    settings = Settings(models_folder=Path.home() / "models", threads=3)
    text = diagnostics(machine(), settings, "engine ready", ["a line of the log\n"], song())
    for part in ("YuE2 Desktop", "torch", "RTX 3050", "5.2 GiB of 6.0 GiB free", "engine ready", "a line of the log"):
        assert part in text
    assert "Threads: 3" in text
    assert f"{Path('~') / 'models'}" in text
    assert str(Path.home()) not in text


def test_only_the_end_of_the_log_is_in_it() -> None:
    text = diagnostics(None, Settings(), "", [f"line {number}\n" for number in range(500)], song())
    assert "line 499" in text
    assert "line 100\n" not in text


def test_the_song_is_taken_out() -> None:
    found = redacted("bad token in 'The ferry leaves at nine' of Ferry", song(), Path("/home/jo"))
    assert "ferry" not in found.lower()
    assert "bad token" in found


def test_other_users_paths_are_shortened() -> None:
    text = r"/home/jo/a.wav C:\Users\Jo Smith\b.wav /Users/jo/c.wav"
    found = redacted(text, song(), Path("/home/me"))
    assert "jo/" not in found
    assert r"Users\Jo" not in found
    assert found.count("…") == 3
