"""The files of the weights that make a take: fingerprints at once, sha256 from the cache or a thread of its own."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.library.hash_cache import HashCache, file_state
from yue2_desktop.library.record import ModelFile
from yue2_desktop.library.weights_marks import fingerprint

#: Parts as take.json names them.
MOT: Final = "mot"
VAE: Final = "vae"
_BLOCK_BYTES: Final = 8 * 1024 * 1024

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WeightsPart:
    """One half of what makes a take: `mot` or `vae`, and its files (configuration, tokenizer, weights)."""

    name: str
    files: tuple[Path, ...]

    def identity(self) -> dict[str, object]:
        """What stands for these weights in a take's identity."""
        return {"fingerprint": fingerprint(self.files), "bytes": sum(path.stat().st_size for path in self.files)}


class WeightsHashes:
    """Computes the sha256 of weights that are not in the cache yet, beside the render and never before it.

    7 GB take several seconds of one core and a second reading of the file, once for each file that changed. What
    is not ready when the render ends stays unknown in its take.json; `inspect --hash` computes it on demand.
    """

    def __init__(self, parts: Sequence[WeightsPart], cache: HashCache) -> None:
        self._parts = parts
        self._cache = cache
        self._found: dict[Path, str] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._compute, name="weights-hash", daemon=True)

    def start(self) -> None:
        """Looks into the cache and begins to hash what it lacks."""
        for path in self._paths():
            known = self._cache.known(path)
            if known is not None:
                self._found[path] = known
        self._thread.start()

    def stop(self, patience_s: float) -> None:
        """Ends the hashing; waits so many seconds for a file that may be nearly done."""
        self._thread.join(patience_s)
        self._stop.set()

    def model_files(self) -> tuple[ModelFile, ...]:
        """The files as they stand in take.json, with the hashes that are known by now."""
        return tuple(
            ModelFile(part.name, path.name, path.stat().st_size, self._found.get(path))
            for part in self._parts
            for path in part.files
        )

    def _paths(self) -> list[Path]:
        return sorted({path for part in self._parts for path in part.files}, key=lambda path: path.stat().st_size)

    def _compute(self) -> None:
        for path in self._paths():
            if path in self._found:
                continue
            digest = self._hash(path)
            if digest is None:
                return
            self._found[path] = digest

    def _hash(self, path: Path) -> str | None:
        digest = hashlib.sha256()
        try:
            state = file_state(path)
            with path.open("rb") as file:
                while block := file.read(_BLOCK_BYTES):
                    if self._stop.is_set():
                        return None
                    digest.update(block)
        except OSError as error:
            _log.warning("%s could not be hashed: %s", path, error)
            return None
        self._cache.remember(path, digest.hexdigest(), state)
        return digest.hexdigest()
