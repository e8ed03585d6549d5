"""A take made and reloaded under other code pages than UTF-8 (user-reports.md, rows 61, 64, 65 and 69)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

#: Makes a take in argv[1], reads it back, exports its sound as argv[2] in argv[1] and reloads that.
SCRIPT = r"""
import json, sys, warnings
from pathlib import Path
warnings.filterwarnings("error", category=EncodingWarning, module=r"yue2_desktop\b")
import numpy as np
from yue2_desktop.library.audio_file import read_audio, write_audio
from yue2_desktop.library.describe import describe
from yue2_desktop.library.ode_state import OdeState, read_ode_state, write_ode_state
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.record import MadeWith, StageNote
from yue2_desktop.library.stage_files import load_latents, load_semantic
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.library.token_journal import TokenJournal, read_tokens
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.filenames import native_path, safe_file_name
from yue2_desktop.song.request import request_from_json
from yue2_desktop.song.stages import ScorePlan, SemanticTokens
from yue2_desktop.song.textfile import read_json

request_file, folder, export = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
request = request_from_json(read_json(request_file, "request file"), base_dir=request_file.parent).request
plan = ScorePlan(request, (1, 2), request.abc, (151643, 3), truncated=False, supplied=True)
tokens = SemanticTokens(plan, (5, 6), truncated=False)
latents = np.ones((2, 64), np.float32)
audio = np.full((3840, 2), 0.5, np.float32)
made = MadeWith("0.1.0", (), "CC BY-NC 4.0", "Процессор ☃", "float32")
writer = TakeWriter.create(folder, request=request, config={"device": "cpu"}, weights={}, made_with=made)
with TokenJournal.create(writer.journal / "semantic.tokens", "k") as journal:
    journal.append([1], b"s")
assert read_tokens(writer.journal / "semantic.tokens").ids == (1,)
write_ode_state(writer.journal / "ode.state", OdeState("k", 0, 1, 4, latents, latents[:0]))
assert read_ode_state(writer.journal / "ode.state").step == 1
writer.plan(plan, StageNote(1.0))
writer.semantic(tokens, StageNote(1.0))
writer.latents(latents, StageNote(1.0))
writer.audio(audio, StageNote(1.0))
writer.finish()
assert load_plan(folder) == plan
assert load_semantic(folder) == tokens
assert np.array_equal(load_latents(folder), latents)
write_audio(folder / export, audio)
titled = folder / native_path(safe_file_name("Снег ☃ 🤣", ".flac"))
write_audio(titled, audio)
assert np.array_equal(read_audio(folder / export)[0], read_audio(titled)[0])
found = describe(folder, hashes=True)
assert found.problems == (), found.problems
try:
    TakeWriter.create(folder, request=request, config={}, weights={}, made_with=made)
except Problem as problem:
    refusal = problem.sentence
answer = {
    "filesystem": sys.getfilesystemencoding(),
    "folder": found.folder,
    "files": [fact.name for fact in found.files],
    "lyrics": found.request.lyrics,
    "refusal": refusal,
}
sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8"))
"""

CODE_PAGES = {
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "LANG=C": {"LANG": "C", "PYTHONUTF8": "0"},
    "utf-8": {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
}


def made_and_reloaded(root: Path, code_page: dict[str, str], export: str) -> dict:
    root.mkdir(parents=True)
    (root / "запрос.json").write_text(
        json.dumps(
            {"style": "фолк, 民谣", "lyrics": "[Verse]\nДождь 雨 🤣\n", "abc_path": "ноты ☃.abc"}, ensure_ascii=False
        ),
        encoding="utf-8",
    )
    (root / "ноты ☃.abc").write_text("X:1\nT:Дождь 雨\nK:C\n", encoding="utf-8")
    # PATH and the like stay; whatever sets the language does not.
    script = root / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "warn_default_encoding",
            str(script),
            str(root / "запрос.json"),
            str(root / "take"),
            export,
        ],
        env={**kept, **code_page, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    answer = json.loads(done.stdout.decode("utf-8"))
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("name", CODE_PAGES)
def test_a_take_under_another_code_page(tmp_path: Path, name: str) -> None:
    if name == "ascii" and not sys.prefix.isascii():
        pytest.skip("cffi cannot load soundfile's library from such an installation folder in this code page")
    root = tmp_path / "Алёна" / "音乐 (новое)" / "çedille"
    answer = made_and_reloaded(root, CODE_PAGES[name], "☃ 🤣 Песня.flac")
    if name == "ascii" and os.name == "posix":
        # Otherwise this case would only repeat the next one.
        assert answer["filesystem"] in {"ascii", "us-ascii", "ansi_x3.4-1968"}
    assert answer["lyrics"] == "[Verse]\nДождь 雨 🤣\n"
    assert answer["folder"] == str(root / "take")
    assert {"☃ 🤣 Песня.flac", "Снег ☃ 🤣.flac"} <= set(answer["files"])
    assert str(root / "take") in answer["refusal"]
    assert (root / "take" / "score.abc").read_bytes() == "X:1\nT:Дождь 雨\nK:C\n".encode()
    assert "Процессор ☃" in (root / "take" / "take.json").read_text(encoding="utf-8")


def test_a_data_root_of_150_characters(tmp_path: Path) -> None:
    missing = 150 - len(str(tmp_path)) - 1
    root = tmp_path / ("п" * max(missing, 1))
    answer = made_and_reloaded(root, CODE_PAGES["LANG=C"], "x" * 75 + ".flac")
    assert len(str(root)) >= 150
    assert "audio.flac" in answer["files"]


def test_no_file_is_opened_in_the_systems_encoding() -> None:
    # Row 65: a file opened as text without naming UTF-8 sings the wrong words on Windows. Ruff's PLW1514 is
    # the lint for it; this keeps that lint switched on.
    pyproject = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"PLW1514"' in pyproject
