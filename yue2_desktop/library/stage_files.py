"""Loading what a take's later stages made: semantic tokens and latents, held against the hashes on record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.library.arrays import Latents, read_ids, read_latents
from yue2_desktop.library.json_style import sha256_of
from yue2_desktop.library.names import LATENTS, RESULT, SEMANTIC, TAKE, TakeStage
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.reading import bad_file, read_file
from yue2_desktop.library.record import FileMark, read_record
from yue2_desktop.library.result_file import read_result
from yue2_desktop.song.stages import CODEC_SIZE, SemanticTokens


@dataclass(frozen=True)
class _Vouched:
    """What the folder's own records say: hashes by file name, and whether the tokens met their ceiling."""

    marks: dict[str, FileMark]
    semantic_truncated: bool


def load_semantic(folder: Path) -> SemanticTokens:
    """The semantic tokens of a take with their plan.

    Raises Problem(BAD_FILE) when the plan is not as it was written (see `load_plan`), when semantic.npy is
    missing, linked, changed, empty, or holds anything but int32 codec values in [0, 32768). Whether the tokens
    were truncated comes from take.json or result.json; a folder with neither counts as not truncated.
    """
    plan = load_plan(folder)
    vouched = _vouched(folder)
    path = folder / SEMANTIC
    codec = read_ids(_unchanged(path, vouched), path, limit=CODEC_SIZE)
    if not codec:
        raise bad_file(path, "holds no tokens; make the semantic tokens of the song again")
    return SemanticTokens(plan=plan, codec=codec, truncated=vouched.semantic_truncated)


def load_latents(folder: Path) -> Latents:
    """The latents of a take, float32 [F, 64], F frames of 1/25 s.

    Raises Problem(BAD_FILE) when latent.npy is missing, linked, changed or of another shape or dtype, and
    Problem(NON_FINITE) when it holds NaN or infinities.
    """
    path = folder / LATENTS
    return read_latents(_unchanged(path, _vouched(folder)), path)


def load_latents_file(path: Path) -> Latents:
    """The latents in an npy file that belongs to no take; errors as `load_latents`."""
    return read_latents(read_file(path), path)


def _unchanged(path: Path, vouched: _Vouched) -> bytes:
    data = read_file(path)
    mark = vouched.marks.get(path.name)
    if mark is not None and sha256_of(data) != mark.sha256:
        raise bad_file(path, "was changed after it was made; render the take again or restore the file")
    return data


def _vouched(folder: Path) -> _Vouched:
    if (folder / TAKE).exists():
        record = read_record(folder)
        return _Vouched(record.files, record.stages[TakeStage.SEMANTIC].truncated or False)
    if (folder / RESULT).exists():
        result = read_result(folder)
        return _Vouched(dict(result.artifacts), result.semantic_truncated)
    return _Vouched({}, semantic_truncated=False)
