"""What a folder or a file turns out to be, as values: kind, facts, files, what is wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from yue2_desktop import paths
from yue2_desktop.cli.durations import clock
from yue2_desktop.cli.sizes import in_bytes
from yue2_desktop.cli.take_lines import take_facts
from yue2_desktop.library.arrays import read_latents
from yue2_desktop.library.audio_file import audio_length
from yue2_desktop.library.describe import FileFact, describe, is_take
from yue2_desktop.library.hash_cache import HashCache, file_state
from yue2_desktop.library.reading import bad_file, hash_file, read_file
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.wording import path_text


@dataclass(frozen=True)
class Inspected:
    """`kind` in words, `facts` as (name, words) for people, `details` as plain values for programs."""

    place: str
    kind: str
    facts: tuple[tuple[str, str], ...]
    files: tuple[FileFact, ...]
    details: dict[str, object]
    problems: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """All of it as plain values."""
        return {
            "place": self.place,
            "kind": self.kind,
            "files": [asdict(file) for file in self.files],
            "problems": list(self.problems),
            **self.details,
        }

    def lines(self) -> list[str]:
        """What people read."""
        width = max((len(name) for name, _ in self.facts), default=0) + 2
        lines = [f"{self.place}: {self.kind}"]
        lines += [f"  {name:<{width}}{words}" for name, words in self.facts]
        for file in self.files:
            digest = f"  {file.sha256}" if file.sha256 else ""
            lines.append(f"  {file.name}  {in_bytes(file.bytes)}{digest}")
        return lines


def inspected(place: Path, *, hashes: bool) -> Inspected:
    """What lies at `place`. Raises Problem(BAD_FILE) where nothing is there or nothing is known of it."""
    if not place.exists():
        raise bad_file(place, "does not exist; check the name")
    if place.is_dir():
        if is_take(place):
            return _take(place, hashes=hashes)
        if (place / "config.json").is_file() or any(place.glob("*.safetensors")):
            from yue2_desktop.cli.inspected_weights import weights_folder

            return weights_folder(place, hashes=hashes)
        if any(place.glob("*.gguf")):
            from yue2_desktop.cli.inspected_gguf import gguf_folder

            return gguf_folder(place, hashes=hashes)
        raise bad_file(place, "is neither a take nor the folder of a model; name one of these, or a file")
    suffix = place.suffix.lower()
    if suffix == ".safetensors":
        from yue2_desktop.cli.inspected_weights import weights_file

        return weights_file(place, hashes=hashes)
    if suffix == ".gguf":
        from yue2_desktop.cli.inspected_gguf import gguf_file

        return gguf_file(place, hashes=hashes)
    if suffix == ".npy":
        frames = len(read_latents(read_file(place), place))
        length = clock(frames / FRAMES_PER_SECOND)
        return _file(place, "latents", (("length", f"{frames:,} frames, {length}"),), {"frames": frames}, hashes=hashes)
    if suffix in {".flac", ".wav"}:
        samples, rate = audio_length(place)
        facts = (("length", clock(samples / rate)), ("rate", f"{rate:,} samples a second"))
        return _file(place, "audio", facts, {"samples": samples, "sample_rate": rate}, hashes=hashes)
    raise bad_file(place, "is no file that this program knows (.safetensors, .gguf, .npy, .flac, .wav)")


def file_fact(path: Path, *, hashes: bool) -> FileFact:
    """Name and bytes of a file, with `hashes` its sha256, which is kept for later (see `HashCache`)."""
    digest = None
    if hashes:
        cache = HashCache(paths.cache_folder() / "hashes.json")
        state = file_state(path)
        digest = hash_file(path.resolve())
        cache.remember(path, digest, state)
    return FileFact(path_text(Path(path.name)), path.stat().st_size, digest)


def _file(
    place: Path, kind: str, facts: tuple[tuple[str, str], ...], details: dict[str, object], *, hashes: bool
) -> Inspected:
    return Inspected(path_text(place), kind, facts, (file_fact(place, hashes=hashes),), details)


def _take(place: Path, *, hashes: bool) -> Inspected:
    found = describe(place, hashes=hashes)
    problems = found.problems
    try:
        facts = take_facts(found)
    except Problem as problem:
        facts, problems = (), (*problems, problem.sentence)
    values = found.to_json()
    details = {name: values[name] for name in values if name not in {"folder", "files", "problems"}}
    return Inspected(path_text(place), "a take", facts, found.files, details, problems)
